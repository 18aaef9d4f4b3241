import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { findMinifigNumber } from '@brickmark/core/catalog/minifig-search-queries'
import { declareSource, setLicenseRules } from '@brickmark/core/source/source-commands'
import { startTestMarket, toCsv, type TestMarket } from '@brickmark/tests/support/market'

let market: TestMarket

beforeAll(async () => {
  market = await startTestMarket()
})
afterAll(() => market.stop())
beforeEach(async () => {
  await sql`truncate catalog.set cascade`.execute(market.superuserDb)
  await sql`truncate catalog.minifig cascade`.execute(market.superuserDb)
  await sql`truncate source.set_claim, source.minifig_claim, source.set_minifig_claim`.execute(market.superuserDb)
  for (const [source, rank] of [
    ['low', 1],
    ['high', 5],
  ] as const)
    await declareSource(market.pool, { source, name: source, license: `${source}-terms`, terms: 'For tests.', rank })
  for (const license of ['low-terms', 'high-terms'])
    await setLicenseRules(market.pool, license, { shown: true, max_display_age: null })
})

const LIGHTHOUSE = { record: 'set', set_number: '90001-1', title: 'Lighthouse', theme: 'Harbor' }

function ingestFrom(source: string, ...rows: Record<string, string | number>[]) {
  return market.ingest('catalog', toCsv(rows.map((row) => ({ ...row, source, license: `${source}-terms` }))))
}

async function lighthouse() {
  return market.superuserDb
    .selectFrom('catalog.set')
    .innerJoin('catalog.set_origin', 'catalog.set_origin.set_number', 'catalog.set.set_number')
    .selectAll()
    .where('catalog.set.set_number', '=', '90001-1')
    .executeTakeFirstOrThrow()
}

describe('the source with the highest rank', () => {
  test('wins, whichever came last, and others fill in what it does not say', async () => {
    await ingestFrom('high', { ...LIGHTHOUSE, msrp_usd: '89.99', stated_on: '2026-05-01' })
    await ingestFrom('low', {
      ...LIGHTHOUSE,
      title: 'Light House',
      msrp_usd: '70',
      pieces: 812,
      stated_on: '2026-06-01',
    })
    expect(await lighthouse()).toMatchObject({
      title: 'Lighthouse',
      msrp_cents: 8999,
      pieces: 812,
      origins: {
        title: { source: 'high', on: '2026-05-01' },
        msrp_cents: { source: 'high', on: '2026-05-01' },
        pieces: { source: 'low', on: '2026-06-01' },
      },
    })
  })

  test('loses nothing of two files that are read at the same time', async () => {
    const numbers = Array.from({ length: 3000 }, (_, index) => `${20_000 + index}-1`)
    const sets = (more: object) => numbers.map((set_number) => ({ ...LIGHTHOUSE, set_number, ...more }))
    await Promise.all([ingestFrom('high', ...sets({ msrp_usd: '89.99' })), ingestFrom('low', ...sets({ pieces: 812 }))])
    const { rows } = await sql<{ complete: number }>`
      select count(*)::integer as complete from catalog.set where msrp_cents = 8999 and pieces = 812`.execute(
      market.superuserDb,
    )
    expect(rows[0]!.complete).toBe(3000)
  })

  test('follows a change of ranks', async () => {
    await ingestFrom('high', { ...LIGHTHOUSE, pieces: 800 })
    await ingestFrom('low', { ...LIGHTHOUSE, pieces: 812 })
    await declareSource(market.pool, { source: 'low', name: 'low', license: 'low-terms', terms: 'For tests.', rank: 9 })
    expect(await lighthouse()).toMatchObject({ pieces: 812, origins: { pieces: { source: 'low' } } })
  })

  test('lists the minifigs of a set, because sources number them differently', async () => {
    const figures = ['zz1', 'fig-1', 'fig-2'].map((number) => ({
      record: 'minifig',
      minifig_number: number,
      name: number,
    }))
    await ingestFrom('low', LIGHTHOUSE, ...figures)
    const contains = (minifig_number: string) => ({
      record: 'contains',
      set_number: '90001-1',
      minifig_number,
      quantity: 1,
    })
    await ingestFrom('low', contains('fig-1'), contains('fig-2'))
    await ingestFrom('high', contains('zz1'))
    const numbers = async () =>
      (
        await market.superuserDb
          .selectFrom('catalog.set_minifig')
          .select('minifig_number')
          .orderBy('minifig_number')
          .execute()
      ).map((row) => row.minifig_number)
    expect(await numbers()).toEqual(['zz1'])
    expect((await lighthouse()).minifigs).toMatchObject({ source: 'high' })
    await setLicenseRules(market.pool, 'high-terms', { shown: false })
    expect(await numbers()).toEqual(['fig-1', 'fig-2'])
  })
})

describe('the contents of a set', () => {
  test('lose a minifig that the same source no longer lists', async () => {
    const figures = ['fig-1', 'fig-2'].map((number) => ({ record: 'minifig', minifig_number: number, name: number }))
    const contains = (minifig_number: string, stated_on: string) => ({
      record: 'contains',
      set_number: '90001-1',
      minifig_number,
      quantity: 1,
      stated_on,
    })
    const numbers = async () => {
      const rows = await market.superuserDb.selectFrom('catalog.set_minifig').select('minifig_number').execute()
      return rows.map((row) => row.minifig_number).sort()
    }
    await ingestFrom('low', LIGHTHOUSE, ...figures)
    await ingestFrom('low', contains('fig-1', '2026-05-01'))
    await ingestFrom('low', contains('fig-2', '2026-05-01'))
    expect(await numbers()).toEqual(['fig-1', 'fig-2'])
    await ingestFrom('low', contains('fig-2', '2026-06-01'))
    expect(await numbers()).toEqual(['fig-2'])
    await ingestFrom('low', contains('fig-1', '2026-05-15'))
    expect(await numbers()).toEqual(['fig-2'])
  })
})

