import type { Database } from '@brickmark/core/db/database'
import { findInvestments } from '@brickmark/core/portfolio/portfolio-queries'
import { findValuePoints } from '@brickmark/core/market/set-month-queries'
import { findSetValues } from '@brickmark/core/market/value-queries'
import { formatDay } from '@brickmark/core/primitives/calendar'
import type { Condition } from '@brickmark/core/catalog/condition'
import { toHoldingInterval, memoizeBySetAndCondition, appendTodayValue } from '@brickmark/core/portfolio/portfolio'
import type { Investment } from '@brickmark/core/portfolio/portfolio-returns'

/**
 * Loads everything the account ever bought with its current and past values, as input for the functions of
 * `portfolio/portfolio`; values match the API's. `fromDay` is the first day that will be looked up.
 */
export async function loadPortfolio(tx: Database, accountId: number, fromDay: number, today: number) {
  const investments = (await findInvestments(tx, accountId)).map((row): Investment => ({
    ...toHoldingInterval(row),
    proceeds: row.proceeds_cents,
  }))
  const numbers = [...new Set(investments.map(({ setNumber }) => setNumber))]
  const pairs = new Map(investments.map((lot) => [`${lot.condition} ${lot.setNumber}`, lot]))
  const [values, months] = await Promise.all([
    findSetValues(tx, numbers),
    findValuePoints(tx, [...pairs.values()], formatDay(fromDay)),
  ])
  const valueByKey = new Map(values.map((row) => [`${row.condition} ${row.set_number}`, row.value_cents]))
  const valueOf = (setNumber: string, condition: Condition) => valueByKey.get(`${condition} ${setNumber}`) ?? null
  const calculated = values.map((row) => row.calculated_at.getTime())
  return {
    investments,
    valueOf,
    valuePoints: memoizeBySetAndCondition((setNumber, condition) =>
      appendTodayValue(months.get(`${condition} ${setNumber}`) ?? [], valueOf(setNumber, condition), today),
    ),
    asOf: calculated.length === 0 ? undefined : new Date(Math.max(...calculated)).toISOString(),
  }
}
