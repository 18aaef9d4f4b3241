import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { finalizeDueMonths } from '../../src/market/values/month-finalization-commands.ts'
import { recomputeDirty } from '../../src/market/values/recompute-commands.ts'
import { toCsv, startTestMarket, type TestMarket } from '@brickmark/tests/support/market'

/** Twelve sets in two themes with weekly sales over 70 weeks: enough for priors, ranges and months. */
const SETS = Array.from({ length: 12 }, (_, n) => ({
  record: 'set',
  set_number: `9010${String(n).padStart(2, '0')}-1`,
  title: `Set ${n}`,
  theme: n % 2 === 0 ? 'Harbor' : 'Canyon',
  msrp_usd: '50.00',
  release_date: '2025-01-01',
  ...(n === 1 && { retire_date: '2026-03-15' }),
}))

function salesOf(number: string, index: number): Record<string, string | number>[] {
  const sales = []
  for (let week = 0; week < 70; week++) {
    const sold = new Date(Date.UTC(2025, 0, 10 + week * 7)).toISOString().slice(0, 10)
    // The price varies by a few percent around 60 dollars and more.
    const price = (60 + index) * (1 + 0.04 * Math.sin(week * 2.1 + index))
    const condition = week % 3 === 0 ? 'used' : 'sealed'
    const salePrice = condition === 'used' ? price * 0.6 : price
    sales.push({
      event_id: `${number}/${week}`,
      set_number: number,
      condition,
      sold_on: sold,
      known_on: sold,
      price: salePrice.toFixed(2),
      currency: 'USD',
      quantity: 1,
      seller: `seller ${(week * 7 + index) % 9}`,
      buyer: `buyer ${week}-${index}`,
    })
  }
  return sales
}

async function fill(market: TestMarket): Promise<void> {
  await market.ingest('catalog', toCsv(SETS))
  await market.ingest('sales', toCsv(SETS.flatMap((set, index) => salesOf(set.set_number, index))))
}

async function months(market: TestMarket): Promise<object[]> {
  const { rows } = await sql<object>`select * from market.set_month order by set_number, condition, month`.execute(
    market.superuserDb,
  )
  return rows
}

let market: TestMarket

beforeAll(async () => {
  market = await startTestMarket()
  await fill(market)
})
afterAll(() => market.stop())

describe('finalization', () => {
  test('finalizes a month on the 8th of the next month, not before', async () => {
    market.setNow('2025-04-07T23:59:59Z')
    expect(await finalizeDueMonths(market)).toEqual({ finalized: 2, alreadyFinalized: 0 })
    market.setNow('2025-04-08T00:00:00Z')
    expect(await finalizeDueMonths(market)).toEqual({ finalized: 1, alreadyFinalized: 0 })
    const { rows } = await sql<{ month: string }>`select month from market.finalized_month order by 1`.execute(
      market.superuserDb,
    )
    expect(rows.map((row) => row.month)).toEqual(['2025-01-01', '2025-02-01', '2025-03-01'])
  })

  test('a second run writes nothing', async () => {
    const before = await months(market)
    expect(await finalizeDueMonths(market)).toEqual({ finalized: 0, alreadyFinalized: 1 })
    expect(await months(market)).toEqual(before)
  })

  test('finalizing month by month from memory or in a single run in batches, a year later, gives the same rows', async () => {
    for (const now of [
      '2025-05-09',
      '2025-06-20',
      '2025-07-08',
      '2025-08-30',
      '2025-09-10',
      '2025-12-31',
      '2026-03-08',
    ]) {
      market.setNow(`${now}T01:00:00Z`)
      await finalizeDueMonths(market)
    }
    const lateMarket = await startTestMarket()
    await fill(lateMarket)
    lateMarket.setNow('2026-03-09T01:00:00Z')
    expect(await finalizeDueMonths(lateMarket, { maxSalesInMemory: 0 })).toEqual({ finalized: 14, alreadyFinalized: 0 })
    expect(await months(lateMarket)).toEqual(await months(market))
    await lateMarket.stop()
  }, 90_000)

  test('a sale that became known after finalization changes nothing, even if finalization runs late', async () => {
    const sale = {
      ...salesOf(SETS[0]!.set_number, 0)[3]!,
      event_id: 'late',
      price: '75.00',
      sold_on: '2025-05-20',
      known_on: '2025-06-08',
    }
    const lateMarket = await startTestMarket()
    await fill(lateMarket)
    await lateMarket.ingest('sales', toCsv([sale]))
    lateMarket.setNow('2025-06-08T01:00:00Z')
    await finalizeDueMonths(lateMarket)
    const may = (rows: object[]) => rows.filter((row) => (row as { month: string }).month === '2025-05-01')
    expect(may(await months(lateMarket))).toEqual(may(await months(market)))
    expect(may(await months(lateMarket)).length).toBe(24)
    await lateMarket.stop()
  })

  test('concurrent workers finalize a month once', async () => {
    market.setNow('2026-04-08T01:00:00Z')
    const results = await Promise.all([finalizeDueMonths(market), finalizeDueMonths(market), finalizeDueMonths(market)])
    expect(results.reduce((sum, { finalized }) => sum + finalized, 0)).toBe(1)
  })

  test("a finalized month can't be changed, not even by its owner", async () => {
    await expect(sql`update market.set_month set value_cents = 1`.execute(market.superuserDb)).rejects.toThrow(
      /cannot be changed/,
    )
    await expect(sql`update market.set_month set value_cents = 1`.execute(market.db)).rejects.toThrow(
      /permission denied/,
    )
    await expect(sql`delete from market.set_month`.execute(market.db)).rejects.toThrow(/permission denied/)
  })

  test('records events; months with few sales have a range, but no sales count', async () => {
    const { rows } = await sql<{ month: string; event: string | null }>`
      select to_char(month, 'YYYY-MM') as month, event from market.set_month
       where set_number = ${SETS[1]!.set_number} and condition = 'sealed' and event is not null order by month`.execute(
      market.superuserDb,
    )
    expect(rows).toEqual([
      { month: '2025-01', event: 'released' },
      { month: '2025-09', event: 'retiring_soon' },
      { month: '2026-03', event: 'retired' },
    ])
    const thin = await sql<{ counted: number; ranged: number }>`
      select count(*) filter (where sales_count is not null) as counted,
             count(*) filter (where range_low_cents < value_cents and value_cents < range_high_cents) as ranged
        from market.set_month where condition = 'used'`.execute(market.superuserDb)
    // One used sale every three weeks: fewer than three per month, so the count is never published.
    expect(thin.rows[0]!.counted).toBe(0)
    expect(thin.rows[0]!.ranged).toBeGreaterThan(100)
    const { rows: partial } = await sql`
      select 1 from market.set_month
       where (value_cents is null) <> (range_low_cents is null) or (value_cents is null) <> (range_high_cents is null)
          or sales_count < 3`.execute(market.superuserDb)
    expect(partial).toEqual([])
  })
})