describe('a row of a source', () => {
  test('changes nothing if it is older than what is stored', async () => {
    await ingestFrom('low', { ...LIGHTHOUSE, pieces: 812, stated_on: '2026-06-01' })
    expect(await ingestFrom('low', { ...LIGHTHOUSE, pieces: 1, stated_on: '2026-05-31' })).toMatchObject({
      accepted: 0,
      repeated: 1,
    })
    expect(await lighthouse()).toMatchObject({ pieces: 812 })
  })

  test('keeps what its blank attributes said before', async () => {
    await ingestFrom('low', { ...LIGHTHOUSE, pieces: 812 })
    await ingestFrom('low', { ...LIGHTHOUSE, msrp_usd: '70' })
    expect(await lighthouse()).toMatchObject({ pieces: 812, msrp_cents: 7000 })
  })

  test('leaves alone what was stored before origins were', async () => {
    await market.superuserDb
      .insertInto('catalog.set')
      .values({ set_number: '90001-1', title: 'Old title', theme: 'Harbor', pieces: 812 })
      .execute()
    await ingestFrom('low', { ...LIGHTHOUSE, msrp_usd: '70' })
    expect(await lighthouse()).toMatchObject({ title: 'Lighthouse', pieces: 812, msrp_cents: 7000 })
  })

  test('with a barcode that another source gives to another set is rejected, however low its rank', async () => {
    await ingestFrom('high', { ...LIGHTHOUSE, upc: '036000291452' })
    await ingestFrom('low', { ...LIGHTHOUSE, upc: '012345678905' })
    const other = { record: 'set', set_number: '90002-1', title: 'Pier', theme: 'Harbor', upc: '012345678905' }
    expect(await ingestFrom('high', other)).toMatchObject({ accepted: 0, quarantined: 1 })
  })
})

describe('a license', () => {
  test('that does not allow showing hides every attribute, and what others say shows', async () => {
    await ingestFrom('high', { ...LIGHTHOUSE, msrp_usd: '89.99', pieces: 800 })
    await ingestFrom('low', { ...LIGHTHOUSE, title: 'Light House', pieces: 812 })
    await setLicenseRules(market.pool, 'high-terms', { shown: false })
    expect(await lighthouse()).toMatchObject({
      title: 'Light House',
      pieces: 812,
      msrp_cents: null,
      origins: { title: { source: 'low' }, msrp_cents: null },
    })
    await setLicenseRules(market.pool, 'low-terms', { shown: false })
    expect(await lighthouse()).toMatchObject({ title: 'Set 90001-1', theme: 'Unknown', pieces: null })
  })

  test('with a maximum display age hides what is older', async () => {
    await ingestFrom('high', { ...LIGHTHOUSE, pieces: 800, stated_on: '2020-01-01' })
    await ingestFrom('low', { ...LIGHTHOUSE, pieces: 812 })
    expect(await lighthouse()).toMatchObject({ pieces: 800 })
    await setLicenseRules(market.pool, 'high-terms', { max_display_age: '30 days' })
    expect(await lighthouse()).toMatchObject({ pieces: 812 })
  })
})

describe('an alias of a minifig', () => {
  beforeEach(() => ingestFrom('low', { record: 'minifig', minifig_number: 'fig-1', name: 'Keeper' }))

  const alias = (minifig_number: string, alias: string) => ({ record: 'alias', minifig_number, alias })

  test('stands for it in sales and in the catalog, in any case', async () => {
    await ingestFrom('low', alias('fig-1', 'zz0001'), LIGHTHOUSE)
    await ingestFrom('low', { record: 'contains', set_number: '90001-1', minifig_number: 'ZZ0001', quantity: 2 })
    const contents = await market.superuserDb.selectFrom('catalog.set_minifig').selectAll().execute()
    expect(contents).toMatchObject([{ minifig_number: 'fig-1', quantity: 2 }])
    const sale = { event_id: 'alias', minifig_number: 'zz0001', sold_on: '2026-05-01', price: '5', currency: 'USD' }
    expect(await market.ingest('sales', toCsv([sale]))).toMatchObject({ accepted: 1 })
    const [stored] = await market.superuserDb.selectFrom('source.sale_observation').selectAll().execute()
    expect(stored).toMatchObject({ item_number: 'fig-1' })
    expect(await findMinifigNumber(market.db, 'ZZ0001')).toBe('fig-1')
  })

  test('belongs to one minifig, and never to the number of another', async () => {
    await ingestFrom('low', { record: 'minifig', minifig_number: 'fig-2', name: 'Sailor' })
    expect(await ingestFrom('low', alias('fig-1', 'zz0001'), alias('fig-2', 'ZZ0001'))).toMatchObject({
      quarantined: 1,
    })
    expect(await ingestFrom('low', alias('fig-2', 'zz0001'))).toMatchObject({ quarantined: 1 })
    expect(await ingestFrom('low', alias('fig-2', 'FIG-1'))).toMatchObject({ quarantined: 1 })
    expect(await ingestFrom('low', alias('fig-3', 'zz0003'))).toMatchObject({ quarantined: 1 })
    expect(await ingestFrom('low', alias('fig-1', 'zz0001'))).toMatchObject({ accepted: 0, repeated: 1 })
  })
})
