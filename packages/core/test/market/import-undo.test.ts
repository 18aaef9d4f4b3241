import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { finalizeDueMonths } from '../../src/market/values/month-finalization-commands.ts'
import { recomputeDirty } from '../../src/market/values/recompute-commands.ts'
import { undoImport, type UndoProgress } from '../../src/market/withdrawal/import-undo-commands.ts'
import { openDatabase, openPool } from '@brickmark/core/db/database'
import { saleRow, startTestMarket, toCsv, type TestMarket } from '@brickmark/tests/support/market'

const SETS = Array.from({ length: 6 }, (_, n) => ({
  record: 'set',
  set_number: `9020${n}-1`,
  title: `Set ${n}`,
  theme: 'Harbor',
  msrp_usd: '50.00',
  release_date: '2025-01-01',
}))
const NUMBERS = SETS.map((set) => set.set_number)
const PRODUCT = {
  record: 'product',
  set_number: '90200-1',
  retailer: 'retailer_a',
  product_id: 'B000000001',
  product_url: 'https://a.example/1',
}

/** Weekly sales of some sets, by sellers that several sets have in common. */
function salesOf(numbers: string[], { from, price, name }: { from: number; price: number; name: string }) {
  return numbers.flatMap((number) =>
    Array.from({ length: 12 }, (_, week) =>
      saleRow({
        event_id: `${name}/${number}/${from + week}`,
        set_number: number,
        sold_on: new Date(Date.UTC(2025, 0, 10 + (from + week) * 7)).toISOString().slice(0, 10),
        price: (price * (1 + 0.03 * Math.sin(week * 2.1))).toFixed(2),
        seller: `seller ${(week + Number(number[4])) % 4}`,
        buyer: `${name} buyer ${number} ${week}`,
      }),
    ),
  )
}

const offer = (event_id: string, observed_at: string, price: string) => ({
  retailer: 'retailer_a',
  product_id: 'B000000001',
  event_id,
  observed_at,
  price,
  in_stock: 'true',
})

/** Everything that readers and the valuation see, and what it rests on. */
async function contentsOf(market: TestMarket): Promise<Record<string, object[]>> {
  const read = async (query: string) => (await sql<object>`${sql.raw(query)}`.execute(market.superuserDb)).rows
  return {
    values: await read(
      'select set_number, condition, value_cents, range_low_cents, range_high_cents, data_tier from market.set_value order by 1, 2',
    ),
    months: await read(
      'select set_number, condition, month, value_cents, range_low_cents, range_high_cents from market.set_month order by 1, 2, 3',
    ),
    index: await read('select theme, month, level, sets from market.brick_index order by 1, 2'),
    models: await read('select month, model from source.month_model order by 1'),
    prices: await read(
      'select set_number, retailer, price_cents, lowest_cents, in_stock from market.retail_state order by 1, 2',
    ),
    sales: await read('select source_id, event_id from source.sale_observation order by 1, 2'),
    events: await read('select event_key from source.sale_event order by 1'),
    returns: await read('select event_id, item_number from source.sale_return order by 1'),
    traders: await read('select role, ref, item_number, known_on, several_since from source.trader order by role, ref'),
  }
}

async function fill(market: TestMarket): Promise<void> {
  await market.ingest('catalog', toCsv([...SETS, PRODUCT]))
  // Each week in a file of its own, as they come.
  const sales = salesOf(NUMBERS, { from: 0, price: 60, name: 'good' })
  const days = [...new Set(sales.map((sale) => sale.sold_on))].sort()
  for (const day of days) await market.ingest('sales', toCsv(sales.filter((sale) => sale.sold_on === day)))
  await market.ingest('retail', toCsv([offer('offer 1', '2025-03-01T12:00:00Z', '39.99')]))
}

/** Finalizes what is due, and computes everything anew. */
async function compute(market: TestMarket): Promise<void> {
  market.setNow('2025-05-20T01:00:00Z')
  await finalizeDueMonths(market)
  await sql`insert into source.valuation_queue select 'set', set_number from catalog.set on conflict do nothing`.execute(
    market.superuserDb,
  )
  await recomputeDirty(market)
}

