import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDemoApi, type DemoApi } from './demo.ts'
import type { TestAccount } from '@brickmark/tests/support/fixtures'

/** What is exported equals what v1 returns, for everything in the demo. */

type Row = Record<string, unknown>

let api: DemoApi
let account: TestAccount
const files = new Map<string, Row[]>()

beforeAll(async () => {
  api = await startDemoApi()
  account = await api.createAccount({ limit: 100_000 })
  const { data } = await api.get<{ exports: { dataset: string; path: string }[] }>(
    '/api/extensions/v1/exports',
    account,
  )
  for (const { dataset, path } of data.exports) {
    const response = await fetch(api.origin + path, { headers: { authorization: `Bearer ${account.key}` } })
    const text = gunzipSync(Buffer.from(await response.arrayBuffer())).toString()
    files.set(
      dataset,
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Row),
    )
  }
})
afterAll(() => api.stop())

const v1 = async (path: string) => (await api.get<Row>(path, account)).data

test('sets, but for their retail prices', { timeout: 120_000 }, async () => {
  const rows = files.get('sets')!
  expect(rows).toHaveLength(api.market.sets.length)
  for (const row of rows) {
    const { retailers, ...set } = await v1(`/set/${row['set_number'] as string}`)
    expect(retailers).toBeInstanceOf(Array)
    // As text, so that the order of the fields is the same, too.
    expect(JSON.stringify(row)).toBe(JSON.stringify(set))
  }
})

test('minifigs', { timeout: 120_000 }, async () => {
  const rows = files.get('minifigs')!
  expect(rows).toHaveLength(api.market.minifigs.length)
  for (const row of rows)
    expect(JSON.stringify(row)).toBe(JSON.stringify(await v1(`/minifig/${row['minifig_number'] as string}`)))
})

test('histories', { timeout: 120_000 }, async () => {
  const exported = new Map(
    files.get('history')!.map((row) => [`${row['set_number'] as string} ${row['condition'] as string}`, row]),
  )
  let months = 0
  for (const { set_number } of api.market.sets)
    for (const condition of ['sealed', 'used']) {
      const history = await v1(`/set/${set_number}/history?condition=${condition}`)
      const row = exported.get(`${set_number} ${condition}`) ?? { set_number, condition, history: [] }
      expect(JSON.stringify(row)).toBe(JSON.stringify(history))
      months += (history['history'] as Row[]).length
    }
  expect(months).toBeGreaterThan(1000)
})
