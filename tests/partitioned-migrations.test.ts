import { expect, inject, test } from 'vitest'
import { runSql } from './bench/scale/databases.ts'
import { migratePartitioned } from './bench/scale/partitioned.ts'
import { inDatabase } from './support/database.ts'

test('all migrations run with partitioned account tables, as the scale benchmark needs them', async () => {
  const server = inject('serverUrl')
  const url = inDatabase(server, 'partitioned')
  await runSql(server, 'create database partitioned')
  await migratePartitioned(url)
  expect(
    await runSql(url, `select count(*)::int from pg_inherits where inhparent = 'portfolio.lot'::regclass`),
  ).toEqual([{ count: 16 }])
  await runSql(server, 'drop database partitioned')
})
