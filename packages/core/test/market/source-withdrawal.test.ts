import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { finalizeDueMonths } from '../../src/market/values/month-finalization-commands.ts'
import { recomputeDirty } from '../../src/market/values/recompute-commands.ts'
import { withdrawSource, type WithdrawalProgress } from '../../src/market/withdrawal/source-withdrawal-commands.ts'
import { openDatabase, openPool } from '@brickmark/core/db/database'
import { declareSource, setLicenseRules } from '@brickmark/core/source/source-commands'
import { saleRow, startTestMarket, toCsv, type TestMarket } from '@brickmark/tests/support/market'

const MARKET = { source: 'market', license: 'market-terms' }
const SETS = Array.from({ length: 8 }, (_, n) => ({
  record: 'set',
  set_number: `9020${n}-1`,
  title: `Set ${n}`,
  theme: 'Harbor',
  msrp_usd: '50.00',
  release_date: '2025-01-01',
}))

/** Weekly sales. Those of the source to be withdrawn have a higher price, so that it shows in values. */
function salesOf(number: string, { source, price }: { source: string; price: number }) {
  return Array.from({ length: 30 }, (_, week) =>
    saleRow({
      source,
      license: source === 'shop' ? 'trial' : 'market-terms',
      event_id: `${source}/${number}/${week}`,
      set_number: number,
      sold_on: new Date(Date.UTC(2025, 0, 10 + week * 7)).toISOString().slice(0, 10),
      price: (price * (1 + 0.03 * Math.sin(week * 2.1))).toFixed(2),
      seller: `${source} seller ${week % 6}`,
      buyer: `${source} buyer ${number} ${week}`,
    }),
  )
}

const WITHDRAWN_FROM = SETS.slice(0, 3).map((set) => set.set_number)
/** Only the source to be withdrawn has sales of it. */
const UNRELEASED = '90209-1'
const FED_BY_MARKET = [...WITHDRAWN_FROM, UNRELEASED].join("','")

async function fill(market: TestMarket, { withMarket }: { withMarket: boolean }): Promise<void> {
  await declareSource(market.pool, { ...MARKET, name: 'Market', terms: 'For tests.', rank: 1 })
  await market.ingest('catalog', toCsv(SETS))
  // Where both sell, most sales are of the other source.
  const isKept = (number: string, week: number) => week % 6 === 0 || !WITHDRAWN_FROM.includes(number)
  const sales = SETS.flatMap(({ set_number: number }) =>
    salesOf(number, { source: 'shop', price: 60 }).filter((_, week) => isKept(number, week)),
  )
  await market.ingest('sales', toCsv(sales))
  if (withMarket) {
    await market.ingest(
      'sales',
      toCsv(WITHDRAWN_FROM.flatMap((number) => salesOf(number, { source: 'market', price: 90 }))),
    )
    await market.ingest(
      'catalog',
      toCsv([
        { ...MARKET, ...SETS[0]!, pieces: 900 },
        {
          ...MARKET,
          record: 'product',
          set_number: SETS[0]!.set_number,
          retailer: 'retailer_a',
          product_id: 'B000000001',
          product_url: 'https://a.example/1',
        },
        { ...MARKET, record: 'minifig', minifig_number: 'fig-1', name: 'Keeper' },
        { ...MARKET, record: 'alias', minifig_number: 'fig-1', alias: 'zz0001' },
      ]),
    )
    await sql`
      insert into source.product_match (retailer, set_number, product_id, title, product_url, source_id)
      values ('retailer_a', ${SETS[1]!.set_number}, 'B000000002', 'Doubtful', 'https://a.example/2', 'market')`.execute(
      market.superuserDb,
    )
    // Rejected rows: one of this source, and one of another whose name contains it.
    await market.ingest(
      'sales',
      'source,license,event_id,set_number,condition,sold_on,price,currency\nmarket,market-terms,x\nmarket-two,market-terms,y\n',
    )
    await market.ingest('catalog', toCsv([{ ...SETS[0]!, set_number: UNRELEASED, release_date: '2030-01-01' }]))
    await market.ingest('sales', toCsv(salesOf(UNRELEASED, { source: 'market', price: 90 })))
    await market.ingest(
      'retail',
      toCsv([
        {
          ...MARKET,
          retailer: 'retailer_a',
          product_id: 'B000000001',
          observed_at: '2025-08-01T12:00:00Z',
          price: '39.99',
          in_stock: 'true',
        },
      ]),
    )
  }
  market.setNow('2025-08-20T01:00:00Z')
  await finalizeDueMonths(market)
  await recomputeDirty(market)
}

async function monthsOf(market: TestMarket, condition: string) {
  const { rows } = await sql<{ set_number: string; month: string; value_cents: number | null }>`
    select set_number, month, value_cents from market.set_month
     where ${sql.raw(condition)} and condition = 'sealed' order by set_number, month`.execute(market.superuserDb)
  return rows
}

async function valuesOf(market: TestMarket) {
  const { rows } = await sql<{ set_number: string; value_cents: number }>`
    select set_number, value_cents from market.set_value where condition = 'sealed' order by set_number`.execute(
    market.superuserDb,
  )
  return rows
}

