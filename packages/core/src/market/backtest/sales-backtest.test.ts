import { describe, expect, test } from 'vitest'
import { dayNumber } from '../../primitives/calendar.ts'
import { findMoves, measureLags, type Move } from './moves.ts'
import { backtestSales } from './sales-backtest.ts'
import { evaluateSalesGoals } from './sales-goals.ts'
import { keepShare, NEVER, outcomesOf, type PackedItem, type SalesMarket } from './sales-market.ts'
import { drawWorstItems, formatSalesReport, toJsonReport } from './sales-report.ts'
import { applySimpleMethods } from './simple-methods.ts'

const FIRST_DAY = dayNumber('2025-01-01')

/** A number from -0.5 to 0.5; the same on every machine. */
function noise(seed: number): number {
  return (Math.imul(Math.imul(seed + 1, 0x9e3779b1) ^ (seed << 7), 0x85ebca6b) >>> 0) / 2 ** 32 - 0.5
}

function pack(day: number, cents: number, { flag = 0, knownOn = day, returnedOn = NEVER } = {}): number[] {
  return [day, cents, 1, 0, 0, flag, knownOn, returnedOn, NEVER, NEVER]
}

/** An item that sells every day at a price that depends on the day. */
function item(number: string, days: number, priceOn: (day: number) => number): PackedItem {
  const fields = Array.from({ length: days }, (_, day) =>
    pack(FIRST_DAY + day, Math.round(100 * priceOn(day) * Math.exp(0.1 * noise(day + 1000 * Number(number[0]))))),
  )
  return { number, condition: 'sealed', sales: Int32Array.from(fields.flat()) }
}

function marketOf(...items: PackedItem[]): SalesMarket {
  return {
    items,
    sets: items.map(({ number }) => ({
      set_number: number,
      theme: 'Harbor',
      msrp_cents: 5000,
      retail_cents: null,
      release_date: '2023-01-01',
      release_year: 2023,
      retire_date: null,
    })),
  }
}

const steady = item('1-1', 200, () => 50)
const risen = item('2-1', 200, (day) => (day < 100 ? 50 : 80))
const market = marketOf(
  steady,
  risen,
  item('3-1', 200, (day) => 40 + day / 20),
)

describe('simple methods', () => {
  const sales = [1, 2, 3, 4, 5, 6].map((day) => ({ day, logPrice: day }))

  test('use the last sales, or those of the last days', () => {
    expect(applySimpleMethods(sales, 6)).toMatchObject({
      'last sale': 6,
      'median of 5': 4,
      'mean of 5': 4,
      'median of 30': 3.5,
      'median of 30 days': 3.5,
    })
    expect(applySimpleMethods(sales, 200)!['median of 90 days']).toBe(6)
  })

  test('give more weight to newer sales', () => {
    const old = [0, 60].map((day) => ({ day, logPrice: day / 60 }))
    expect(applySimpleMethods(old, 60)!['weighted mean, 60 days']).toBeCloseTo(2 / 3, 9)
  })

  test('say nothing without a sale in 400 days', () => {
    expect(applySimpleMethods(sales, 406)).toBeUndefined()
  })
})

describe('recorded sales', () => {
  test('outcomes leave out flagged and returned sales', () => {
    const sales = Int32Array.from([
      ...pack(FIRST_DAY, 100),
      ...pack(FIRST_DAY + 1, 200, { flag: 1 }),
      ...pack(FIRST_DAY + 2, 300, { returnedOn: FIRST_DAY + 9 }),
    ])
    expect(outcomesOf({ number: '1-1', condition: 'sealed', sales })).toEqual([
      { day: FIRST_DAY, logPrice: Math.log(100) },
    ])
  })

  test('a share keeps about as many sales, the same ones for the same seed', () => {
    const kept = keepShare(market, 0.1, 7)
    const count = kept.items.reduce((sum, { sales }) => sum + sales.length / 10, 0)
    expect(count).toBeGreaterThan(30)
    expect(count).toBeLessThan(100)
    expect(keepShare(market, 0.1, 7)).toEqual(kept)
    expect(keepShare(market, 0.1, 8)).not.toEqual(kept)
  })
})

