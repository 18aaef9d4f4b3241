import { expect, test } from 'vitest'
import { planPolling } from './poll-plan.ts'

test('20 tokens per minute check 25,000 products in two and a half days, and keep 400 fresh within an hour', () => {
  const { roundHours, fresh } = planPolling({ products: 25_000, tokensPerProduct: 3, tokensPerMinute: 20 })
  expect(roundHours / 24).toBeCloseTo(2.6, 1)
  expect(fresh).toEqual([
    { hours: 1, products: 400 },
    { hours: 4, products: 1600 },
    { hours: 24, products: 9600 },
  ])
})

test('no more products are fresh than there are', () => {
  expect(planPolling({ products: 10, tokensPerProduct: 3, tokensPerMinute: 20 }).fresh[0]).toEqual({
    hours: 1,
    products: 10,
  })
})
