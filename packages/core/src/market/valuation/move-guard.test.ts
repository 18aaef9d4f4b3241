import { describe, expect, test } from 'vitest'
import { isUnsupportedMove } from './move-guard.ts'
import { sale, TODAY } from './sale-fixtures.ts'
import type { MarketSale } from './usable-sales.ts'

const [FROM, TO] = [9, 9.5]

/** Whether so many sales at a log price, each of other people, do not bear out a move. */
function unsupported(
  count: number,
  { from = FROM, to = TO, at = to, age = 0 }: { from?: number; to?: number; at?: number; age?: number } = {},
  people: (index: number) => Partial<MarketSale> = () => ({}),
): boolean {
  const sales = Array.from({ length: count }, (_, index) =>
    sale({ id: `${index}`, day: TODAY - age, unitCents: Math.exp(at), ...people(index) }),
  )
  return isUnsupportedMove(from, to, { sales, logPrices: new Float64Array(count).fill(at) }, TODAY)
}

describe('a large move needs five sellers and five buyers', () => {
  test.each([
    ['up', {}],
    ['down', { from: TO, to: FROM }],
    ['by sales almost half a year old', { age: 179 }],
    ['by prices just beyond the middle', { at: 9.251 }],
  ])('%s', (_, move) => {
    expect([unsupported(4, move), unsupported(5, move)]).toEqual([true, false])
  })

  test.each([
    ['older sales', { age: 180 }],
    ['prices on this side of the middle', { at: 9.249 }],
    ['prices in the very middle', { at: 9.25 }],
    ['prices where it came from', { at: FROM }],
    ['for a fall, prices above the middle', { from: TO, to: FROM, at: 9.3 }],
  ])('%s do not bear it out', (_, move) => {
    expect(unsupported(50, move)).toBe(true)
  })

  test.each<[people: string, of: (index: number) => Partial<MarketSale>]>([
    ['one seller', () => ({ seller: 'ann' })],
    ['one buyer', () => ({ buyer: 'bob' })],
    ['sellers known from nothing else', () => ({ sellerEstablished: false })],
    ['buyers known from nothing else', () => ({ buyerEstablished: false })],
    ['four sellers and some nobody knows', (index) => ({ seller: index < 4 ? `${index}` : null })],
    ['four buyers and some nobody knows', (index) => ({ buyer: index < 4 ? `${index}` : null })],
  ])('nor do sales of %s', (_, of) => {
    expect(unsupported(50, {}, of)).toBe(true)
  })
})

test('a small move needs nobody', () => {
  expect(unsupported(0, { from: 0, to: 0.12 })).toBe(false)
  expect(unsupported(0, { from: 0, to: -0.12 })).toBe(false)
  expect(unsupported(0, { from: 0, to: 0.1201 })).toBe(true)
})
