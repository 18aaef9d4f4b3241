import { expect, test } from 'vitest'
import { dayNumber } from '../primitives/calendar.ts'
import { groupByPurchaseMonth, type HeldLot } from './held-lot.ts'

const lot = (purchaseDate: string | null, quantity: number, unitCost: number | null): HeldLot => ({
  collectionId: 1,
  setNumber: '90001-1',
  condition: 'sealed',
  quantity,
  unitCost,
  purchaseDay: purchaseDate === null ? null : dayNumber(purchaseDate),
  status: 'owned',
})

test('groups lots by month of purchase, oldest first', () => {
  const lots = [lot('2025-03-31', 2, 1000), lot('2024-12-01', 1, 500), lot('2025-03-01', 3, 200)]
  expect(groupByPurchaseMonth(lots)).toEqual([
    { month: '2024-12', lots: 1, units: 1, cost: 500 },
    { month: '2025-03', lots: 2, units: 5, cost: 2600 },
  ])
})

test('leaves unknown dates out, and unknown costs out of the cost', () => {
  const lots = [lot(null, 2, 1000), lot('2025-03-01', 1, null), lot('2025-04-01', 2, null), lot('2025-04-02', 1, 0)]
  expect(groupByPurchaseMonth(lots)).toEqual([
    { month: '2025-03', lots: 1, units: 1, cost: null },
    { month: '2025-04', lots: 2, units: 3, cost: 0 },
  ])
})
