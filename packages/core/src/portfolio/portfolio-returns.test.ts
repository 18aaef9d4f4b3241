import { describe, expect, test } from 'vitest'
import { toCashFlows, timeWeightedReturn, xirr, type CashFlow, type Investment } from './portfolio-returns.ts'

const flows = (...list: [day: number, dollars: number][]): CashFlow[] =>
  list.map(([day, dollars]) => ({ day, amount: dollars * 100 }))

describe('xirr', () => {
  test.each<[story: string, flows: CashFlow[], rate: number]>([
    ['100 grows to 110 in a year', flows([0, -100], [365, 110]), 0.1],
    ['100 grows to 121 in two years', flows([0, -100], [730, 121]), 0.1],
    ['100 grows to 400 in half a year, i.e. 16 times in a full year', flows([0, -100], [182.5, 400]), 15],
    ['100 shrinks to 50 in a year', flows([0, -100], [365, 50]), -0.5],
    ['no gain or loss', flows([0, -100], [200, 100]), 0],
    ['two purchases a year apart: 100 × 1.44 + 100 × 1.2 = 264', flows([0, -100], [365, -100], [730, 264]), 0.2],
    ['a sale in between: 100 × 1.1 − 55 = 55, × 1.1 = 60.50', flows([0, -100], [365, 55], [730, 60.5]), 0.1],
    // The example in the documentation of the spreadsheet function XIRR: 37.34 %.
    ['the spreadsheet example', flows([0, -10000], [60, 2750], [303, 4250], [411, 3250], [456, 2750]), 0.373362535],
    ['flows in any order', flows([365, 110], [0, -100]), 0.1],
    ['a total loss', flows([0, -100], [365, 0]), -1],
    ['a small gain', flows([0, -100], [365, 102]), 0.02],
    ['a small loss', flows([0, -100], [365, 98]), -0.02],
    ['two purchases without any proceeds', flows([0, -100], [365, -50]), -1],
    ['a loss of all but a cent', flows([0, -100], [365, 0.01]), -0.9999],
  ])('%s', (_, list, rate) => {
    expect(xirr(list)).toBeCloseTo(rate, 6)
  })

  test('returns exactly 0 without gain or loss', () => {
    expect(xirr(flows([0, -100], [200, 100]))).toBe(0)
  })

  test.each<[story: string, flows: CashFlow[]]>([
    ['no flows', []],
    ['a single flow', flows([5, -100])],
    ['all flows on the same day', flows([5, -100], [5, 120])],
    ['only gifts, nothing invested', flows([0, 0], [365, 100])],
    ['a gain beyond the search bound: a million times in a day', flows([0, -0.01], [1, 10_000])],
  ])('returns null for %s', (_, list) => {
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
  gross: null,
  proceeds: null,
  ...more,
})

describe('toCashFlows', () => {
  test('returns purchases and sales, treats held lots as sold today, and omits lots without a value, cost or date', () => {
    const list = [
      { ...lot({ quantity: 2 }), unitValue: 11_000 },
      { ...lot({ from: 3, to: 9, proceeds: 12_345 }), unitValue: null },
      { ...lot({ from: 4 }), unitValue: null },
      { ...lot({ unitCost: null }), unitValue: 11_000 },
      { ...lot({ from: null, to: 9, proceeds: 12_345 }), unitValue: null },
    ]
    expect(toCashFlows(list, 20)).toEqual([
      { day: 0, amount: -20_000 },
      { day: 20, amount: 22_000 },
      { day: 3, amount: -10_000 },
      { day: 9, amount: 12_345 },
    ])
  })
})

describe('timeWeightedReturn', () => {
  const days = (last: number) => Array.from({ length: last + 1 }, (_, day) => day)
  const rising = () => [
    { day: 0, value: 10_000 },
    { day: 10, value: 20_000 },
  ]

  test.each<[story: string, lots: Investment[], rate: number]>([
    ['a lot that doubles', [lot()], 1],
    ['three units have the same return', [lot({ quantity: 3 })], 1],
    ['fifty more bought halfway at their value', [lot(), lot({ from: 5, unitCost: 14_000, quantity: 50 })], 1],
    ['a sale halfway at its value, whatever its fees', [lot(), lot({ to: 5, gross: 15_000, proceeds: 13_000 })], 1],
    // 100 → 140; 140 and a gift of 150 → 300; 300 → 400.
    ['a gift enters at its value', [lot(), lot({ from: 5, unitCost: 0 })], 1.4 * (30 / 29) * (4 / 3) - 1],
    [
      'a lot of unknown cost enters at its value',
      [lot(), lot({ from: 5, unitCost: null })],
      1.4 * (30 / 29) * (4 / 3) - 1,
    ],
    ['a lot of unknown date is held all along', [lot({ from: null, unitCost: 1 })], 1],
    ['a lot bought before the first day starts at its value on that day', [lot({ from: -100, unitCost: 1 })], 1],
    ['a purchase at half of its value', [lot({ from: 5, unitCost: 7_500 })], 20_000 / 7_500 - 1],
    [
      'a flip on one day for twice its price',
      [lot({ from: 5, to: 5, unitCost: 7_000, gross: 14_000, proceeds: 12_000 })],
      1,
    ],
    ['a sale today for nothing is a total loss', [lot({ to: 10, gross: 0, proceeds: 0 })], -1],
  ])('%s', (_, lots, rate) => {
    expect(timeWeightedReturn(lots, days(10), rising)).toBeCloseTo(rate, 9)
  })

  test('a value that becomes known later does not count as a gain', () => {
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

  test('returns null if nothing was held or nothing has a value', () => {
    expect(timeWeightedReturn([], days(10), rising)).toBeNull()
    expect(timeWeightedReturn([lot()], days(10), () => [])).toBeNull()
    expect(timeWeightedReturn([lot({ from: 3, to: 3 })], days(10), rising)).toBeNull()
  })
})
