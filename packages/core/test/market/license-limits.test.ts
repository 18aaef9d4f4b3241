import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recomputeDirty } from '@brickmark/core/market/values/recompute-commands'
import { declareSource, setLicenseRules } from '@brickmark/core/source/source-commands'
import { applyTimeLimits } from '@brickmark/core/source/time-limit-commands'
import { saleRow, startTestMarket, toCsv, type TestMarket } from '@brickmark/tests/support/market'

const LIGHTHOUSE = { record: 'set', set_number: '90001-1', title: 'Lighthouse', theme: 'Harbor' }

let market: TestMarket

beforeAll(async () => {
  market = await startTestMarket()
  for (const source of ['first', 'second'])
    await declareSource(market.pool, { source, name: source, license: `${source}-terms`, terms: 'For tests.', rank: 1 })
  await market.ingest('catalog', toCsv([LIGHTHOUSE, { ...LIGHTHOUSE, set_number: '90002-1' }]))
})
afterAll(() => market.stop())

describe('retail prices', () => {
  const observe = (source: string, day: string, price: string) =>
    market.ingest(
      'retail',
      toCsv([
        {
          source,
          license: `${source}-terms`,
          event_id: `${source} ${day}`,
          retailer: 'retailer_a',
          product_id: 'B000000001',
          observed_at: `${day}T12:00:00Z`,
          price,
          in_stock: 'true',
        },
      ]),
    )

  const stored = async () => {
    await recomputeDirty(market)
    const { rows } = await sql<{ price_cents: number; shown_until: Date | null; days: number[] | null }>`
      select s.price_cents, s.shown_until,
             (select array_agg(d.price_cents order by d.day) from market.retail_day d where d.set_number = s.set_number) as days
        from market.retail_state s where s.set_number = '90001-1'`.execute(market.superuserDb)
    return rows[0]
  }

  beforeAll(() =>
    market.ingest(
      'catalog',
      toCsv([
        {
          record: 'product',
          set_number: '90001-1',
          retailer: 'retailer_a',
          product_id: 'B000000001',
          product_url: 'https://a.example/1',
        },
      ]),
    ),
  )

  test('end when their license says so, also after an observation was sent again', async () => {
    await setLicenseRules(market.pool, 'first-terms', { max_display_age: '2 hours' })
    await observe('first', '2026-05-01', '39.99')
    const until = new Date('2026-05-01T14:00:00Z')
    expect(await stored()).toMatchObject({ price_cents: 3999, shown_until: until })
    expect(await observe('first', '2026-05-01', '39.99')).toMatchObject({ repeated: 1 })
    expect(await stored()).toMatchObject({ price_cents: 3999, shown_until: until })
  })

  test('of a source that may no longer be shown leave no day behind, though another has the product, too', async () => {
    await observe('second', '2026-05-03', '49.99')
    expect(await stored()).toMatchObject({ days: [3999, 4999] })
    await setLicenseRules(market.pool, 'first-terms', { shown: false })
    expect(await stored()).toMatchObject({ price_cents: 4999, days: [4999] })
    await setLicenseRules(market.pool, 'first-terms', { shown: true })
    expect(await stored()).toMatchObject({ days: [3999, 4999] })
  })
})

describe('retention', () => {
  const NOW = new Date('2026-11-01T00:20:00Z')
  const values = async () => {
    await recomputeDirty(market)
    const { rows } = await sql<{ value_cents: number | null }>`
      select value_cents from market.set_value where set_number = '90002-1' and condition = 'sealed'`.execute(
      market.superuserDb,
    )
    return rows[0]?.value_cents ?? null
  }

  test('deletes sales, and has what rested on them computed again in the same transaction', async () => {
    market.setNow(NOW.toISOString())
    const sales = ['2026-09-01', '2026-09-08', '2026-09-15'].map((sold_on, index) =>
      saleRow({
        source: 'first',
        license: 'first-terms',
        event_id: `kept ${index}`,
        set_number: '90002-1',
        sold_on,
        price: '60.00',
        seller: `seller ${index}`,
        buyer: `buyer ${index}`,
      }),
    )
    await market.ingest('sales', toCsv(sales))
    expect(await values()).not.toBeNull()
    await setLicenseRules(market.pool, 'first-terms', { retention: '30 days' })
    await recomputeDirty(market)
    expect(await applyTimeLimits(market.pool, NOW)).toMatchObject({ deleted: expect.any(Number) })
    const { rows } = await sql<object>`
      select from source.sale_observation where source_id = 'first' and sold_on < '2026-10-01'`.execute(
      market.superuserDb,
    )
    expect(rows).toEqual([])
    const { rows: queued } = await sql<object>`
      select item_number from source.valuation_queue where item_kind = 'set' and item_number = '90002-1'`.execute(
      market.superuserDb,
    )
    expect(queued).toHaveLength(1)
    const { rows: observations } = await sql<object>`
      select from source.retail_observation where source_id = 'first'`.execute(market.superuserDb)
    expect(observations).toEqual([])
  })

  test('lets an attribute fall back to what another source says', async () => {
    const claim = (source: string, pieces: number, stated_on: string) =>
      market.ingest('catalog', toCsv([{ ...LIGHTHOUSE, source, license: `${source}-terms`, pieces, stated_on }]))
    const today = new Date()
    await claim('first', 800, today.toISOString().slice(0, 10))
    await claim('second', 812, '2026-01-01')
    const pieces = async () => {
      const row = await market.superuserDb
        .selectFrom('catalog.set')
        .select('pieces')
        .where('set_number', '=', '90001-1')
        .executeTakeFirstOrThrow()
      return row.pieces
    }
    expect(await pieces()).toBe(800)
    await applyTimeLimits(market.pool, new Date(today.getTime() + 40 * 86_400_000))
    expect(await pieces()).toBe(812)
  })
})
