import { isPurchaseDate, MAX_PRICE, PURCHASE_DATE_RULE, type Lot } from '../lot.ts'
import type { Condition } from '../../catalog/condition.ts'
import { columnOf, type FormatName, type ImportTable, type Mapping } from './format.ts'
import { identityOf, matcherOf, type ImportSet } from './set-matcher.ts'
import { readRow } from './row.ts'
import { provenOrder, readAmount, type DateOrder } from './parse-values.ts'

/** What was asked about a file, and answered. */
export type Answers = {
  mapping?: Mapping
  dates?: DateOrder
  /** Of amounts without a sign. */
  currency?: string
  /** US dollars for one of each other currency, as typed. */
  rates?: Record<string, string>
  /** For rows that do not say; price and date as typed. */
  condition?: Condition
  price?: string
  date?: string
  /** The set number chosen for what a row says; '' leaves it out. */
  choices?: Record<string, string>
  /** A collection's id, 'new', or 'file' for what the rows say. */
  target?: string
}

export type PlannedLot = Lot & { setNumber: string; title: string; collection: string | null }

export type PlannedRow = { row: number; cells: string[] } & (
  | { state: 'ready'; lot: PlannedLot }
  /** 'choice': an answer would make it ready. */
  | { state: 'choice' | 'left-out'; reason: string }
)

type SetChoice = { key: string; row: number; rows: number; candidates: ImportSet[] }

export type Plan = {
  rows: PlannedRow[]
  choices: SetChoice[]
  /** The first date that can be read in two ways, unless that was answered or other dates prove it. */
  unsureDate: { row: number; text: string } | undefined
  /** Whether amounts stand without a sign in a file that does not say its currency. */
  unsignedPrices: boolean
  /** Currencies other than the dollar that need a rate. */
  currencies: string[]
  /** How many rows do not say these. */
  without: { condition: number; price: number; date: number }
  /** How to write what was typed for those rows and cannot be read. */
  wrong: { price: string | undefined; date: string | undefined }
}

/**
 * What an import of this file would do: one lot a row, also when rows are identical, and a reason for every row that is
 * left out. `today` is YYYY-MM-DD.
 */
export function planImport(
  table: ImportTable,
  { format, mapping }: { format: FormatName; mapping: Mapping },
  answers: Answers,
  sets: ImportSet[],
  today: string,
): Plan {
  const match = matcherOf(sets)
  const order = answers.dates ?? provenOrder(columnOf(table, mapping.date))
  const cost = answers.price === undefined ? 0 : readDollars(answers.price)
  const bought = answers.date ?? today
  const isBought = isPurchaseDate(bought, today)
  const choices = new Map<string, SetChoice>()
  const currencies = new Set<string>()
  const without = { condition: 0, price: 0, date: 0 }
  let unsureDate: Plan['unsureDate']
  let unsignedPrices = false

  const rows = table.rows.map(({ row, cells }): PlannedRow => {
    const leave = (reason: string, state: 'choice' | 'left-out' = 'left-out') => ({ row, cells, state, reason })
    const facts = readRow(cells, mapping, { format, order, today })
    if (typeof facts === 'string') return leave(facts)
    const identity = identityOf(cells, mapping)
    const matched = match(identity)
    if (matched.kind === 'none') return leave(matched.reason)

    if (facts.day === 'unsure') unsureDate ??= { row, text: facts.dayText }
    if (facts.condition === undefined) without.condition++
    if (facts.amount === undefined) without.price++
    if (facts.day === undefined) without.date++
    const unsigned = facts.amount?.currency === null
    unsignedPrices ||= unsigned
    const currency = facts.amount?.currency ?? (unsigned ? answers.currency : 'USD')
    if (currency !== undefined && currency !== 'USD') currencies.add(currency)
    const rate = currency === 'USD' ? 1 : readRate(answers.rates?.[currency ?? ''])
    const price = facts.amount === undefined ? cost : Math.round(facts.amount.cents * (rate ?? 0))

    const key = identity.number || identity.title
    let set = matched.kind === 'found' ? matched.set : undefined
    if (matched.kind === 'choice') {
      const choice = choices.get(key) ?? { key, row, rows: 0, candidates: matched.candidates }
      choices.set(key, { ...choice, rows: choice.rows + 1 })
      set = matched.candidates.find(({ set_number }) => set_number === answers.choices?.[key])
      if (!set) return leave(`${key} can be ${matched.candidates.map((one) => one.set_number).join(', ')}`, 'choice')
    }
    if (!set) return leave('it names no set')
    if (facts.day === 'unsure') return leave(`the date ${facts.dayText} can be read in two ways`, 'choice')
    if (currency === undefined) return leave('the currency of its price is not told yet', 'choice')
    if (rate === undefined) return leave(`one ${currency} in dollars is not told yet`, 'choice')
    if (price === undefined) return leave('what one cost is not told yet', 'choice')
    if (price > MAX_PRICE) return leave('its price is too high')
    if (facts.day === undefined && !isBought) return leave('its day is not told yet', 'choice')
    const lot: PlannedLot = {
      setNumber: set.set_number,
      title: set.title,
      quantity: facts.quantity,
      condition: facts.condition ?? answers.condition ?? 'sealed',
      status: facts.status,
      price,
      date: facts.day ?? bought,
      notes: facts.notes,
      collection: facts.collection,
    }
    return { row, cells, state: 'ready', lot }
  })
  return {
    rows,
    choices: [...choices.values()],
    unsureDate,
    unsignedPrices,
    currencies: [...currencies].sort(),
    without,
    wrong: {
      price: without.price > 0 && cost === undefined ? PRICE_RULE : undefined,
      date: without.date > 0 && !isBought ? PURCHASE_DATE_RULE : undefined,
    },
  }
}

const PRICE_RULE = 'What one cost must be an amount of dollars like 12.50; 0 for a gift.'

/** Cents of dollars as somebody may type them ($20, 12,50), or undefined unless that is certain. */
function readDollars(text: string): number | undefined {
  const amount = readAmount(text)
  if (amount === undefined || amount === 'unsure' || (amount.currency ?? 'USD') !== 'USD') return undefined
  return amount.cents > MAX_PRICE ? undefined : amount.cents
}

/** US dollars for one of another currency. */
export function readRate(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,4}(\.\d{1,6})?$/.test(text.trim()) && Number(text) > 0 ? Number(text) : undefined
}

/** The questions without whose answer rows would be left out that need not be. */
export function openQuestions(plan: Plan, answers: Answers): string[] {
  const open: string[] = []
  if (plan.unsureDate) open.push('Say whether the day or the month comes first in dates.')
  if (plan.unsignedPrices && answers.currency === undefined) open.push('Say in which currency the prices are.')
  for (const code of plan.currencies) {
    if (readRate(answers.rates?.[code]) === undefined) open.push(`Say how many US dollars one ${code} is.`)
  }
  for (const rule of [plan.wrong.price, plan.wrong.date]) if (rule !== undefined) open.push(rule)
  return open
}
