import { describe, expect, test } from 'vitest'
import { limitMove } from './move-guard.ts'
import { sale, TODAY } from './sale-fixtures.ts'
import type { MarketSale } from './usable-sales.ts'

const [FROM, TO] = [9, 9.5]
const ANCHOR = { low: FROM, high: FROM, maxMove: 0.12 }

type Priced = { sale: MarketSale; at: number }

/** One sale every `every` days at log price `at`, the newest `lastAge` days ago, between distinct established parties. */
function priced(
  count: number,
  at: number,
  { every = 3, lastAge = 0, parties = () => ({}) }: Partial<Options> = {},
): Priced[] {
  return Array.from({ length: count }, (_, index) => ({
    sale: sale({
      id: `${at} ${lastAge} ${index}`,
      day: TODAY - lastAge - every * index,
      unitCents: Math.round(Math.exp(at)),
      ...parties(index),
    }),
    at,
  }))
}

type Options = { every: number; lastAge: number; parties: (index: number) => Partial<MarketSale> }

function limit(evidence: Priced[], to = TO, anchors = [ANCHOR]): number {
  const sorted = evidence.toSorted((a, b) => a.sale.day - b.sale.day)
  return limitMove(
    to,
    anchors,
    {
      sales: sorted.map((one) => one.sale),
      weights: new Float64Array(sorted.length).fill(1),
      logPrices: Float64Array.from(sorted, ({ at }) => at),
    },
    TODAY,
  )
}

/** Ten sales a month at the old price, until 30 days ago. */
const before = priced(40, FROM, { lastAge: 30 })

describe('a large move', () => {
  test.each<[string, Priced[]]>([
    ['by ten parties over a month', priced(10, TO)],
    ['by five parties', priced(5, TO, { every: 6 })],
    ['if the source names no buyers', priced(10, TO, { parties: () => ({ buyer: null }) })],
    ['by buyers who trade nothing else', priced(10, TO, { parties: () => ({ buyerEstablished: false }) })],
    ['if the source names no parties', priced(10, TO, { parties: () => ({ seller: null, buyer: null }) })],
    ['with a few sales at the old price meanwhile', [...priced(10, TO), ...priced(2, FROM, { every: 9 })]],
    ['by ten sellers who trade nothing else', priced(10, TO, { parties: () => ({ sellerEstablished: false }) })],
  ])('is followed %s', (_, after) => {
    expect(limit([...before, ...after])).toBe(TO)
  })

  test.each<[string, Priced[]]>([
    ['by four parties', priced(4, TO, { every: 7 })],
    ['by one seller', priced(10, TO, { parties: () => ({ seller: 'ann' }) })],
    ['to one buyer', priced(10, TO, { parties: () => ({ buyer: 'bob' }) })],
    ['by nine sellers who trade nothing else', priced(9, TO, { parties: () => ({ sellerEstablished: false }) })],
    ['without names, all on one day', priced(10, TO, { every: 0, parties: () => ({ seller: null }) })],
    ['while others go on selling at the old price', [...priced(10, TO), ...priced(8, FROM)]],
    ['within so few days that no other sale was to be expected', priced(10, TO, { every: 0.5 })],
    ['older than 180 days', priced(10, TO, { lastAge: 181 })],
  ])('is limited %s', (_, after) => {
    expect(limit([...before, ...after])).toBeCloseTo(FROM + 0.12, 9)
  })

  test('down is limited and followed alike', () => {
    const sold = priced(40, TO, { lastAge: 30 })
    const anchors = [{ low: TO, high: TO, maxMove: 0.12 }]
    expect(limit([...sold, ...priced(10, FROM)], FROM, anchors)).toBe(FROM)
    expect(limit([...sold, ...priced(4, FROM, { every: 7 })], FROM, anchors)).toBeCloseTo(TO - 0.12, 9)
  })

  test('needs two months of sales if hardly any were at the old price before', () => {
    const weekly = (count: number) => priced(count, TO, { every: 7 })
    expect(limit(weekly(9))).toBeCloseTo(FROM + 0.12, 9)
    expect(limit(weekly(10))).toBe(TO)
  })
})

test('a move within the limit needs no evidence', () => {
  expect(limit([], FROM + 0.12)).toBe(FROM + 0.12)
  expect(limit([], FROM + 0.1201)).toBeCloseTo(FROM + 0.12, 9)
  expect(limit([], TO, [])).toBe(TO)
})

test('the narrowest of several anchors applies', () => {
  const anchors = [
    { low: FROM, high: FROM, maxMove: 0.2 },
    { low: FROM + 0.05, high: FROM + 0.05, maxMove: 0.1 },
  ]
  expect(limit([], TO, anchors)).toBeCloseTo(FROM + 0.15, 9)
})

test('a value may be anywhere in the range of an anchor, and as far outside as is allowed', () => {
  const range = { low: 9, high: 9.2, maxMove: 0.1 }
  const limit = (to: number) =>
    limitMove(to, [range], { sales: [], weights: new Float64Array(), logPrices: new Float64Array() }, 0)
  expect([8.8, 8.95, 9.1, 9.25, 9.4].map((to) => Number(limit(to).toFixed(9)))).toEqual([8.9, 8.95, 9.1, 9.25, 9.3])
})
