import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allocateUnits, totalCost, type SellableLot } from './lot-allocation.ts'

const lots: SellableLot[] = [
  { id: 4, condition: 'sealed', quantity: 2, price: 3000, date: '2025-02-01' },
  { id: 3, condition: 'sealed', quantity: 1, price: 2000, date: '2025-01-01' },
  { id: 5, condition: 'used', quantity: 9, price: 100, date: '2024-01-01' },
  { id: 2, condition: 'sealed', quantity: 5, price: 4000, date: '2025-02-01' },
]

describe('first in, first out', () => {
  test('allocates from the oldest lots first, and by id within a day', () => {
    expect(allocateUnits(lots, { condition: 'sealed' }, 7, '2025-03-01')).toEqual([
      { lotId: 3, quantity: 1, cost: 2000 },
      { lotId: 2, quantity: 5, cost: 20_000 },
      { lotId: 4, quantity: 1, cost: 3000 },
    ])
  })

  test('takes a lot without a date first; without a price, the cost is unknown', () => {
    const unknown = { id: 9, condition: 'sealed', quantity: 1, price: null, date: null } as const
    const allocations = [
      { lotId: 9, quantity: 1, cost: null },
      { lotId: 3, quantity: 1, cost: 2000 },
    ]
    expect(allocateUnits([...lots, unknown], { condition: 'sealed' }, 2, '2025-01-31')).toEqual(allocations)
    expect(totalCost(allocations)).toBeNull()
    expect(totalCost(allocations.slice(1))).toBe(2000)
  })

  test('ignores lots of the other condition', () => {
    expect(allocateUnits(lots, { condition: 'used' }, 1, '2025-03-01')).toEqual([{ lotId: 5, quantity: 1, cost: 100 }])
    expect(allocateUnits(lots, { condition: 'sealed' }, 9, '2025-03-01')).toBe(
      'Only 8 sealed units available, but you’re selling 9.',
    )
  })

  test('ignores lots bought after the sale', () => {
    expect(allocateUnits(lots, { condition: 'sealed' }, 2, '2025-01-31')).toBe(
      'Only 1 sealed unit available as of 2025-01-31, but you’re selling 2.',
    )
  })
})

describe('chosen lots', () => {
  test('allocates only from the chosen lot', () => {
    expect(allocateUnits(lots, { lots: [4] }, 2, '2025-02-01')).toEqual([{ lotId: 4, quantity: 2, cost: 6000 }])
    expect(allocateUnits(lots, { lots: [4] }, 3, '2025-02-01')).toBe(
      'Only 2 units available in that lot, but you’re selling 3.',
    )
    expect(allocateUnits(lots, { lots: [99] }, 1, '2025-02-01')).toBe(
      'No units available in that lot, but you’re selling 1.',
    )
  })

  test('allocates from several chosen lots, oldest first', () => {
    expect(allocateUnits(lots, { lots: [4, 3] }, 2, '2025-02-01')).toEqual([
      { lotId: 3, quantity: 1, cost: 2000 },
      { lotId: 4, quantity: 1, cost: 3000 },
    ])
  })
})

test('never allocates more than a lot holds, and allocates exactly the quantity sold', () => {
  const lot = fc.record({
    id: fc.nat(),
    condition: fc.constantFrom('sealed' as const, 'used' as const),
    quantity: fc.nat(5),
    price: fc.nat(10_000),
    date: fc.constantFrom('2025-01-01', '2025-02-01', '2025-03-01'),
  })
  const some = fc.uniqueArray(lot, { selector: ({ id }) => id, maxLength: 8 })
  fc.assert(
    fc.property(some, fc.integer({ min: 1, max: 12 }), (held, quantity) => {
      const allocations = allocateUnits(held, { condition: 'sealed' }, quantity, '2025-02-01')
      const eligible = held.filter((lot) => lot.condition === 'sealed' && lot.date <= '2025-02-01')
      const units = eligible.reduce((sum, lot) => sum + lot.quantity, 0)
      if (typeof allocations === 'string') return units < quantity
      const fits = allocations.every(
        (allocation) => allocation.quantity <= eligible.find(({ id }) => id === allocation.lotId)!.quantity,
      )
      return fits && allocations.reduce((sum, allocation) => sum + allocation.quantity, 0) === quantity
    }),
  )
})
