import { expect, inject, test } from 'vitest'
import pg from 'pg'
import { migratePartitioned } from '@brickmark/tools/bench/scale/partitioned'

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

test('all migrations run with partitioned account tables, as the scale benchmark needs them', async () => {
  const server = inject('serverUrl')
  const url = new URL(server)
  url.pathname = '/partitioned'
  await query(server, 'create database partitioned')
  await migratePartitioned(url.href)
  expect(
    await query(url.href, `select count(*)::int from pg_inherits where inhparent = 'portfolio.lot'::regclass`),
  ).toEqual([{ count: 16 }])
  await query(server, 'drop database partitioned')
})
