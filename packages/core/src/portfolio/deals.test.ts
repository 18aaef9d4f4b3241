import { describe, expect, test } from 'vitest'
import { rankDeals, type DealCandidate } from './deals.ts'
import { DEFAULT_SHIPPING } from './selling-costs.ts'

const COSTS = { feeBasisPoints: 1325, fixedFee: 40, shippingByWeight: DEFAULT_SHIPPING }

function candidate(more: Partial<DealCandidate> = {}): DealCandidate {
  return {
    setNumber: '90312-1',
    title: 'Scriptorium',
    theme: 'Oakenshade',
    boxWeightLbs: 6.8,
    isRetiringSoon: false,
    value: 39_708,
    low: 34_420,
    tier: 'market',
    retailer: 'retailer_b',
    retailerName: 'Retailer B',
    price: 23_199,
    isThirdParty: false,
    checkedAt: '2026-11-18T15:51:00.000Z',
    lowestInDays: null,
    ...more,
  }
}

test('a deal adds up to the cent', () => {
  // 397.08 × 13.25 % = 52.6131 → 52.61, + 0.40 = 53.01; 397.08 − 53.01 − 16.80 = 327.27; − 231.99 = 95.28.
  // 344.20 × 13.25 % = 45.6065 → 45.61, + 0.40 = 46.01; 344.20 − 46.01 − 16.80 = 281.39; − 231.99 = 49.40.
  expect(rankDeals([candidate()], COSTS, {}).deals).toMatchObject([
    { fees: 5301, shipping: 1680, net: 32_727, profit: 9528, returnPct: 41.07, lowNet: 28_139, lowProfit: 4940 },
  ])
})

test('a box of unknown weight has the highest shipping, and an unknown range no low end', () => {
  expect(rankDeals([candidate({ boxWeightLbs: null, low: null })], COSTS, {}).deals).toMatchObject([
    { shipping: 1680, lowNet: null, lowProfit: null },
  ])
})

test('of several shops, the cheapest counts', () => {
  const dearer = candidate({ retailer: 'retailer_a', retailerName: 'Retailer A', price: 23_999 })
  expect(rankDeals([dearer, candidate()], COSTS, {}).deals.map(({ retailer }) => retailer)).toEqual(['retailer_b'])
  expect(rankDeals([dearer, candidate()], COSTS, { retailer: 'retailer_a' }).deals).toMatchObject([{ price: 23_999 }])
})

test('what leaves no profit is no deal', () => {
  expect(rankDeals([candidate({ price: 32_727 })], COSTS, {})).toEqual({ deals: [], total: 0, closest: undefined })
  expect(rankDeals([candidate({ price: 32_726 })], COSTS, {}).deals).toMatchObject([{ profit: 1 }])
})

describe('filters', () => {
  const plain = candidate()
  const other = candidate({
    setNumber: '90526-1',
    theme: 'Pebble Bay',
    tier: 'thin',
    price: 30_000,
    isRetiringSoon: true,
    lowestInDays: 640,
  })
  test.each([
    [{ minReturnPct: 41 }, ['90312-1']],
    [{ tier: 'market' as const }, ['90312-1']],
    [{ maxPrice: 25_000 }, ['90312-1']],
    [{ theme: 'Pebble Bay' }, ['90526-1']],
    [{ isRetiringSoon: true as const }, ['90526-1']],
    [{ isLowest: true as const }, ['90526-1']],
    [{ retailer: 'retailer_a' }, []],
    [{}, ['90312-1', '90526-1']],
  ])('%o', (filter, expected) => {
    expect(rankDeals([other, plain], COSTS, filter).deals.map(({ setNumber }) => setNumber)).toEqual(expected)
  })

  test('the closest deal is named if the return keeps out all', () => {
    const { deals, closest } = rankDeals([other, plain], COSTS, { minReturnPct: 50 })
    expect([deals, closest?.setNumber]).toEqual([[], '90312-1'])
  })
})

test('deals are ranked by profit, or as asked, and by number where equal', () => {
  const rows = [
    candidate({ setNumber: 'c', price: 10_000 }),
    candidate({ setNumber: 'b' }),
    candidate({ setNumber: 'a' }),
  ]
  const numbers = (sort?: Parameters<typeof rankDeals>[3]) =>
    rankDeals(rows, COSTS, {}, sort).deals.map(({ setNumber }) => setNumber)
  expect(numbers()).toEqual(['c', 'a', 'b'])
  expect(numbers({ by: 'profit', descending: false })).toEqual(['a', 'b', 'c'])
  expect(numbers({ by: 'price', descending: true })).toEqual(['a', 'b', 'c'])
  expect(numbers({ by: 'return', descending: true })).toEqual(['c', 'a', 'b'])
})

test('a page has its part of the ranking, and the total', () => {
  const rows = ['a', 'b', 'c'].map((setNumber) => candidate({ setNumber }))
  const { deals, total } = rankDeals(rows, COSTS, {}, { offset: 1, limit: 1 })
  expect([deals.map(({ setNumber }) => setNumber), total]).toEqual([['b'], 3])
})
