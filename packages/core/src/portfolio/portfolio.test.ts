import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawPoints, type ValueLine, type ValuePoint } from '../market/values/value-line.ts'
import {
  averageCost,
  chartDays,
  computeGain,
  valueLot,
  type OwnershipInterval,
  toOwnershipInterval,
  valueMovesSince,
  portfolioHistory,
  topMovers,
  toValuedLot,
} from './portfolio.ts'
import { countExcludedUnits, sumTotals } from './portfolio-totals.ts'

const today = 20_000
const lot = (overrides: Partial<OwnershipInterval>): OwnershipInterval => ({
  setNumber: '90001-1',
  condition: 'sealed',
  quantity: 1,
  unitCost: 1000,
  from: today - 100,
  to: null,
  ...overrides,
})

describe('computeGain', () => {
  test('returns the gain and its percentage of the cost', () => {
    expect(computeGain(1500, 1000)).toEqual({ gain: 500, pct: 50 })
    expect(computeGain(667, 1000)).toEqual({ gain: -333, pct: -33.3 })
  })
  test('returns 0 percent if the cost is 0', () => {
    expect(computeGain(1500, 0)).toEqual({ gain: 1500, pct: 0 })
  })
  test('returns null if the value or the cost is unknown', () => {
    expect([computeGain(null, 1000), computeGain(1500, null)]).toEqual([null, null])
  })
})

describe('chartDays', () => {
  test('30d and 90d are daily', () => {
    expect(chartDays('30d', today)).toHaveLength(31)
    expect(chartDays('90d', today).slice(0, 2)).toEqual([today - 90, today - 89])
  })
  test('1y is weekly and ends today', () => {
    const days = chartDays('1y', today)
    // From Oct 4, 2023 to Oct 4, 2024: the leap day makes it 366 days.
    expect(days[0]).toBe(today - 366)
    expect(days[1]).toBe(today - 359)
    expect(days.slice(-2)).toEqual([today - 2, today])
  })
  test('3y is weekly', () => {
    const days = chartDays('3y', today)
    expect([days[0], days[1]]).toEqual([today - 1096, today - 1089])
  })
  test('all time begins with the first purchase, shows at least 30 days, and at most 160 points and 20 years', () => {
    expect(chartDays('all', today, today - 3)).toHaveLength(31)
    expect(chartDays('all', today, today - 60)[0]).toBe(today - 60)
    const decade = chartDays('all', today, today - 3650)
    expect([decade[0], decade.at(-1)]).toEqual([today - 3650, today])
    expect(decade.length).toBeLessThanOrEqual(161)
    expect(chartDays('all', today, today - 40_000)[0]).toBe(today - 20 * 366)
  })
})

