import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDecimal, numberOrNull, percent, splitProportionally, usd, usdJson, usdOrNull } from './money.ts'

describe('money', () => {
  test.each([
    ['0.00', 0],
    ['12.34', 1234],
    ['0.29', 29],
    ['1.15', 115],
    ['-3.10', -310],
    ['99999999.99', 9999999999],
  ])('%s dollars are %i cents', (text, amount) => {
    expect(formatDecimal(amount)).toBe(text)
    expect(usd(amount)).toBe(Number(text))
  })

  test('null stays null and never becomes 0', () => {
    expect(usdOrNull(null)).toBeNull()
    expect(usdOrNull(0)).toBe(0)
    expect(usdOrNull(1234)).toBe(12.34)
    expect([numberOrNull(null), numberOrNull('0'), numberOrNull('2.50')]).toEqual([null, 0, 2.5])
  })

  test('JSON text is the same as that of the number', () => {
    expect(usdJson(null)).toBe('null')
    for (let amount = -1000; amount <= 1000; amount++) expect(usdJson(amount)).toBe(JSON.stringify(usd(amount)))
    fc.assert(
      fc.property(fc.integer({ min: -1e14, max: 1e14 }), (amount) => usdJson(amount) === JSON.stringify(usd(amount))),
    )
  })

  test.each([
    [1, 3, 33.33],
    [-50, 200, -25],
    [5, 5, 100],
    [7, 0, null],
  ])('%i of %i is %s percent', (part, whole, expected) => {
    expect(percent(part, whole)).toBe(expected)
  })
})

describe('splitProportionally', () => {
  test.each([
    [100, [1, 1, 1], [33, 34, 33]],
    [-101, [3, 1], [-76, -25]],
    [5, [0, 0], [3, 2]],
    [7, [0, 2, 0], [0, 7, 0]],
  ])('splits %i by %j', (amount, weights, parts) => {
    expect(splitProportionally(amount, weights)).toEqual(parts)
  })

  test('the parts always add up to the amount', () => {
    const weights = fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000, max: 10_000_000 }), weights, (amount, some) => {
        return splitProportionally(amount, some).reduce((sum, part) => sum + part, 0) === amount
      }),
    )
  })
})
