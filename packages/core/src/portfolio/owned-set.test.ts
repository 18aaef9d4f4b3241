import { expect, test } from 'vitest'
import type { HeldLot } from './held-lot.ts'
import { summarizeOwnedSets } from './owned-set.ts'

const lot = (setNumber: string, quantity: number, unitCost: number | null, more: Partial<HeldLot> = {}): HeldLot => ({
  collectionId: 1,
  setNumber,
  condition: 'sealed',
  quantity,
  unitCost,
  purchaseDay: null,
  status: 'owned',
  ...more,
})

test('one row per set and condition, with the average of what was paid', () => {
  const { sets } = summarizeOwnedSets(
    [lot('1-1', 1, 1000), lot('1-1', 2, 1300), lot('1-1', 5, null), lot('1-1', 1, 500, { condition: 'used' })],
    (_, condition) => (condition === 'sealed' ? 2000 : 700),
  )
  expect(sets).toEqual([
    { setNumber: '1-1', condition: 'sealed', copies: 8, paid: 1200, net: 2000 },
    { setNumber: '1-1', condition: 'used', copies: 1, paid: 500, net: 700 },
  ])
})

test('totals are about the copies of which both amounts are known', () => {
  const lots = [lot('1-1', 2, 1000), lot('1-1', 3, null), lot('2-1', 4, 100), lot('3-1', 1, 0)]
  const { totals } = summarizeOwnedSets(lots, (setNumber) => (setNumber === '2-1' ? null : 1500))
  expect(totals).toEqual({ copies: 3, net: 4500, paid: 2000, gain: 2500, excluded: 7 })
})

test('nothing is held', () => {
  expect(summarizeOwnedSets([], () => 1)).toEqual({
    sets: [],
    totals: { copies: 0, net: 0, paid: 0, gain: 0, excluded: 0 },
  })
})
