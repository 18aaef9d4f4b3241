import type { Database } from '@brickmark/core/db/database'
import { findInvestments } from '@brickmark/core/portfolio/portfolio-queries'
import { findValuePoints } from '@brickmark/core/market/values/set-month-queries'
import { appendTodayValue, drawPoints } from '@brickmark/core/market/values/value-line'
import { findSetValues } from '@brickmark/core/market/values/value-queries'
import { dayNumber, formatDay } from '@brickmark/core/primitives/calendar'
import type { Condition } from '@brickmark/core/catalog/condition'
import {
  chartDays,
  memoizeBySetAndCondition,
  portfolioHistory,
  toOwnershipInterval,
  type Period,
  type ValuedLot,
} from '@brickmark/core/portfolio/portfolio'
import { summarizeLots } from '@brickmark/core/portfolio/portfolio-totals'
import {
  timeWeightedReturn,
  toCashFlows,
  xirr,
  type Holding,
  type Investment,
} from '@brickmark/core/portfolio/portfolio-returns'

const PERIODS = ['30d', '90d', '1y', '3y', 'all'] as const satisfies Period[]

/** Returns the period that a page's URL asks for; a year by default. */
export function parsePeriod(request: Request): Period {
  const requested = new URL(request.url).searchParams.get('period')
  return PERIODS.find((period) => period === requested) ?? '1y'
}

/** With less history, an annualized return is mostly noise. */
const MIN_DAYS_FOR_XIRR = 90

/**
 * Loads everything the account ever bought, in all collections or in one, as input for the functions of
 * `portfolio/portfolio`; values match the API's. Only sets (`investments`) have past values: what is held of other items is in
 * `others`. `days` are those of the period's chart.
 */
export async function loadPortfolio(
  tx: Database,
  accountId: number,
  { period, today, collectionId }: { period: Period; today: number; collectionId?: number | undefined },
) {
  const rows = await findInvestments(tx, accountId, collectionId)
  const investments = rows.flatMap((row): Investment[] => {
    const { set_number, condition, gross_cents: gross, proceeds_cents: proceeds } = row
    if (set_number === null || condition === null) return []
    return [{ ...toOwnershipInterval({ ...row, set_number, condition }), gross, proceeds }]
  })
  const holdings = rows.map((row): Holding => ({
    quantity: row.quantity,
    unitCost: row.purchase_price_cents,
    from: row.purchase_date === null ? null : dayNumber(row.purchase_date),
    to: row.sale_date === null ? null : dayNumber(row.sale_date),
    proceeds: row.proceeds_cents,
    unitValue: row.unit_value_cents,
  }))
  const others = rows
    .filter((row) => row.set_number === null && row.sale_date === null)
    .map(({ item, quantity, purchase_price_cents: price, unit_value_cents: value }): ValuedLot => ({
      item,
      quantity,
      cost: price === null ? null : quantity * price,
      value: value === null ? null : quantity * value,
    }))
  const numbers = [...new Set(investments.map(({ setNumber }) => setNumber))]
  const firstBought = Math.min(...investments.map(({ from }) => from ?? today), today)
  const days = chartDays(period, today, firstBought)
  const pairs = new Map(investments.map((lot) => [`${lot.condition} ${lot.setNumber}`, lot]))
  const [values, months] = await Promise.all([
    findSetValues(tx, numbers),
    findValuePoints(tx, [...pairs.values()], formatDay(days[0]!)),
  ])
  const valueByKey = new Map(values.map((row) => [`${row.condition} ${row.set_number}`, row.value_cents]))
  const valueOf = (setNumber: string, condition: Condition) => valueByKey.get(`${condition} ${setNumber}`) ?? null
  const calculated = values.map((row) => row.calculated_at.getTime())
  return {
    days,
    investments,
    holdings,
    others,
    valuePoints: memoizeBySetAndCondition((setNumber, condition) =>
      appendTodayValue(months.get(`${condition} ${setNumber}`) ?? [], valueOf(setNumber, condition), today),
    ),
    asOf: calculated.length === 0 ? undefined : new Date(Math.max(...calculated)).toISOString(),
  }
}

export type Portfolio = Awaited<ReturnType<typeof loadPortfolio>>

/** Returns the totals, the chart and the returns of the period that was loaded. */
export function summarizePerformance({ days, investments, holdings, others, valuePoints }: Portfolio, today: number) {
  const first = days[0]!
  const { history, held } = portfolioHistory(investments, days, (line, setNumber, condition) =>
    drawPoints(line, valuePoints(setNumber, condition)),
  )
  const everyDay = Array.from({ length: today - first + 1 }, (_, index) => first + index)
  const firstBought = Math.min(...holdings.map(({ from, unitCost }) => (unitCost === null ? null : from) ?? Infinity))
  return {
    held,
    totals: summarizeLots([...held, ...others]),
    /** What minifigs and custom items are worth, which the chart leaves out. */
    othersValue: others.length === 0 ? null : summarizeLots(others).value,
    history: history.map(({ day, value, cost }) => ({ day: formatDay(day), value, cost })),
    returns: {
      yearly: today - firstBought < MIN_DAYS_FOR_XIRR ? null : xirr(toCashFlows(holdings, today)),
      since: firstBought === Infinity ? null : formatDay(firstBought),
      overPeriod: timeWeightedReturn(investments, everyDay, valuePoints),
    },
  }
}
