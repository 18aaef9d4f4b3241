import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recomputeDirty } from '@brickmark/core/market/values/recompute-commands'
import { undoImport } from '@brickmark/core/market/withdrawal/import-undo-commands'
import { openDatabase, openPool } from '@brickmark/core/db/database'
import { findFeedStatus } from '@brickmark/core/source/feed-status-queries'
import { acceptImport } from '@brickmark/core/source/held-import-commands'
import { addRetailState, addValue } from '@brickmark/tests/support/fixtures'
import { saleRow, startTestMarket, toCsv, type TestMarket } from '@brickmark/tests/support/market'

const NUMBERS = Array.from({ length: 30 }, (_, n) => `${90_200 + n}-1`)
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

let market: TestMarket

beforeAll(async () => {
  market = await startTestMarket()
  const sets = NUMBERS.map((set_number) => ({ record: 'set', set_number, title: set_number, theme: 'Harbor' }))
  const products = NUMBERS.map((set_number, n) => ({
    record: 'product',
    set_number,
    retailer: 'retailer_a',
    product_id: `B0000000${10 + n}`,
    product_url: 'https://a.example/1',
  }))
  await market.ingest('catalog', toCsv([...sets, ...products]))
  for (const set_number of NUMBERS) {
    await addValue(market.superuserDb, { set_number, value_cents: 6000, range_low_cents: 5000, range_high_cents: 7000 })
    await addRetailState(market.superuserDb, { set_number, price_cents: 5000 })
  }
})
afterAll(() => market.stop())

let files = 0

/** A file with a sale of each of the first sets, at a price in dollars. */
function sales(count: number, price: number, overrides: Record<string, string | number> = {}): string {
  const name = `file ${files++}`
  return toCsv(
    NUMBERS.slice(0, count).map((set_number) =>
      saleRow({
        event_id: `${name} ${set_number}`,
        set_number,
        sold_on: daysAgo(3),
        price: price.toFixed(2),
        seller: `s ${set_number}`,
        buyer: `b ${set_number}`,
        ...overrides,
      }),
    ),
  )
}

async function countRows(): Promise<{ sales: number; held: number }> {
  const { rows } = await sql<{ sales: number; held: number }>`
    select (select count(*)::integer from source.sale_observation) as sales,
           (select count(*)::integer from source.held_row) as held`.execute(market.superuserDb)
  return rows[0]!
}

describe('a file is held', () => {
  test.each([
    ['cents for dollars', 6000],
    ['a hundredth', 0.6],
  ])('with %s', async (_, price) => {
    const before = await countRows()
    const result = await market.ingest('sales', sales(30, price))
    expect(result).toMatchObject({ accepted: 0, held: expect.stringMatching(/^30 of 30 known prices/) as string })
    expect(await countRows()).toEqual({ sales: before.sales, held: before.held + 30 })
  })

  test('with retail prices of another currency', async () => {
    const offers = NUMBERS.map((_, n) => ({
      retailer: 'retailer_a',
      product_id: `B0000000${10 + n}`,
      event_id: `offer ${n}`,
      observed_at: new Date().toISOString(),
      price: '7500',
    }))
    expect(await market.ingest('retail', toCsv(offers))).toMatchObject({
      accepted: 0,
      held: expect.any(String) as string,
    })
  })

  test('and counted, so that an alert fires', async () => {
    expect((await findFeedStatus(market.db)).held).toBe(3)
  })
})

describe('a file isn’t held', () => {
  test.each([
    ['if its prices have doubled', sales(30, 120)],
    ['if it has fewer than twenty known sets', sales(19, 6000)],
    ['for a third of its sets and less', sales(30, 60) + sales(9, 6000).split('\n').slice(1).join('\n')],
    ['for sales of last year', sales(30, 6000, { sold_on: daysAgo(100), known_on: daysAgo(1) })],
    ['for lots', sales(30, 6000, { kind: 'lot' })],
  ])('%s', async (_, file) => {
    const result = await market.ingest('sales', file)
    expect(result.held).toBeUndefined()
    expect(result.accepted).toBeGreaterThan(0)
  })

  test('for values that are only modelled', async () => {
    await market.superuserDb.updateTable('market.set_value').set({ data_tier: 'modelled' }).execute()
    expect((await market.ingest('sales', sales(30, 6000))).held).toBeUndefined()
    await market.superuserDb.updateTable('market.set_value').set({ data_tier: 'market' }).execute()
  })
})

test('accepted, it is published as a new import; it can’t be accepted twice', async () => {
  const before = await countRows()
  const { importId } = await market.ingest('sales', sales(30, 6000))
  const accepted = await acceptImport(market.pool, importId)
  expect(accepted).toMatchObject({ accepted: 30, quarantined: 0 })
  expect(await countRows()).toEqual({ sales: before.sales + 30, held: before.held })
  const { rows } = await sql<{ imports: number[] }>`
    select array_agg(distinct import_id::integer) as imports from source.sale_observation
     where import_id >= ${importId}`.execute(market.superuserDb)
  expect(rows[0]!.imports).toEqual([accepted.importId])
  await expect(acceptImport(market.pool, importId)).rejects.toThrow(`Import ${importId} isn’t held.`)
  await expect(acceptImport(market.pool, 999_999)).rejects.toThrow('There is no import 999999')
})

test('undone, it is forgotten; sent again, it is held again', async () => {
  const file = sales(30, 6000)
  const before = await countRows()
  const { importId } = await market.ingest('sales', file)
  const pool = openPool(market.url, { size: 2 })
  await undoImport({ ...market, pool, db: openDatabase(pool) }, importId)
  await pool.end()
  expect(await countRows()).toEqual(before)
  expect((await market.ingest('sales', file)).held).toBeDefined()
})

test('a file with rows that can’t be published has them quarantined all the same', async () => {
  const unknown = sales(1, 6000, { set_number: '1-1' })
  const result = await market.ingest('sales', sales(30, 6000) + unknown.split('\n').slice(1).join('\n'))
  expect(result).toMatchObject({ accepted: 0, quarantined: 1, held: expect.any(String) as string })
  await recomputeDirty(market)
})
