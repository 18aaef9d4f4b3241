import type { Condition } from '../../catalog/condition.ts'
import { formatDay, lastDayOfMonth, monthIndex } from '../../primitives/calendar.ts'
import { knowledgeCutoff, latestFinalizableMonth } from '../values/month-finalization.ts'
import { hasMarket, type SetAttributesRow, toSetWithSales } from '../values/set-sales.ts'
import type { Valuation } from '../valuation/estimate.ts'
import { fitSets, type ModelFit, sampleMarket, SetValuer, type SetWithSales } from '../valuation/model-fit.ts'
import { daysOfSales, toSaleStore, type SalesMarket } from './sales-market.ts'

/** A set with its sales as known on a day, and its values on that day. */
export type LiveValue = { set: SetAttributesRow; setWithSales: SetWithSales; valuation: Record<Condition, Valuation> }

/**
 * Values all sets on each of the (ascending) days as the worker would have done then: months are finalized when they are
 * due, and live values use the fit of the last finalized month. Only what was known by then is used.
 */
export function* walkForward(
  market: SalesMarket,
  days: Iterable<number>,
  {
    isWanted = () => true,
    firstMonth,
  }: {
    /** Which sets are valued on a day; all by default. */
    isWanted?: (number: string, day: number) => boolean
    /** The first month (an index) to finalize; that of the first sale by default. */
    firstMonth?: number
  } = {},
): Generator<{ day: number; values: LiveValue[] }> {
  const period = daysOfSales(market)
  if (period === undefined) return
  const store = toSaleStore(market)
  const setsKnownOn = (asOf: number, knownOn: number) =>
    market.sets
      .map((set) => ({ set, setWithSales: toSetWithSales(set, store, asOf, knownOn) }))
      .filter(({ set, setWithSales }) => hasMarket(set, setWithSales, asOf))
  let nextMonth = firstMonth ?? monthIndex(formatDay(period.first))
  let fit: ModelFit | undefined
  for (const day of days) {
    for (; nextMonth <= latestFinalizableMonth(formatDay(day)); nextMonth++) {
      const asOf = lastDayOfMonth(nextMonth)
      fit = fitSets(
        setsKnownOn(asOf, knowledgeCutoff(nextMonth)).map(({ setWithSales }) => setWithSales),
        asOf,
        fit,
      )
    }
    const known = setsKnownOn(day, day)
    const sample = sampleMarket(
      known.map(({ setWithSales }) => setWithSales),
      day,
    )
    const valuer = new SetValuer(fit ?? sample.fitInitialModel(), sample.fitGrowth())
    const values = known
      .filter(({ set }) => isWanted(set.set_number, day))
      .map(({ set, setWithSales }) => ({ set, setWithSales, valuation: valuer.value(setWithSales, day) }))
    yield { day, values }
  }
}
