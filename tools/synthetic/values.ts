import { CONDITIONS } from '@brickmark/core/catalog/condition'
import { usdText } from '@brickmark/core/primitives/money'
import { dayOf, dayText, monthText } from '@brickmark/core/primitives/calendar'
import { lastDueMonth } from '@brickmark/core/market/month-finalization'
import { at, randomStream, type Random } from './random.ts'
import { monthOfDay, RETIRING_SOON_MONTHS } from './set-lifecycle.ts'
import type {
  Catalog,
  Condition,
  DataTier,
  MinifigRow,
  MinifigValueRow,
  SetEvent,
  SetLife,
  SetMonthRow,
  SetRow,
  SetValueRow,
  ValueColumns,
  ValuePath,
} from './types.ts'

const MONTHS = 36
const SALE_SPREAD = { sealed: 0.11, used: 0.17, minifig: 0.2 }
const EIGHTY_PERCENT = 1.2816

type Values = { setValues: SetValueRow[]; setMonths: SetMonthRow[]; minifigValues: MinifigValueRow[] }

/** What an estimator would have made of the true paths: values of today, finalized months, values of minifigs. */
export function inventValues(seed: number, catalog: Catalog, paths: Map<string, ValuePath>, today: Date): Values {
  const calculatedAt = new Date(dayOf(today) * 86_400_000).toISOString()
  const values: Values = { setValues: [], setMonths: [], minifigValues: [] }
  for (const set of catalog.sets) {
    const random = randomStream(seed, `value ${set.set_number}`)
    const sealedRate = random.lognormal(4, 0.9)
    const rates = { sealed: sealedRate, used: sealedRate * random.lognormal(0.7, 0.4) }
    for (const condition of CONDITIONS) {
      const seen = watch(random, paths.get(set.set_number)?.[condition] ?? [], rates[condition], SALE_SPREAD[condition])
      const value = seen.length === 0 || random.chance(0.02) ? NO_VALUE : at(seen, seen.length - 1)
      values.setValues.push({ set_number: set.set_number, condition, ...columnsOf(value), calculated_at: calculatedAt })
      const events = eventsOf(set, catalog.lives.get(set.set_number))
      values.setMonths.push(...finalMonths(random, set.set_number, condition, seen, events, dayOf(today)))
    }
  }
  const random = randomStream(seed, 'minifig values')
  values.minifigValues = catalog.minifigs.map((minifig) => valueMinifig(random, minifig, calculatedAt))
  return values
}

type Estimate = Omit<ValueColumns, 'calculated_at'> & { sales: number }

const NO_VALUE: Estimate = { value_usd: null, range_low_usd: null, range_high_usd: null, data_tier: 'none', sales: 0 }

// One estimate for every month of the path, from its own sales and those of the month before.
function watch(random: Random, truth: number[], rate: number, spread: number): Estimate[] {
  let before = 0
  return truth.map((cents) => {
    const sales = random.poisson(rate)
    const seen = estimate(random, cents, sales + before, spread)
    before = sales
    return { ...seen, sales }
  })
}

function finalMonths(
  random: Random,
  set_number: string,
  condition: Condition,
  seen: Estimate[],
  events: Map<number, SetEvent>,
  todayDay: number,
): SetMonthRow[] {
  const firstMonth = monthOfDay(todayDay) - seen.length + 1
  const last = lastDueMonth(dayText(todayDay))
  const months: SetMonthRow[] = []
  for (let month = Math.max(firstMonth, last - MONTHS + 1); month <= last; month++) {
    const columns = monthColumns(random, at(seen, month - firstMonth))
    months.push({
      set_number,
      condition,
      month: `${monthText(month)}-01`,
      ...columns,
      event: events.get(month) ?? null,
    })
  }
  return months
}

// A range is the 80 % interval of the next sale, as the valuation will compute it: the fewer sales, the wider.
function estimate(random: Random, trueCents: number, sales: number, spread: number): Estimate {
  const cents = Math.max(10, trueCents * Math.exp(random.normal(0, (0.5 * spread) / Math.sqrt(sales + 1))))
  const sd = Math.sqrt(1.15 * spread ** 2 + 0.04 / (1 + Math.min(sales, 20)) + 0.0009)
  const text = (amount: number) => usdText(Math.round(amount))
  return {
    value_usd: text(cents),
    range_low_usd: text(cents * Math.exp(-EIGHTY_PERCENT * sd)),
    range_high_usd: text(cents * Math.exp(EIGHTY_PERCENT * sd)),
    data_tier: tierOf(sales),
    sales,
  }
}

function tierOf(sales: number): DataTier {
  if (sales >= 5) return 'market'
  return sales >= 2 ? 'thin' : 'modelled'
}

function columnsOf({ value_usd, range_low_usd, range_high_usd, data_tier }: Estimate) {
  return { value_usd, range_low_usd, range_high_usd, data_tier }
}

// Fewer than three sales could be read back from range and count, so a thin month shows its value only.
function monthColumns(random: Random, { value_usd, range_low_usd, range_high_usd, sales }: Estimate) {
  if (sales >= 3) return { value_usd, range_low_usd, range_high_usd, sales_count: sales }
  const nothing = sales === 0 && random.chance(0.3)
  return { value_usd: nothing ? null : value_usd, range_low_usd: null, range_high_usd: null, sales_count: null }
}

// What comes later wins its month. Nothing is known to have happened to a set whose release is unknown.
function eventsOf(set: SetRow, life: SetLife | undefined): Map<number, SetEvent> {
  if (life === undefined || set.release_date === null) return new Map()
  const retired = monthOfDay(life.retireDay)
  const events = new Map<number, SetEvent>([
    [monthOfDay(life.releaseDay), 'released'],
    [retired - RETIRING_SOON_MONTHS, 'retiring_soon'],
    [retired, 'retired'],
  ])
  return life.rereleaseDay === null ? events : events.set(monthOfDay(life.rereleaseDay), 'rereleased')
}

function valueMinifig(random: Random, minifig: MinifigRow, calculatedAt: string): MinifigValueRow {
  const sales = random.poisson(random.lognormal(5, 0.9))
  const value = estimate(random, Math.max(60, random.lognormal(650, 0.8)), sales, SALE_SPREAD.minifig)
  const columns = columnsOf(random.chance(0.03) ? NO_VALUE : value)
  return { minifig_number: minifig.minifig_number, ...columns, calculated_at: calculatedAt }
}