/** Counts rows that mention the source, in every table that has a column for it. */
async function countRows(market: TestMarket): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_schema || '.' || table_name as name from information_schema.columns
     where column_name = 'source_id' and table_schema in ('source', 'catalog') and table_name <> 'withdrawal'`.execute(
    market.superuserDb,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from ${sql.raw(name)} where source_id = 'market'`.execute(market.superuserDb)
    if (rows[0]!.n > 0) counts[name] = rows[0]!.n
  }
  return counts
}

describe('a withdrawn source', () => {
  let market: TestMarket
  let before: { affected: object[]; others: object[] }

  beforeAll(async () => {
    market = await startTestMarket()
    await fill(market, { withMarket: true })
    before = {
      affected: await monthsOf(market, `set_number in ('${FED_BY_MARKET}')`),
      others: await monthsOf(market, `set_number not in ('${FED_BY_MARKET}')`),
    }
    expect((await valuesOf(market))[0]!.value_cents).toBeGreaterThan(6500)
    expect(Object.keys(await countRows(market)).length).toBeGreaterThan(4)
  }, 120_000)
  afterAll(() => market.stop())

  /** Like the operator, who owns the database: the worker can't change a finalized month. */
  const withdraw = async (source: string, onProgress?: WithdrawalProgress) => {
    const pool = openPool(market.url, { size: 2 })
    try {
      return await withdrawSource({ ...market, pool, db: openDatabase(pool) }, source, onProgress)
    } finally {
      await pool.end()
    }
  }

  test('is gone even if the command was interrupted after every step', async () => {
    for (const step of ['months', 'rows']) {
      const interrupted = withdraw('market', (current) => {
        if (current === step) throw new Error('interrupted')
      })
      await expect(interrupted).rejects.toThrow('interrupted')
    }
    await withdraw('market')
    await recomputeDirty(market)
    expect(await countRows(market)).toEqual({})
    const { rows } = await sql<{ raw: string }>`select raw from source.quarantine`.execute(market.superuserDb)
    expect(rows.map(({ raw }) => raw.trim().split('\n').at(-1))).toEqual(['market-two,market-terms,y'])
  })

  test('leaves the values that there would be without it', async () => {
    const without = await startTestMarket()
    await fill(without, { withMarket: false })
    // The fit of the months is the only thing left of it, so values may differ a little.
    const expected = await valuesOf(without)
    for (const [index, { set_number, value_cents }] of (await valuesOf(market)).entries()) {
      expect(set_number).toBe(expected[index]!.set_number)
      expect(Math.abs(value_cents / expected[index]!.value_cents - 1)).toBeLessThan(0.02)
    }
    await without.stop()
  }, 120_000)

  test('leaves no value where only it had sales of a set that is not released yet', async () => {
    const { rows } = await sql<object>`select * from market.set_value where set_number = ${UNRELEASED}`.execute(
      market.superuserDb,
    )
    expect(rows).toEqual([])
  })

  test('leaves no retail price and no attribute', async () => {
    const { rows } = await sql<object>`
      select (select count(*) from market.retail_state) as states, (select count(*) from market.retail_day) as days,
             (select pieces from catalog.set where set_number = ${SETS[0]!.set_number}) as pieces`.execute(
      market.superuserDb,
    )
    expect(rows).toEqual([{ states: 0, days: 0, pieces: null }])
  })

  test('no longer shows in finalized months, and each change of a month is logged with its reason', async () => {
    const affected = await monthsOf(market, `set_number in ('${FED_BY_MARKET}')`)
    expect(affected).not.toEqual(before.affected)
    for (const { value_cents } of affected.slice(2)) if (value_cents !== null) expect(value_cents).toBeLessThan(6500)
    const { rows: log } = await sql<object>`
      select set_number, month, value_cents from market.set_month_revision
       where condition = 'sealed' and reason = 'source market was withdrawn' order by set_number, month, id`.execute(
      market.superuserDb,
    )
    const changed = affected.filter(
      (row, index) => row.value_cents !== (before.affected[index] as typeof row).value_cents,
    )
    expect(log).toEqual(expect.arrayContaining(changed))
    expect(await monthsOf(market, `set_number not in ('${FED_BY_MARKET}')`)).toEqual(before.others)
  })

  test('sends nothing any more', async () => {
    const sales = salesOf(SETS[0]!.set_number, { source: 'market', price: 90 })
    expect(await market.ingest('sales', toCsv(sales))).toMatchObject({ accepted: 0, quarantined: sales.length })
  })

  test('that does not exist is an error', async () => {
    await expect(withdraw('nobody')).rejects.toThrow('There is no source nobody.')
  })
})

describe('finalized months', () => {
  test('cannot be changed without a reason', async () => {
    const market = await startTestMarket()
    await fill(market, { withMarket: false })
    await expect(sql`update market.set_month set value_cents = 1`.execute(market.superuserDb)).rejects.toThrow(
      'without a reason',
    )
    await market.stop()
  }, 120_000)
})

describe('a license', () => {
  test('that may not feed values leaves the values that there would be without its sales', async () => {
    const market = await startTestMarket()
    await fill(market, { withMarket: true })
    const [withIt] = await valuesOf(market)
    await setLicenseRules(market.pool, 'market-terms', { feeds_values: false })
    await recomputeDirty(market)
    const [withoutIt] = await valuesOf(market)
    expect(withoutIt!.value_cents).toBeLessThan(6500)
    await setLicenseRules(market.pool, 'market-terms', { feeds_values: true })
    await recomputeDirty(market)
    expect((await valuesOf(market))[0]).toEqual(withIt)
    await market.stop()
  }, 120_000)
})