describe('values', () => {
  test('follow the sales and have a range and a tier', async () => {
    market.setNow('2026-05-20T12:00:00Z')
    expect((await recomputeDirty(market)).sets).toBe(12)
    const { rows } = await sql<{ condition: string; value: number; low: number; high: number; data_tier: string }>`
      select condition, value_cents as value, range_low_cents as low, range_high_cents as high, data_tier
        from market.set_value where set_number = ${SETS[4]!.set_number} order by condition`.execute(market.superuserDb)
    const [sealed, used] = rows
    expect(sealed!.data_tier).toBe('market')
    expect(sealed!.value).toBeGreaterThan(6100)
    expect(sealed!.value).toBeLessThan(6700)
    expect(sealed!.low).toBeLessThan(sealed!.value)
    expect(sealed!.high).toBeGreaterThan(sealed!.value)
    expect(used!.value / sealed!.value).toBeGreaterThan(0.55)
    expect(used!.value / sealed!.value).toBeLessThan(0.65)
  })

  test('no item stays dirty, and a new sale marks only its set dirty', async () => {
    expect(await recomputeDirty(market)).toEqual({ products: 0, sets: 0, minifigs: 0 })
    const sale = {
      ...salesOf(SETS[2]!.set_number, 2)[1]!,
      event_id: 'new',
      sold_on: '2026-05-19',
      known_on: '2026-05-19',
    }
    await market.ingest('sales', toCsv([sale]))
    expect((await recomputeDirty(market)).sets).toBe(1)
  })

  test('an unreleased set has no value, and a set without sales or list price has tier none', async () => {
    await market.ingest(
      'catalog',
      toCsv([
        {
          record: 'set',
          set_number: '90200-1',
          title: 'Coming',
          theme: 'Harbor',
          msrp_usd: '20.00',
          release_date: '2026-09-01',
        },
        { record: 'set', set_number: '90201-1', title: 'Unknown', theme: 'Harbor' },
      ]),
    )
    await sql`insert into source.valuation_queue values ('set', '90200-1'), ('set', '90201-1')`.execute(
      market.superuserDb,
    )
    await recomputeDirty(market)
    const { rows } = await sql<{ set_number: string; data_tier: string }>`
      select set_number, data_tier from market.set_value where set_number like '9020%' and condition = 'sealed'`.execute(
      market.superuserDb,
    )
    expect(rows).toEqual([{ set_number: '90201-1', data_tier: 'none' }])
  })

  test('a worker that dies between claiming and publishing loses nothing', async () => {
    const sale = {
      ...salesOf(SETS[3]!.set_number, 3)[1]!,
      event_id: 'crash',
      sold_on: '2026-05-18',
      known_on: '2026-05-18',
    }
    await market.ingest('sales', toCsv([sale]))
    await expect(
      market.db.transaction().execute(async (transaction) => {
        await sql`delete from source.valuation_queue`.execute(transaction)
        throw new Error('killed')
      }),
    ).rejects.toThrow('killed')
    expect((await recomputeDirty(market)).sets).toBe(1)
  })
})
