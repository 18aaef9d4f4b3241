import { isValidPurchaseDate, MAX_PRICE, PURCHASE_DATE_MESSAGE, type Lot } from '../lot.ts'
import type { Condition } from '../../catalog/condition.ts'
import { columnValues, type FormatName, type ImportTable, type ColumnMapping } from './format.ts'
import { parseRow, type RowValues } from './row.ts'
import { createSetMatcher, toRowIdentity, type Match, type MatchableSet, type RowIdentity } from './set-matcher.ts'
import { inferDateOrder, parseAmount, type DateOrder } from './parse-values.ts'

/** The user's choices for importing a file. */
export type ImportOptions = {
  mapping?: ColumnMapping
  dates?: DateOrder
  /** Currency of amounts without a symbol. */
  currency?: string
  /** US dollars per unit of each other currency, as typed. */
  rates?: Record<string, string>
  /** Defaults for rows without a value; price and date as typed. */
  condition?: Condition
  price?: string
  date?: string
  /** Fills in prices and dates that have no default: with the set's, or not at all. */
  fallback?: 'retail'
  /** Chosen set number per ambiguous text; '' skips its rows. */
  choices?: Record<string, string>
  /** A collection's id, 'new', or 'file' to use the collection column. */
  target?: string
}

export type PlannedLot = Lot & { setNumber: string; title: string; collection: string | null }

export type PlannedRow = { row: number; cells: string[] } & (
  | { state: 'ready'; lot: PlannedLot }
  /** 'choice': a choice by the user would make it ready. */
  | { state: 'choice' | 'skipped'; reason: string }
)

type AmbiguousSet = { key: string; row: number; rows: number; candidates: MatchableSet[] }

export type ImportPlan = {
  rows: PlannedRow[]
  choices: AmbiguousSet[]
  /** The first ambiguous date, unless the user chose an order or other dates determine it. */
  ambiguousDate: { row: number; text: string } | undefined
  /** Whether amounts lack a symbol in a file that doesn't specify its currency. */
  pricesWithoutCurrency: boolean
  /** Currencies other than USD, which need an exchange rate. */
  currencies: string[]
  /** Number of rows without these values. */
  missing: { condition: number; price: number; date: number }
  /** Messages for typed defaults that can't be parsed. */
  invalidDefaults: { price: string | undefined; date: string | undefined }
}

type PlanInput = { format: FormatName; mapping: ColumnMapping }

/**
 * Plans an import: one lot per row, even if rows are identical, and a reason for every skipped row. `today` is
 * YYYY-MM-DD.
 */
export function planImport(
  table: ImportTable,
  input: PlanInput,
  options: ImportOptions,
  sets: MatchableSet[],
  today: string,
): ImportPlan {
  return new ImportPlanner(table, input, options, sets, today).plan()
}

/** Why a row is skipped; 'choice' if the user can change that. */
class Skip {
  readonly reason: string
  readonly state: 'choice' | 'skipped'

  constructor(reason: string, state: 'choice' | 'skipped' = 'skipped') {
    this.reason = reason
    this.state = state
  }
}

/** Plans one row after another and collects the questions they raise. */
class ImportPlanner {
  readonly #table: ImportTable
  readonly #input: PlanInput
  readonly #options: ImportOptions
  readonly #today: string
  readonly #match: (identity: RowIdentity) => Match
  readonly #dateOrder: DateOrder | undefined
  /** Null if there is no default, undefined if it can't be parsed. */
  readonly #defaultPrice: number | null | undefined
  readonly #defaultDate: string | null | undefined
  readonly #choices = new Map<string, AmbiguousSet>()
  readonly #currencies = new Set<string>()
  readonly #missing = { condition: 0, price: 0, date: 0 }
  #ambiguousDate: ImportPlan['ambiguousDate']
  #pricesWithoutCurrency = false

  constructor(table: ImportTable, input: PlanInput, options: ImportOptions, sets: MatchableSet[], today: string) {
    this.#table = table
    this.#input = input
    this.#options = options
    this.#today = today
    this.#match = createSetMatcher(sets)
    this.#dateOrder = options.dates ?? inferDateOrder(columnValues(table, input.mapping.date))
    this.#defaultPrice = options.price === undefined ? null : parseUsd(options.price)
    this.#defaultDate = options.date === undefined ? null : this.#parseDay(options.date)
  }