describe('portfolioHistory', () => {
  const flat = (value: number) => (line: ValueLine) =>
    drawPoints(line, [
      { day: 0, value },
      { day: today, value },
    ])

  test('a lot counts from its purchase until its sale', () => {
    const { history } = portfolioHistory([lot({ from: 5, to: 8, quantity: 3 })], [4, 5, 7, 8, 9, today], flat(200))
    expect(history.map((point) => point.value)).toEqual([0, 600, 600, 0, 0, 0])
    expect(history.map((point) => point.cost)).toEqual([0, 3000, 3000, 0, 0, 0])
  })

  test('excludes the cost on days without a known value', () => {
    const { history } = portfolioHistory([lot({})], [today - 3, today], (line) => line.lineTo(today, 900))
    expect(history).toEqual([
      { day: today - 3, value: 0, cost: 0, gain: 0 },
      { day: today, value: 900, cost: 1000, gain: -100 },
    ])
  })

  test('a lot of unknown cost and date counts on every day, without a gain', () => {
    const { history } = portfolioHistory([lot({ unitCost: null, from: null })], [today - 300, today], flat(500))
    expect(history).toEqual([
      { day: today - 300, value: 500, cost: 0, gain: 0 },
      { day: today, value: 500, cost: 0, gain: 0 },
    ])
  })

  test('a purchase dated tomorrow counts today, but not before', () => {
    const { history } = portfolioHistory([lot({ from: today + 1 })], [today - 1, today], flat(500))
    expect(history.map((point) => point.value)).toEqual([0, 500])
  })

  test('the last point always equals the totals of current lots', () => {
    const interval = fc.record({
      setNumber: fc.constantFrom('a', 'b', 'c', 'unvalued'),
      condition: fc.constantFrom('sealed' as const, 'used' as const),
      quantity: fc.integer({ min: 1, max: 50 }),
      unitCost: fc.option(fc.integer({ min: 0, max: 100_000 })),
      from: fc.option(fc.integer({ min: today - 500, max: today + 5 })),
      to: fc.option(fc.integer({ min: today - 400, max: today })),
    })
    const value = (set: string, condition: string) => (set === 'unvalued' ? null : set.charCodeAt(0) * condition.length)
    fc.assert(
      fc.property(fc.array(interval), fc.constantFrom('30d' as const, '1y' as const), (intervals, period) => {
        const { history, held } = portfolioHistory(intervals, chartDays(period, today), (line, set, condition) => {
          const now = value(set, condition)
          if (now === null) return
          line.lineTo(today - 40, 1)
          line.lineTo(today, now)
        })
        const totals = sumTotals(held)
        expect(held).toEqual(intervals.filter(({ to }) => to === null).map((interval) => toValuedLot(interval, value)))
        expect(history.at(-1)).toEqual({ day: today, value: totals.value, cost: totals.cost, gain: totals.gain })
      }),
    )
  })
})

describe('topMovers', () => {
  test('returns the largest percentages, not the largest amounts', () => {
    const movers = topMovers([
      { item: 'a', cost: 100_000, value: 120_000 },
      { item: 'b', cost: 1000, value: 1500 },
      { item: 'c', cost: 1000, value: 900 },
      { item: 'd', cost: 100_000, value: 95_000 },
    ])
    expect(movers).toEqual({ gainer: { setNumber: 'b', pct: 50 }, loser: { setNumber: 'c', pct: -10 } })
  })
  test('ignores lots under five dollars', () => {
    expect(topMovers([{ item: 'a', cost: 499, value: 5000 }])).toEqual({ gainer: null, loser: null })
    expect(topMovers([{ item: 'a', cost: 500, value: 501 }]).gainer).toEqual({ setNumber: 'a', pct: 0.2 })
  })
  test('returns null if no lot moved in that direction', () => {
    expect(topMovers([{ item: 'a', cost: 1000, value: 1000 }])).toEqual({ gainer: null, loser: null })
    expect(topMovers([{ item: 'a', cost: 1000, value: null }])).toEqual({ gainer: null, loser: null })
    expect(topMovers([{ item: 'a', cost: null, value: 1000 }])).toEqual({ gainer: null, loser: null })
    expect(topMovers([])).toEqual({ gainer: null, loser: null })
  })
})

test('toOwnershipInterval converts a row to cents and day numbers', () => {
  const row = {
    set_number: '90001-1',
    condition: 'used' as const,
    quantity: 3,
    purchase_price_cents: 1234,
    purchase_date: '1970-01-11',
    sale_date: null,
  }
  const interval = { setNumber: '90001-1', condition: 'used', quantity: 3, unitCost: 1234, from: 10, to: null }
  expect(toOwnershipInterval(row)).toEqual(interval)
  expect(toOwnershipInterval({ ...row, sale_date: '1970-01-21' })).toEqual({ ...interval, to: 20 })
  expect(toOwnershipInterval({ ...row, purchase_price_cents: null, purchase_date: null })).toEqual({
    ...interval,
    unitCost: null,
    from: null,
  })
})