describe('moves', () => {
  test('finds a lasting rise and nothing in a steady price', () => {
    expect(findMoves(steady)).toEqual([])
    const [move, ...others] = findMoves(risen)
    expect(others).toEqual([])
    expect(move!.doneOn - FIRST_DAY).toBeGreaterThan(97)
    expect(move!.doneOn - FIRST_DAY).toBeLessThan(104)
    expect(Math.exp(move!.to - move!.from)).toBeCloseTo(1.6, 1)
  })

  test('a price that returns within a month is not a move', () => {
    expect(findMoves(item('2-1', 200, (day) => (day >= 100 && day < 106 ? 80 : 50)))).toEqual([])
  })

  test('values follow, and stay', () => {
    const [lag] = measureLags(market, findMoves(risen), 1, 7)
    expect(lag!.days).toBeLessThan(12)
    expect(lag!.relapsed).toBe(false)
  })

  const rise: Move = {
    number: '2-1',
    condition: 'sealed',
    firstDay: FIRST_DAY + 86,
    lastDay: FIRST_DAY + 160,
    from: Math.log(5000),
    to: Math.log(8000),
    doneOn: FIRST_DAY + 100,
  }

  test('a value that followed and went back for a week has relapsed', () => {
    const back = item('2-1', 200, (day) => (day >= 100 && (day < 116 || day > 140) ? 80 : 50))
    expect(measureLags(marketOf(steady, back), [rise], 1, 7)).toMatchObject([{ relapsed: true }])
  })

  test('a value that came from far beyond the new level has not', () => {
    const down = item('2-1', 200, (day) => (day < 100 ? 120 : 55))
    expect(measureLags(marketOf(steady, down), [rise], 1, 7)).toMatchObject([{ relapsed: false }])
  })
})

describe('the backtest', () => {
  const result = backtestSales(market, { shares: [1] })
  const [all] = result.shares

  test('scores each item each week against what it sold for next', () => {
    expect(result).toMatchObject({ sets: 3, sales: 600, from: '2025-01-01', to: '2025-07-19' })
    expect(all!.cases).toBe(3 * 24)
    expect(all!.nextSale!.ours.median).toBeLessThan(5)
    expect(all!.nextSale!.ratio.median).toBeLessThan(1.5)
    expect(all!.months.map(({ month }) => month)).toContain('2025-04')
  })

  test('never uses what became known later', () => {
    const late = item('1-1', 200, () => 50)
    for (let offset = 0; offset < late.sales.length; offset += 10) late.sales[offset + 6] = FIRST_DAY + 10_000
    expect(
      backtestSales(marketOf(late, risen), { shares: [1] }).shares[0]!.scores.map(({ number }) => number),
    ).not.toContain('1-1')
  })

  test('reports goals with values, and leaves single scores out of the JSON', () => {
    const goals = evaluateSalesGoals(result)
    expect(goals.map(({ name }) => name)).toContain('100 % of sales: next sale, median error ÷ best')
    for (const { value, pass } of goals) expect([Number.isFinite(value), typeof pass]).toEqual([true, 'boolean'])
    expect(JSON.stringify(toJsonReport(result))).not.toContain('"scores"')
    expect(formatSalesReport(result)).toContain('600 sales of 3 sets, 2025-01-01 to 2025-07-19')
  })

  test('draws weekly medians, never single sales', () => {
    const charts = drawWorstItems(market, result)
    expect(charts.map(({ item }) => item.number).sort()).toEqual(['1-1', '2-1', '3-1'])
    for (const { svg } of charts) {
      expect(svg.match(/<circle/g)!.length).toBeLessThan(30)
      expect(svg).toMatch(/^<svg [^>]+>[\s\S]+<\/svg>\n$/)
    }
    const rare = { ...risen, sales: risen.sales.filter((_, index) => Math.floor(index / 10) % 7 === 0) }
    const rareMarket = marketOf(rare, steady)
    const drawn = drawWorstItems(rareMarket, backtestSales(rareMarket, { shares: [1] }))
    expect(drawn.find(({ item }) => item.number === '2-1')!.svg).not.toContain('<circle')
  })

  test('refuses to run without sales', () => {
    expect(() => backtestSales(marketOf())).toThrow('no sales')
  })
})