  plan(): ImportPlan {
    const rows = this.#table.rows.map(({ row, cells }): PlannedRow => {
      const lot = this.#planRow(row, cells)
      if (lot instanceof Skip) return { row, cells, state: lot.state, reason: lot.reason }
      return { row, cells, state: 'ready', lot }
    })
    const invalidPrice = this.#missing.price > 0 && this.#defaultPrice === undefined
    const invalidDate = this.#missing.date > 0 && this.#defaultDate === undefined
    return {
      rows,
      choices: [...this.#choices.values()],
      ambiguousDate: this.#ambiguousDate,
      pricesWithoutCurrency: this.#pricesWithoutCurrency,
      currencies: [...this.#currencies].sort(),
      missing: this.#missing,
      invalidDefaults: {
        price: invalidPrice ? PRICE_MESSAGE : undefined,
        date: invalidDate ? PURCHASE_DATE_MESSAGE : undefined,
      },
    }
  }

  #planRow(row: number, cells: string[]): PlannedLot | Skip {
    const { format, mapping } = this.#input
    const values = parseRow(cells, mapping, { format, order: this.#dateOrder, today: this.#today })
    if (typeof values === 'string') return new Skip(values)
    const identity = toRowIdentity(cells, mapping)
    const matched = this.#match(identity)
    if (matched.kind === 'none') return new Skip(matched.reason)
    // Questions are collected from every row with a set, also from rows that are skipped for another reason.
    this.#collectQuestions(row, values)
    const currency = this.#currencyOf(values)
    const set = this.#chooseSet(row, identity, matched)
    if (set instanceof Skip) return set
    const date = this.#dateOf(values, set)
    if (date instanceof Skip) return date
    const price = this.#priceOf(values, currency, set)
    if (price instanceof Skip) return price
    return {
      setNumber: set.set_number,
      title: set.title,
      quantity: values.quantity,
      condition: values.condition ?? this.#options.condition ?? 'sealed',
      status: values.status,
      price,
      date,
      notes: values.notes,
      collection: values.collection,
    }
  }

  #collectQuestions(row: number, { day, dayText, condition, amount }: RowValues): void {
    if (day === 'unsure') this.#ambiguousDate ??= { row, text: dayText }
    if (condition === undefined) this.#missing.condition++
    if (amount === undefined) this.#missing.price++
    if (day === undefined) this.#missing.date++
    if (amount?.currency === null) this.#pricesWithoutCurrency = true
  }

  /** The currency of a row's price; undefined as long as the user hasn't chosen one. */
  #currencyOf({ amount }: RowValues): string | undefined {
    const currency = amount?.currency === null ? this.#options.currency : (amount?.currency ?? 'USD')
    if (currency !== undefined && currency !== 'USD') this.#currencies.add(currency)
    return currency
  }

  #chooseSet(
    row: number,
    { number, title }: RowIdentity,
    matched: Exclude<Match, { kind: 'none' }>,
  ): MatchableSet | Skip {
    if (matched.kind === 'found') return matched.set
    const { candidates } = matched
    const key = number || title
    const choice = this.#choices.get(key) ?? { key, row, rows: 0, candidates }
    this.#choices.set(key, { ...choice, rows: choice.rows + 1 })
    const chosen = candidates.find(({ set_number }) => set_number === this.#options.choices?.[key])
    const numbers = candidates.map((candidate) => candidate.set_number).join(', ')
    return chosen ?? new Skip(`${key} matches several sets: ${numbers}`, 'choice')
  }

  #dateOf({ day, dayText }: RowValues, set: MatchableSet): string | null | Skip {
    if (day === 'unsure') return new Skip(`Ambiguous date: ${dayText}`, 'choice')
    if (day !== undefined) return day
    if (this.#defaultDate === undefined) return new Skip('Invalid default purchase date', 'choice')
    if (this.#defaultDate === null && this.#options.fallback === 'retail') {
      return this.#parseDay(set.release_date ?? '') ?? null
    }
    return this.#defaultDate
  }

  #parseDay(text: string): string | undefined {
    return isValidPurchaseDate(text, this.#today) ? text : undefined
  }

  #priceOf({ amount }: RowValues, currency: string | undefined, set: MatchableSet): number | null | Skip {
    if (currency === undefined) return new Skip('Currency needed', 'choice')
    const rate = currency === 'USD' ? 1 : parseExchangeRate(this.#options.rates?.[currency])
    if (rate === undefined) return new Skip(`Exchange rate needed for ${currency}`, 'choice')
    if (amount !== undefined) {
      const price = Math.round(amount.cents * rate)
      return price > MAX_PRICE ? new Skip('Price is too high') : price
    }
    if (this.#defaultPrice === undefined) return new Skip('Invalid default purchase price', 'choice')
    if (this.#defaultPrice === null && this.#options.fallback === 'retail') return set.msrp_cents
    return this.#defaultPrice
  }
}

const PRICE_MESSAGE = 'Enter a valid price in USD, e.g. 12.50 (0 for gifts), or leave it blank.'

/** Parses a typed amount in dollars ($20 or 12,50) to cents; undefined if it is ambiguous or in another currency. */
function parseUsd(text: string): number | undefined {
  const amount = parseAmount(text)
  if (amount === undefined || amount === 'unsure' || (amount.currency ?? 'USD') !== 'USD') return undefined
  return amount.cents > MAX_PRICE ? undefined : amount.cents
}

/** Parses an exchange rate: US dollars per unit of another currency. */
export function parseExchangeRate(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,4}(\.\d{1,6})?$/.test(text.trim()) && Number(text) > 0 ? Number(text) : undefined
}

/** Returns the open questions, whose answers would keep rows from being skipped. */
export function unansweredQuestions(plan: ImportPlan, options: ImportOptions): string[] {
  const open: string[] = []
  if (plan.ambiguousDate) open.push('Choose the date format.')
  if (plan.pricesWithoutCurrency && options.currency === undefined) open.push('Choose the currency.')
  for (const code of plan.currencies) {
    if (parseExchangeRate(options.rates?.[code]) === undefined) open.push(`Enter the exchange rate for ${code}.`)
  }
  for (const rule of [plan.invalidDefaults.price, plan.invalidDefaults.date]) if (rule !== undefined) open.push(rule)
  return open
}
