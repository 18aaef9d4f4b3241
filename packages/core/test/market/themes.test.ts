import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  findCatalogFigures,
  findSetsOfTheme,
  findShowcaseSets,
  findThemes,
} from '../../src/market/values/theme-queries.ts'
import { addSet, addValue } from '@brickmark/tests/support/fixtures'
import { startTestMarket, type TestMarket } from '@brickmark/tests/support/market'

let market: TestMarket

beforeAll(async () => {
  market = await startTestMarket()
  const { superuserDb: db } = market
  for (const [set_number, theme, pieces, retire_date] of [
    ['1-1', 'Harbor', 100, '2024-01-01'],
    ['2-1', 'Harbor', 300, '2024-01-01'],
    ['3-1', 'Harbor', null, null],
    ['4-1', 'Canyon', 50, '2024-01-01'],
  ] as const)
    await addSet(db, { set_number, title: `Set ${set_number}`, theme, pieces, retire_date })
  await addValue(db, { set_number: '1-1', condition: 'sealed', value_cents: 9000, data_tier: 'market', sellers: 7 })
  await addValue(db, { set_number: '2-1', condition: 'sealed', value_cents: 8500, data_tier: 'market', sellers: 9 })
  await addValue(db, { set_number: '4-1', condition: 'sealed', value_cents: 9500, data_tier: 'thin' })
  for (const [month, level] of [
    ['2024-10-01', 100],
    ['2025-09-01', 105],
    ['2025-10-01', 110],
  ] as const) {
    await db.insertInto('market.finalized_month').values({ month, set_months: 0 }).execute()
    await db
      .insertInto('market.brick_index')
      .values({ theme: 'Harbor', month, level, log_error: 0, sets: 12 })
      .execute()
  }
})
afterAll(() => market.stop())

test('themes come with their largest set and the change of their index over exactly a year', async () => {
  const themes = await findThemes(market.superuserDb)
  expect(themes).toEqual([
    { theme: 'Harbor', sets: 3, example: '2-1', year_change: expect.closeTo(0.1, 10) as number },
    { theme: 'Canyon', sets: 1, example: '4-1', year_change: null },
  ])
})

test('lists the sets of a theme by page, those without a value last', async () => {
  const list = async (order: 'value' | 'name', offset: number) => {
    const { sets, total } = await findSetsOfTheme(market.superuserDb, 'Harbor', { order, offset, limit: 2 })
    return [sets.map(({ set_number }) => set_number), total]
  }
  expect(await list('value', 0)).toEqual([['1-1', '2-1'], 3])
  expect(await list('value', 2)).toEqual([['3-1'], 3])
  expect(await list('name', 0)).toEqual([['1-1', '2-1'], 3])
})

test('shows off only values of the market, one per theme', async () => {
  expect((await findShowcaseSets(market.superuserDb, 5)).map(({ set_number }) => set_number)).toEqual(['2-1'])
  expect(await findCatalogFigures(market.superuserDb)).toEqual({ sets: 3, themes: 2, months: 3 })
})
