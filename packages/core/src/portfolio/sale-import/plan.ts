import { createSetMatcher, type MatchableSet } from '../lot-import/set-matcher.ts'
import { isValidPurchaseDate } from '../lot.ts'
import type { Condition } from '../../catalog/condition.ts'
import type { LedgerSale } from '../ledger-sale.ts'
import { allocateUnits, type SellableLot } from '../lot-allocation.ts'
import type { OrderLine } from './ebay-report.ts'

/** What was asked about a report, and answered. */
export type SaleImportOptions = {
  /** From the oldest lots of a condition, or from none, when the cost is not known. */
  from: Condition | 'none'
  /** The set number that somebody gave for a row. */
  sets: Map<number, string>
}

type PlannedSale = LedgerSale & {
  setNumber: string
  setTitle: string
  order: { number: string; line: string }
  /** Why its cost is not known. */
  unknownCost: string | undefined
}

export type PlannedSaleRow = { row: number; order: string; title: string } & (
  | { state: 'ready'; sale: PlannedSale }
  /** 'choice': it needs a set number; 'known': it was imported before. */
  | { state: 'choice' | 'known' | 'left-out'; reason: string }
)

/** The base numbers by which the sets of a report can be looked up. */
export function collectBaseNumbers(lines: OrderLine[], { sets }: SaleImportOptions): string[] {
  const numbers = lines.flatMap((line) => [sets.get(line.row) ?? '', line.sku, ...setNumberCandidates(line.title)])
  return [...new Set(numbers.filter((number) => number !== '').map((number) => number.toLowerCase().split('-')[0]!))]
}

/**
 * What an import of this report would do, row by row. Units are taken in the order of the sales; where there are not
 * enough, the sale is kept with its cost unknown. `known` tells what was imported before; `today` is YYYY-MM-DD.
 */
export function planSaleImport(
  lines: OrderLine[],
  answers: SaleImportOptions,
  sets: MatchableSet[],
  lots: (SellableLot & { setNumber: string })[],
  isImported: (order: string, line: string) => boolean,
  today: string,
): PlannedSaleRow[] {
  const find = createSetFinder(sets)
  const remainingLots = new Map(lots.map((lot) => [lot.id, { ...lot }]))
  const plan = (line: OrderLine): PlannedSaleRow => {
    const { row, order, title } = line
    const skip = (state: 'choice' | 'known' | 'left-out', reason: string) => ({ row, order, title, state, reason })
    if (isImported(order, line.line)) return skip('known', 'imported before')
    if ('problem' in line) return skip('left-out', line.problem)
    if (!isValidPurchaseDate(line.date, today)) return skip('left-out', 'its date is not in the past')
    const set = find(line, answers.sets.get(row))
    if (typeof set === 'string') return skip('choice', set)
    const own = [...remainingLots.values()].filter((lot) => lot.setNumber === set.set_number)
    const takes =
      answers.from === 'none' ? [] : allocateUnits(own, { condition: answers.from }, line.quantity, line.date)
    const taken = typeof takes === 'string' ? [] : takes
    for (const take of taken) remainingLots.get(take.lotId)!.quantity -= take.quantity
    const sale: PlannedSale = {
      setNumber: set.set_number,
      setTitle: set.title,
      platform: 'ebay',
      date: line.date,
      quantity: line.quantity,
      gross: line.gross,
      platformFees: line.fees,
      paymentFees: 0,
      shipping: line.shipping,
      cost: taken.length === 0 ? null : taken.reduce((sum, take) => sum + take.cost, 0),
      allocations: taken,
      order: { number: order, line: line.line },
      unknownCost: typeof takes === 'string' ? takes : undefined,
    }
    return { row, order, title, state: 'ready', sale }
  }
  const planned = new Map(lines.toSorted(byDateThenRow).map((line) => [line, plan(line)]))
  return lines.map((line) => planned.get(line)!)
}

function byDateThenRow(a: OrderLine, b: OrderLine): number {
  const [one, other] = [a, b].map((line) => ('date' in line ? line.date : '')) as [string, string]
  return one === other ? a.row - b.row : one < other ? -1 : 1
}

/** Finds the set that a line means: as somebody said, else by the seller's mark, else by a number in the title. */
function createSetFinder(
  sets: MatchableSet[],
): (line: OrderLine, override: string | undefined) => MatchableSet | string {
  const match = createSetMatcher(sets)
  const byNumber = (number: string) => match({ number, barcode: '', title: '' })
  return ({ sku, title }, override) => {
    const asked = override ?? ''
    if (asked !== '') {
      const found = byNumber(asked)
      if (found.kind === 'found') return found.set
      if (found.kind === 'none') return `there is no set ${asked}`
      return `${asked} can be ${found.candidates.map((set) => set.set_number).join(', ')}`
    }
    const marked = sku === '' ? undefined : byNumber(sku)
    if (marked?.kind === 'found') return marked.set
    const named = setNumberCandidates(title).map(byNumber)
    const found = new Map(named.flatMap((one) => (one.kind === 'found' ? [[one.set.set_number, one.set]] : [])))
    const open = named.flatMap((one) => (one.kind === 'choice' ? one.candidates : []))
    const [only] = found.values()
    if (only && found.size === 1 && open.length === 0) return only
    const could = [...found.keys(), ...open.map((set) => set.set_number)]
    return could.length === 0 ? 'no set number in its title is known' : `it can be ${could.join(', ')}`
  }
}

/** Runs of digits in a title that can be a set number, with a variant when it has one; each once. */
function setNumberCandidates(title: string): string[] {
  const found = title.matchAll(/(?<![\d.,$-])\d{3,7}(?:-\d{1,2})?(?![\d.,-]\d|\d)/g)
  return [...new Set(found.map(([number]) => number))]
}
