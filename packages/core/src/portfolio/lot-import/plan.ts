import { isValidPurchaseDate, MAX_PRICE, PURCHASE_DATE_MESSAGE, type Lot } from '../lot.ts'
import type { Condition } from '../../catalog/condition.ts'
import { columnValues, type FormatName, type ImportTable, type ColumnMapping } from './format.ts'
import { toRowIdentity, createSetMatcher, type MatchableSet } from './set-matcher.ts'
import { parseRow } from './row.ts'
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
  /** Chosen set number per ambiguous text; '' skips its rows. */
  choices?: Record<string, string>
  /** A collection's id, 'new', or 'file' to use the collection column. */
  target?: string
}

export type PlannedLot = Lot & { setNumber: string; title: string; collection: string | null }

export type PlannedRow = { row: number; cells: string[] } & (
  | { state: 'ready'; lot: PlannedLot }
  /** 'choice': a choice by the user would make it ready. */
  | { state: 'choice' | 'left-out'; reason: string }
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

/**
 * Plans an import: one lot per row, even if rows are identical, and a reason for every skipped row. `today` is
 * YYYY-MM-DD.
 */
export function planImport(
  table: ImportTable,
  { format, mapping }: { format: FormatName; mapping: ColumnMapping },
  answers: ImportOptions,
  sets: MatchableSet[],
  today: string,
): ImportPlan {
  const match = createSetMatcher(sets)
  const order = answers.dates ?? inferDateOrder(columnValues(table, mapping.date))
  const defaultPrice = answers.price === undefined ? 0 : parseUsd(answers.price)
  const defaultDate = answers.date ?? today
  const isDefaultDateValid = isValidPurchaseDate(defaultDate, today)
  const choices = new Map<string, AmbiguousSet>()
  const currencies = new Set<string>()
  const missing = { condition: 0, price: 0, date: 0 }
  let ambiguousDate: ImportPlan['ambiguousDate']
  let pricesWithoutCurrency = false

  const rows = table.rows.map(({ row, cells }): PlannedRow => {
    const skip = (reason: string, state: 'choice' | 'left-out' = 'left-out') => ({ row, cells, state, reason })
    const facts = parseRow(cells, mapping, { format, order, today })
    if (typeof facts === 'string') return skip(facts)
    const identity = toRowIdentity(cells, mapping)
    const matched = match(identity)
    if (matched.kind === 'none') return skip(matched.reason)

    if (facts.day === 'unsure') ambiguousDate ??= { row, text: facts.dayText }
    if (facts.condition === undefined) missing.condition++
    if (facts.amount === undefined) missing.price++
    if (facts.day === undefined) missing.date++
    const unsigned = facts.amount?.currency === null
    pricesWithoutCurrency ||= unsigned
    const currency = facts.amount?.currency ?? (unsigned ? answers.currency : 'USD')
    if (currency !== undefined && currency !== 'USD') currencies.add(currency)
    const rate = currency === 'USD' ? 1 : parseExchangeRate(answers.rates?.[currency ?? ''])
    const price = facts.amount === undefined ? defaultPrice : Math.round(facts.amount.cents * (rate ?? 0))

    const key = identity.number || identity.title
    let set = matched.kind === 'found' ? matched.set : undefined
    if (matched.kind === 'choice') {
      const choice = choices.get(key) ?? { key, row, rows: 0, candidates: matched.candidates }
      choices.set(key, { ...choice, rows: choice.rows + 1 })
      set = matched.candidates.find(({ set_number }) => set_number === answers.choices?.[key])
      if (!set)
        return skip(`${key} can be ${matched.candidates.map((candidate) => candidate.set_number).join(', ')}`, 'choice')
    }
    if (!set) return skip('it names no set')
    if (facts.day === 'unsure') return skip(`the date ${facts.dayText} can be read in two ways`, 'choice')
    if (currency === undefined) return skip('the currency of its price is not told yet', 'choice')
    if (rate === undefined) return skip(`one ${currency} in dollars is not told yet`, 'choice')
    if (price === undefined) return skip('what one cost is not told yet', 'choice')
    if (price > MAX_PRICE) return skip('its price is too high')
    if (facts.day === undefined && !isDefaultDateValid) return skip('its day is not told yet', 'choice')
    const lot: PlannedLot = {
      setNumber: set.set_number,
      title: set.title,
      quantity: facts.quantity,
      condition: facts.condition ?? answers.condition ?? 'sealed',
      status: facts.status,
      price,
      date: facts.day ?? defaultDate,
      notes: facts.notes,
      collection: facts.collection,
    }
    return { row, cells, state: 'ready', lot }
  })
  return {
    rows,
    choices: [...choices.values()],
    ambiguousDate,
    pricesWithoutCurrency,
    currencies: [...currencies].sort(),
    missing,
    invalidDefaults: {
      price: missing.price > 0 && defaultPrice === undefined ? PRICE_MESSAGE : undefined,
      date: missing.date > 0 && !isDefaultDateValid ? PURCHASE_DATE_MESSAGE : undefined,
    },
  }
}

const PRICE_MESSAGE = 'What one cost must be an amount of dollars like 12.50; 0 for a gift.'

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
export function unansweredQuestions(plan: ImportPlan, answers: ImportOptions): string[] {
  const open: string[] = []
  if (plan.ambiguousDate) open.push('Say whether the day or the month comes first in dates.')
  if (plan.pricesWithoutCurrency && answers.currency === undefined) open.push('Say in which currency the prices are.')
  for (const code of plan.currencies) {
    if (parseExchangeRate(answers.rates?.[code]) === undefined) open.push(`Say how many US dollars one ${code} is.`)
  }
  for (const rule of [plan.invalidDefaults.price, plan.invalidDefaults.date]) if (rule !== undefined) open.push(rule)
  return open
}