test('averageCost rounds to the cent and is null without a cost', () => {
  expect([averageCost(1000, 3), averageCost(2000, 3), averageCost(null, 0)]).toEqual([333, 667, null])
})

test('valueLot multiplies by the quantity and leaves out what is unknown', () => {
  expect([
    valueLot({ quantity: 3, unitCost: 1000, unitValue: 1500 }),
    valueLot({ quantity: 3, unitCost: null, unitValue: 1500 }),
    valueLot({ quantity: 3, unitCost: 1000, unitValue: null }),
  ]).toEqual([
    { value: 4500, gain: 1500, gainPct: 50 },
    { value: 4500, gain: null, gainPct: null },
    { value: null, gain: null, gainPct: null },
  ])
})

test('portfolioHistory returns each held lot with its value, or null if unknown', () => {
  const intervals = [
    lot({ setNumber: 'a', quantity: 2, unitCost: 1000 }),
    lot({ setNumber: 'sold', to: today - 1 }),
    lot({ setNumber: 'unvalued', unitCost: 100 }),
    lot({ setNumber: 'no longer valued' }),
    lot({ setNumber: 'a', quantity: 4, unitCost: null }),
  ]
  const points: Record<string, ValuePoint[]> = {
    a: [{ day: today, value: 1500 }],
    sold: [{ day: today, value: 1500 }],
    'no longer valued': [{ day: today - 1, value: 1500 }],
  }
  const { held } = portfolioHistory(intervals, [today - 1, today], (line, set) => drawPoints(line, points[set] ?? []))
  expect(held).toEqual([
    { item: 'a', quantity: 2, cost: 2000, value: 3000 },
    { item: 'unvalued', quantity: 1, cost: 100, value: null },
    { item: 'no longer valued', quantity: 1, cost: 1000, value: null },
    { item: 'a', quantity: 4, cost: null, value: 6000 },
  ])
  expect(countExcludedUnits(held)).toEqual({ withoutValue: 2, withoutCost: 4 })
})

describe('valueMovesSince', () => {
  const moved: Record<string, [number, number]> = {
    much: [100, 300],
    bit: [100, 110],
    fell: [100, 90],
    sank: [100, 10],
    still: [100, 100],
  }
  const pointsOf = (set: string) =>
    moved[set] === undefined
      ? []
      : [
          { day: today - 10, value: moved[set][0] },
          { day: today, value: moved[set][1] },
        ]

  test('returns moves of held sets, sorted by impact', () => {
    const intervals = ['bit', 'much', 'fell', 'sank', 'still', 'unknown'].map((setNumber) => lot({ setNumber }))
    const { up, down } = valueMovesSince(today - 10, today, intervals, pointsOf)
    expect(up.map(({ setNumber, impact }) => [setNumber, impact])).toEqual([
      ['much', 200],
      ['bit', 10],
    ])
    expect(down.map(({ setNumber, impact }) => [setNumber, impact])).toEqual([
      ['sank', -90],
      ['fell', -10],
    ])
  })

  test('sums all held units of a set per condition, excluding sold ones', () => {
    const intervals = [
      lot({ setNumber: 'bit', quantity: 2 }),
      lot({ setNumber: 'bit', quantity: 3 }),
      lot({ setNumber: 'bit', quantity: 1, condition: 'used' }),
      lot({ setNumber: 'bit', quantity: 50, to: today - 1 }),
    ]
    const common = { setNumber: 'bit', now: 110, ratio: 0.1 }
    expect(valueMovesSince(today - 10, today, intervals, pointsOf).up).toEqual([
      { ...common, condition: 'sealed', impact: 50 },
      { ...common, condition: 'used', impact: 10 },
    ])
  })

  test('omits sets whose value at the start is unknown', () => {
    expect(valueMovesSince(today - 20, today, [lot({ setNumber: 'much' })], pointsOf)).toEqual({ up: [], down: [] })
  })
})
