import { expect, test } from 'vitest'
import { appendChange, firstPartyPeriods, stateOnDays, type RetailDayState } from './retail-day.ts'
import type { RetailObservation } from '../../source/retail-observation.ts'
import { initialAccumulator, applyObservation } from './retail-state.ts'

const DAY_MS = 86_400_000

function seen(day: number, price: number | null, sellerType: RetailObservation['sellerType'], inStock = true) {
  return {
    sourceId: 's',
    eventId: String(day),
    sourceRank: 0,
    arrival: day,
    at: Math.round(day * DAY_MS),
    price,
    listPrice: null,
    sellerType,
    inStock,
    lowestFba: null,
    fbaSellers: null,
    buyBox: null,
  }
}

function daysOf(observations: RetailObservation[]): readonly RetailDayState[] {
  let [days, sum]: [readonly RetailDayState[], typeof initialAccumulator] = [[], initialAccumulator]
  for (const observation of observations) {
    const next = applyObservation(sum, observation)
    days = appendChange(days, sum, next)
    sum = next
  }
  return days
}

test('adds one row per day with a change, as of the end of that day', () => {
  const days = daysOf([
    seen(10, 5000, 'retailer'),
    seen(11, 5000, 'retailer'),
    seen(12.1, 4000, 'retailer'),
    seen(12.9, 4500, 'retailer'),
    seen(13, null, null),
    seen(14, 4500, 'third_party'),
    seen(15, null, null, false),
  ])
  expect(days).toEqual([
    { day: 10, price: 5000, sellerType: 'retailer' },
    { day: 12, price: 4500, sellerType: 'retailer' },
    { day: 14, price: 4500, sellerType: 'third_party' },
    { day: 15, price: null, sellerType: null },
  ])
  expect(stateOnDays([9, 10, 11, 12, 20], days).map((day) => day?.price)).toEqual([undefined, 5000, 5000, 4500, null])
  expect(firstPartyPeriods([9, 10, 11, 12, 13, 14, 15], days)).toEqual([{ from: 10, to: 13 }])
})

test('returns two periods if the retailer sells, stops and sells again', () => {
  const days: RetailDayState[] = [
    { day: 1, price: 100, sellerType: 'retailer' },
    { day: 3, price: null, sellerType: null },
    { day: 5, price: 100, sellerType: 'retailer' },
  ]
  expect(firstPartyPeriods([1, 2, 3, 4, 5, 6], days)).toEqual([
    { from: 1, to: 2 },
    { from: 5, to: 6 },
  ])
  expect(firstPartyPeriods([1, 2], [])).toEqual([])
})
