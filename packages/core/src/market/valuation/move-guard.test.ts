import { describe, expect, test } from 'vitest'
import { isUnsupportedMove } from './move-guard.ts'
import { sale, TODAY } from './sale-fixtures.ts'
import type { MarketSale } from './usable-sales.ts'

const [FROM, TO] = [9, 9.5]

/** Whether a move is unsupported by `count` sales at log price `at` between distinct parties. */
function unsupported(
  count: number,
  { from = FROM, to = TO, at = to, age = 0 }: { from?: number; to?: number; at?: number; age?: number } = {},
  parties: (index: number) => Partial<MarketSale> = () => ({}),
): boolean {
  const sales = Array.from({ length: count }, (_, index) =>
    sale({ id: `${index}`, day: TODAY - age, unitCents: Math.exp(at), ...parties(index) }),
  )
  return isUnsupportedMove(from, to, { sales, logPrices: new Float64Array(count).fill(at) }, TODAY)
}

describe('a large move requires five sellers and five buyers', () => {
  test.each([
    ['moving up', {}],
    ['moving down', { from: TO, to: FROM }],
    ['with sales 179 days old', { age: 179 }],
    ['with prices just beyond the midpoint', { at: 9.251 }],
  ])('%s', (_, move) => {
    expect([unsupported(4, move), unsupported(5, move)]).toEqual([true, false])
  })

  test.each([
    ['sales 180 days old', { age: 180 }],
    ['prices short of the midpoint', { at: 9.249 }],
    ['prices exactly at the midpoint', { at: 9.25 }],
    ['prices at the previous value', { at: FROM }],
    ['for a fall, prices above the midpoint', { from: TO, to: FROM, at: 9.3 }],
  ])('%s do not support it', (_, move) => {
    expect(unsupported(50, move)).toBe(true)
  })

  test.each<[parties: string, of: (index: number) => Partial<MarketSale>]>([
    ['one seller', () => ({ seller: 'ann' })],
    ['one buyer', () => ({ buyer: 'bob' })],
    ['sellers who trade nothing else', () => ({ sellerEstablished: false })],
    ['buyers who trade nothing else', () => ({ buyerEstablished: false })],
    ['four sellers and some unknown ones', (index) => ({ seller: index < 4 ? `${index}` : null })],
    ['four buyers and some unknown ones', (index) => ({ buyer: index < 4 ? `${index}` : null })],
  ])('sales by %s do not support it', (_, of) => {
    expect(unsupported(50, {}, of)).toBe(true)
  })
})

test('a move of up to 0.12 needs no support', () => {
  expect(unsupported(0, { from: 0, to: 0.12 })).toBe(false)
  expect(unsupported(0, { from: 0, to: -0.12 })).toBe(false)
  expect(unsupported(0, { from: 0, to: 0.1201 })).toBe(true)
})
