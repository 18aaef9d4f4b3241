import { CONDITIONS } from '@brickmark/core/catalog/condition'
import { utcDayOf, formatDay, formatMonth } from '@brickmark/core/primitives/calendar'
import { latestFinalizableMonth } from '@brickmark/core/market/values/month-finalization'
import { elementAt, randomStream, type Random } from './random.ts'
import { monthOfDay, RETIRING_SOON_MONTHS } from './set-lifecycle.ts'
import type {
  SyntheticCatalog,
  Condition,
  DataTier,
  MinifigRow,
  MinifigValueRow,
  SetEvent,
  SetLifecycle,
  SetMonthRow,
  SetRow,
  SetValueRow,
  ValueColumns,
  ValuePath,
} from './types.ts'

const MONTHS = 36
const SALE_SPREAD = { sealed: 0.11, used: 0.17, minifig: 0.2 }
const NORMAL_P90 = 1.2816

type Values = { setValues: SetValueRow[]; setMonths: SetMonthRow[]; minifigValues: MinifigValueRow[] }

/** Generates current values, finalized months and minifig values as an estimator would publish them for the paths. */
export function generateValues(
  seed: number,
  catalog: SyntheticCatalog,
  paths: Map<string, ValuePath>,
  today: Date,
): Values {
  const calculatedAt = new Date(utcDayOf(today) * 86_400_000).toISOString()
  const values: Values = { setValues: [], setMonths: [], minifigValues: [] }
  for (const set of catalog.sets) {
    const random = randomStream(seed, `value ${set.set_number}`)
    const sealedRate = random.lognormal(4, 0.9)
    const rates = { sealed: sealedRate, used: sealedRate * random.lognormal(0.7, 0.4) }
    for (const condition of CONDITIONS) {
      const estimates = estimateMonths(
        random,
        paths.get(set.set_number)?.[condition] ?? [],
        rates[condition],
        SALE_SPREAD[condition],
      )
      const value =
        estimates.length === 0 || random.chance(0.02) ? NO_ESTIMATE : elementAt(estimates, estimates.length - 1)
      values.setValues.push({ set_number: set.set_number, condition, ...columnsOf(value), calculated_at: calculatedAt })
      const events = lifecycleEvents(set, catalog.lifecycles.get(set.set_number))
      values.setMonths.push(...toFinalizedMonths(random, set.set_number, condition, estimates, events, utcDayOf(today)))
    }
  }
  const random = randomStream(seed, 'minifig values')
  values.minifigValues = catalog.minifigs.map((minifig) => generateMinifigValue(random, minifig, calculatedAt))
  return values
}

type Estimate = Omit<ValueColumns, 'calculated_at'> & { sales: number }

const NO_ESTIMATE: Estimate = {
  value_cents: null,
  range_low_cents: null,
  range_high_cents: null,
  data_tier: 'none',
  sales: 0,
}

// One estimate per month of the path, from its own sales and those of the month before.
function estimateMonths(random: Random, truth: number[], rate: number, spread: number): Estimate[] {
  let before = 0
  return truth.map((cents) => {
    const sales = random.poisson(rate)
    const estimates = estimate(random, cents, sales + before, spread)
    before = sales
    return { ...estimates, sales }
  })
}

function toFinalizedMonths(
  random: Random,
  set_number: string,
  condition: Condition,
  estimates: Estimate[],
  events: Map<number, SetEvent>,
  todayDay: number,
): SetMonthRow[] {
  const firstMonth = monthOfDay(todayDay) - estimates.length + 1
  const last = latestFinalizableMonth(formatDay(todayDay))
  const months: SetMonthRow[] = []
  for (let month = Math.max(firstMonth, last - MONTHS + 1); month <= last; month++) {
    const columns = monthColumns(random, elementAt(estimates, month - firstMonth))
    months.push({
      set_number,
      condition,
      month: `${formatMonth(month)}-01`,
      ...columns,
      event: events.get(month) ?? null,
    })
  }
  return months
}

// The range is the 80 % prediction interval of the next sale, as in the valuation: wider with fewer sales.
function estimate(random: Random, trueCents: number, sales: number, spread: number): Estimate {
  const cents = Math.max(10, trueCents * Math.exp(random.normal(0, (0.5 * spread) / Math.sqrt(sales + 1))))
  const sd = Math.sqrt(1.15 * spread ** 2 + 0.04 / (1 + Math.min(sales, 20)) + 0.0009)
  return {
    value_cents: Math.round(cents),
    range_low_cents: Math.round(cents * Math.exp(-NORMAL_P90 * sd)),
    range_high_cents: Math.round(cents * Math.exp(NORMAL_P90 * sd)),
    data_tier: tierOf(sales),
    sales,
  }
}

function tierOf(sales: number): DataTier {
  if (sales >= 5) return 'market'
  return sales >= 2 ? 'thin' : 'modelled'
}

function columnsOf({ value_cents, range_low_cents, range_high_cents, data_tier }: Estimate) {
  return { value_cents, range_low_cents, range_high_cents, data_tier }
}

// Range and count could reveal individual sales if there are fewer than three, so a thin month has only its value.
function monthColumns(random: Random, { value_cents, range_low_cents, range_high_cents, sales }: Estimate) {
  if (sales >= 3) return { value_cents, range_low_cents, range_high_cents, sales_count: sales }
  const nothing = sales === 0 && random.chance(0.3)
  return { value_cents: nothing ? null : value_cents, range_low_cents: null, range_high_cents: null, sales_count: null }
}

// Of two events in a month the later one wins. A set with an unknown release date has no events.
function lifecycleEvents(set: SetRow, life: SetLifecycle | undefined): Map<number, SetEvent> {
  if (life === undefined || set.release_date === null) return new Map()
  const retired = monthOfDay(life.retireDay)
  const events = new Map<number, SetEvent>([
    [monthOfDay(life.releaseDay), 'released'],
    [retired - RETIRING_SOON_MONTHS, 'retiring_soon'],
    [retired, 'retired'],
  ])
  return life.rereleaseDay === null ? events : events.set(monthOfDay(life.rereleaseDay), 'rereleased')
}

function generateMinifigValue(random: Random, minifig: MinifigRow, calculatedAt: string): MinifigValueRow {
  const sales = random.poisson(random.lognormal(5, 0.9))
  const value = estimate(random, Math.max(60, random.lognormal(650, 0.8)), sales, SALE_SPREAD.minifig)
  const columns = columnsOf(random.chance(0.03) ? NO_ESTIMATE : value)
  return { minifig_number: minifig.minifig_number, ...columns, calculated_at: calculatedAt }
}
