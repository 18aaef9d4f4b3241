import { describe, expect, test } from 'vitest'
import { dayNumber } from '@brickmark/core/primitives/calendar'
import { generateCatalog } from './catalog.ts'
import type { SaleLabel } from './contamination.ts'
import { generateDailyPaths, generateMinifigPaths, trueLogValue } from './daily-path.ts'
import { generateSales } from './sales.ts'
import { generateValuePaths } from './value-path.ts'

const LAST_DAY = dayNumber('2026-11-15')
const OPTIONS = { firstDay: LAST_DAY - 400, lastDay: LAST_DAY }
const CATALOG = generateCatalog(1, new Date('2026-11-15T00:00:00Z'), 240)
const MONTHLY = generateValuePaths(1, CATALOG, LAST_DAY)
const PATHS = generateDailyPaths(1, MONTHLY, LAST_DAY)
const GENERATED = generateSales(1, PATHS, OPTIONS)

const shareOf = (label: SaleLabel) =>
  GENERATED.sales.filter((sale) => sale.label === label).length / GENERATED.sales.length

describe('daily paths', () => {
  test('pass through every month-end value', () => {
    const path = PATHS.get('90000-1')!
    const monthly = MONTHLY.get('90000-1')!
    expect(trueLogValue(path, 'sealed', dayNumber('2026-10-31'))).toBeCloseTo(Math.log(monthly.sealed.at(-2)!), 10)
    expect(trueLogValue(path, 'used', dayNumber('2026-10-31'))).toBeCloseTo(Math.log(monthly.used.at(-2)!), 10)
  })

  test('change from day to day', () => {
    const { sealed } = PATHS.get('90000-1')!
    const steps = sealed.slice(1).map((value, index) => Math.abs(value - sealed[index]!))
    expect(Math.max(...steps)).toBeLessThan(0.05)
    expect(Math.min(...steps)).toBeGreaterThan(0)
  })

  test('exist for minifigs, with used below new', () => {
    const paths = generateMinifigPaths(1, CATALOG, LAST_DAY)
    expect(paths.size).toBe(CATALOG.minifigs.length)
    for (const path of paths.values())
      expect(trueLogValue(path, 'used', LAST_DAY)).toBeLessThan(trueLogValue(path, 'sealed', LAST_DAY))
  })
})

describe('synthetic sales', () => {
  test('are the same for the same seed and differ for another', () => {
    expect(generateSales(1, PATHS, OPTIONS)).toEqual(GENERATED)
    expect(generateSales(2, PATHS, OPTIONS).sales[0]).not.toEqual(GENERATED.sales[0])
  })

  test.each<[SaleLabel, number, number]>([
    ['genuine', 0.89, 0.93],
    ['wrong_condition', 0.02, 0.03],
    ['hidden_lot', 0.01, 0.02],
    ['parts_only', 0.007, 0.014],
    ['decimal_slip', 0.001, 0.006],
    ['declared', 0.02, 0.04],
    ['repeated', 0.003, 0.008],
    ['wash', 0.0005, 0.01],
  ])('the share of %s is between %d and %d', (label, least, most) => {
    expect(shareOf(label)).toBeGreaterThan(least)
    expect(shareOf(label)).toBeLessThan(most)
  })

  test('most items sell a few times per month, some hardly ever', () => {
    const counts = [...PATHS.keys()].map(
      (item) => GENERATED.sales.filter((sale) => sale.item === item && sale.condition === 'sealed').length / 13,
    )
    counts.sort((a, b) => a - b)
    expect(counts[counts.length >> 1]).toBeGreaterThan(2.5)
    expect(counts[counts.length >> 1]).toBeLessThan(5.5)
    expect(counts[0]).toBeLessThan(0.6)
  })

  test('are sorted by arrival, some of them months late and some duplicated', () => {
    const delays = GENERATED.sales.map((sale) => sale.arrivalDay - sale.day)
    expect(Math.min(...delays)).toBe(0)
    expect(Math.max(...delays)).toBeGreaterThan(60)
    expect(delays.filter((delay) => delay >= 10).length / delays.length).toBeLessThan(0.07)
    const arrivals = GENERATED.sales.map((sale) => sale.arrivalDay)
    expect(arrivals).toEqual(arrivals.toSorted((a, b) => a - b))
    const ids = new Set(GENERATED.sales.map((sale) => sale.saleId))
    expect(GENERATED.sales.length - ids.size).toBeGreaterThan(0.005 * GENERATED.sales.length)
  })

  test('about 2 % are returned, each after its sale', () => {
    const byId = new Map(GENERATED.sales.map((sale) => [sale.saleId, sale]))
    expect(GENERATED.returns.length / GENERATED.sales.length).toBeGreaterThan(0.015)
    expect(GENERATED.returns.length / GENERATED.sales.length).toBeLessThan(0.025)
    for (const { saleId, day } of GENERATED.returns) expect(day).toBeGreaterThan(byId.get(saleId)!.day)
  })

  test('20 sellers make over 40 % of the sales', () => {
    const bySeller = Map.groupBy(GENERATED.sales, (sale) => sale.seller)
    const counts = [...bySeller.values()].map((sales) => sales.length).sort((a, b) => b - a)
    const top = counts.slice(0, 20).reduce((sum, count) => sum + count, 0)
    expect(top / GENERATED.sales.length).toBeGreaterThan(0.4)
    expect(bySeller.size).toBeGreaterThan(300)
  })
})
