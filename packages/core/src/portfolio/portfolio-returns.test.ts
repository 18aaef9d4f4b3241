import { describe, expect, test } from 'vitest'
import { toCashFlows, timeWeightedReturn, xirr, type CashFlow, type Investment } from './portfolio-returns.ts'

const flows = (...list: [day: number, dollars: number][]): CashFlow[] =>
  list.map(([day, dollars]) => ({ day, amount: dollars * 100 }))

describe('xirr', () => {
  test.each<[story: string, flows: CashFlow[], rate: number]>([
    ['100 become 110 in a year', flows([0, -100], [365, 110]), 0.1],
    ['100 become 121 in two years', flows([0, -100], [730, 121]), 0.1],
    ['100 become 400 in half a year: 16 times in a whole one', flows([0, -100], [182.5, 400]), 15],
    ['100 become 50 in a year', flows([0, -100], [365, 50]), -0.5],
    ['neither gain nor loss', flows([0, -100], [200, 100]), 0],
    ['two purchases a year apart: 100 × 1.44 + 100 × 1.2 = 264', flows([0, -100], [365, -100], [730, 264]), 0.2],
    ['a sale on the way: 100 × 1.1 − 55 = 55, × 1.1 = 60.50', flows([0, -100], [365, 55], [730, 60.5]), 0.1],
    // The example in the documentation of a spreadsheet's XIRR: 37.34 %.
    ['the example everybody knows', flows([0, -10000], [60, 2750], [303, 4250], [411, 3250], [456, 2750]), 0.373362535],
    ['the order of the flows does not matter', flows([365, 110], [0, -100]), 0.1],
    ['all was lost', flows([0, -100], [365, 0]), -1],
    ['a little', flows([0, -100], [365, 102]), 0.02],
    ['a little less', flows([0, -100], [365, 98]), -0.02],
    ['bought twice, and nothing came of it', flows([0, -100], [365, -50]), -1],
    ['all but a cent was lost', flows([0, -100], [365, 0.01]), -0.9999],
  ])('%s', (_, list, rate) => {
    expect(xirr(list)).toBeCloseTo(rate, 6)
  })

  test('neither gain nor loss is exactly none', () => {
    expect(xirr(flows([0, -100], [200, 100]))).toBe(0)
  })

  test.each<[story: string, flows: CashFlow[]]>([
    ['nothing at all', []],
    ['one flow', flows([5, -100])],
    ['all on the same day', flows([5, -100], [5, 120])],
    ['only gifts: nothing ever went in', flows([0, 0], [365, 100])],
    ['a gain that no rate tells: a million times in a day', flows([0, -0.01], [1, 10_000])],
  ])('null: %s', (_, list) => {
    expect(xirr(list)).toBeNull()
  })
})

const lot = (more: Partial<Investment> = {}): Investment => ({
  setNumber: '90001-1',
  condition: 'sealed',
  quantity: 1,
  unitCost: 10_000,
  from: 0,
  to: null,
  proceeds: null,
  ...more,
})

describe('flows', () => {
  test('purchases and sales, what is held as if sold today; a lot without a value is left out whole', () => {
    const list = [
      lot({ quantity: 2 }),
      lot({ from: 3, to: 9, proceeds: 12_345 }),
      lot({ setNumber: '90002-1', from: 4 }),
    ]
    expect(toCashFlows(list, (number) => (number === '90001-1' ? 11_000 : null), 20)).toEqual([
      { day: 0, amount: -20_000 },
      { day: 20, amount: 22_000 },
      { day: 3, amount: -10_000 },
      { day: 9, amount: 12_345 },
    ])
  })
})

describe('time-weighted return', () => {
  const days = (last: number) => Array.from({ length: last + 1 }, (_, day) => day)
  const rising = () => [
    { day: 0, value: 10_000 },
    { day: 10, value: 20_000 },
  ]

  test.each<[story: string, lots: Investment[], rate: number]>([
    ['one lot that doubles', [lot()], 1],
    ['three of it are the same return', [lot({ quantity: 3 })], 1],
    ['fifty more half way, for what they were worth', [lot(), lot({ from: 5, unitCost: 14_000, quantity: 50 })], 1],
    ['sold half way at what it was worth', [lot(), lot({ to: 5, proceeds: 15_000 })], 1],
    // 100 → 140; 140 and a gift of 150 → 300; 300 → 400.
    ['a gift comes in for its value', [lot(), lot({ from: 5, unitCost: 0 })], 1.4 * (30 / 29) * (4 / 3) - 1],
    ['bought before the days began: from what it was worth then', [lot({ from: -100, unitCost: 1 })], 1],
    [
      'a bargain: bought for half of what it is worth that day',
      [lot({ from: 5, unitCost: 7_500 })],
      20_000 / 7_500 - 1,
    ],
    ['sold today for nothing: a total loss', [lot({ to: 10, proceeds: 0 })], -1],
  ])('%s', (_, lots, rate) => {
    expect(timeWeightedReturn(lots, days(10), rising)).toBeCloseTo(rate, 9)
  })

  test('a value that becomes known on the way is no gain', () => {
    const points = (number: string) =>
      number === 'late'
        ? [
            { day: 6, value: 50_000 },
            { day: 10, value: 50_000 },
          ]
        : rising()
    expect(timeWeightedReturn([lot(), lot({ setNumber: 'late' })], days(10), points)).toBeLessThan(1)
    expect(timeWeightedReturn([lot({ setNumber: 'late' })], days(10), points)).toBeCloseTo(0, 9)
  })

  test('null when nothing was held, or nothing has a value', () => {
    expect(timeWeightedReturn([], days(10), rising)).toBeNull()
    expect(timeWeightedReturn([lot()], days(10), () => [])).toBeNull()
    expect(timeWeightedReturn([lot({ from: 3, to: 3, proceeds: 5 })], days(10), rising)).toBeNull()
  })
})