/** Undoes an import as the owner of the database, like `ops`. */
async function undo(market: TestMarket, importId: number, onProgress?: UndoProgress) {
  const pool = openPool(market.url, { size: 2 })
  try {
    return await undoImport({ ...market, pool, db: openDatabase(pool) }, importId, onProgress)
  } finally {
    await pool.end()
  }
}

describe('an import that is undone', () => {
  let market: TestMarket
  let cleanMarket: TestMarket
  let poison: number

  beforeAll(async () => {
    ;[market, cleanMarket] = [await startTestMarket(), await startTestMarket()]
    for (const each of [market, cleanMarket]) await fill(each)
    // Known sellers sell at four times the price, so that sets which aren't in the file move as well.
    const sales = salesOf(NUMBERS.slice(0, 4), { from: 4, price: 240, name: 'bad' })
    poison = (await market.ingest('sales', toCsv(sales))).importId
    // A return of a sale that came before, and one of a sale that is being undone.
    for (const each of [market, cleanMarket])
      await each.ingest(
        'returns',
        toCsv([{ event_id: 'bad/90200-1/4', returned_on: '2025-05-01', known_on: '2025-05-01' }]),
      )
    for (const each of [market, cleanMarket]) await compute(each)
  }, 240_000)
  afterAll(async () => {
    await market.stop()
    await cleanMarket.stop()
  })

  test('has changed values and months', async () => {
    const [now, without] = [await contentsOf(market), await contentsOf(cleanMarket)]
    expect(now['values']).not.toEqual(without['values'])
    expect(now['months']).not.toEqual(without['months'])
  })

  test('leaves everything as if it had never come, even if undoing is interrupted', async () => {
    for (const step of ['rows', 'months'] as const) {
      const interrupted = undo(market, poison, (at) => {
        if (at === step) throw new Error('killed')
      })
      await expect(interrupted).rejects.toThrow('killed')
    }
    const { deleted } = await undo(market, poison)
    // The interrupted runs have deleted them all.
    expect(deleted).toBe(0)
    await recomputeDirty(market)
    expect(await contentsOf(market)).toEqual(await contentsOf(cleanMarket))
    const { rows } = await sql<{ left: number; reason: string }>`
      select (select count(*) from source.undo_row)::integer + (select count(*) from source.undo_item)::integer
               + (select count(*) from source.undo_trader)::integer as left,
             (select min(reason) from market.set_month_revision) as reason`.execute(market.superuserDb)
    expect(rows).toEqual([{ left: 0, reason: `import ${poison} was undone` }])
  })

  test('can be sent again, corrected', async () => {
    const sales = salesOf(NUMBERS.slice(0, 4), { from: 4, price: 61, name: 'bad' })
    expect(await market.ingest('sales', toCsv(sales))).toMatchObject({ accepted: 48, repeated: 0 })
    // The return waits for it.
    expect((await contentsOf(market))['returns']).toEqual([{ event_id: 'bad/90200-1/4', item_number: '90200-1' }])
  })

  test('isn’t undone twice; a catalog and an unknown import aren’t undone at all', async () => {
    await expect(undo(market, poison)).rejects.toThrow('was undone before')
    const { importId } = await market.ingest('catalog', toCsv(SETS))
    await expect(undo(market, importId)).rejects.toThrow('A catalog can’t be undone')
    await expect(undo(market, 999_999)).rejects.toThrow('There is no import 999999')
  })

  test('of retail prices and of returns', async () => {
    await recomputeDirty(market)
    const before = await contentsOf(market)
    const low = await market.ingest('retail', toCsv([offer('offer 2', '2025-04-01T12:00:00Z', '3.99')]))
    const returned = { event_id: 'good/90201-1/3', returned_on: '2025-05-02', known_on: '2025-05-02' }
    const returns = await market.ingest('returns', toCsv([returned]))
    await recomputeDirty(market)
    const poisoned = await contentsOf(market)
    expect(poisoned['prices']).toMatchObject([{ price_cents: 399, lowest_cents: 399 }])
    expect(poisoned['returns']).toHaveLength(2)
    for (const { importId } of [low, returns]) expect(await undo(market, importId)).toMatchObject({ deleted: 1 })
    await recomputeDirty(market)
    expect(await contentsOf(market)).toEqual(before)
  })
})
