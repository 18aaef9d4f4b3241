import { expect, test } from 'vitest'
import { costsOfItem, DEFAULT_SHIPPING, shippingClass } from './selling-costs.ts'

test.each([
  [0.2, 0],
  [1.1, 0],
  [1.11, 1],
  [2.2, 1],
  [4.4, 2],
  [4.41, 3],
  [30, 3],
  [null, 3],
])('a box of %s lb is in shipping class %s', (weight, expected) => {
  expect(shippingClass(weight)).toBe(expected)
})

test('an item costs the fees of the account and the shipping of its box', () => {
  const costs = { feeBasisPoints: 1325, fixedFee: 40, shippingByWeight: DEFAULT_SHIPPING }
  expect(costsOfItem(costs, 3)).toEqual({ feeBasisPoints: 1325, fixedFee: 40, shipping: 1190 })
  expect(costsOfItem(costs, null)).toMatchObject({ shipping: 1680 })
})
