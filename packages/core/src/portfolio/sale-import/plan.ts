import { createSetMatcher, type MatchableSet } from '../lot-import/set-matcher.ts'
import { isValidPurchaseDate } from '../lot.ts'
import type { Condition } from '../../catalog/condition.ts'
import type { Sale } from '../sale.ts'
import { allocateUnits, totalCost, type SellableLot } from '../lot-allocation.ts'
import type { OrderLine } from './ebay-report.ts'

/** The user's choices for importing a report. */
export type SaleImportOptions = {
  /** The condition whose oldest lots the units come from, or 'none', which leaves the cost unknown. */
  from: Condition | 'none'
  /** Set numbers entered by the user, by row. */
  sets: Map<number, string>
}

type PlannedSale = Sale & {
  item: string
  setTitle: string
  order: { number: string; line: string }
  /** Why its cost is unknown. */
  unknownCost: string | undefined
}

export type PlannedSaleRow = { row: number; order: string; title: string } & (
  | { state: 'ready'; sale: PlannedSale }
  /** 'choice': it needs a set number; 'known': it was already imported. */
  | { state: 'choice' | 'known' | 'skipped'; reason: string }
)

/** Collects the base numbers for looking up the sets of a report. */
export function collectBaseNumbers(lines: OrderLine[], { sets }: SaleImportOptions): string[] {
  const numbers = lines.flatMap((line) => [sets.get(line.row) ?? '', line.sku, ...setNumberCandidates(line.title)])
  return [...new Set(numbers.filter((number) => number !== '').map((number) => number.toLowerCase().split('-')[0]!))]
}

/**
 * Plans the import of a report, row by row. Units are allocated in order of sale date; if there are not enough, the
 * sale is imported with unknown cost. `isImported` reports whether a line was already imported; `today` is YYYY-MM-DD.
 */
export function planSaleImport(
  lines: OrderLine[],
  importOptions: SaleImportOptions,
  sets: MatchableSet[],
  lots: (SellableLot & { item: string })[],
  isImported: (order: string, line: string) => boolean,
  today: string,
): PlannedSaleRow[] {
  const find = createSetFinder(sets)
  const remainingLots = new Map(lots.map((lot) => [lot.id, { ...lot }]))
  const plan = (line: OrderLine): PlannedSaleRow => {
    const { row, order, title } = line
    const skip = (state: 'choice' | 'known' | 'skipped', reason: string) => ({ row, order, title, state, reason })
    if (isImported(order, line.line)) return skip('known', 'Already imported')
    if ('problem' in line) return skip('skipped', line.problem)
    if (!isValidPurchaseDate(line.date, today)) return skip('skipped', 'Date is in the future')
    const set = find(line, importOptions.sets.get(row))
    if (typeof set === 'string') return skip('choice', set)
    const own = [...remainingLots.values()].filter((lot) => lot.item === set.set_number)
    const result =
      importOptions.from === 'none'
        ? []
        : allocateUnits(own, { condition: importOptions.from }, line.quantity, line.date)
    const taken = typeof result === 'string' ? [] : result
    for (const allocation of taken) remainingLots.get(allocation.lotId)!.quantity -= allocation.quantity
    const sale: PlannedSale = {
      item: set.set_number,
      setTitle: set.title,
      platform: 'ebay',
      date: line.date,
      quantity: line.quantity,
      gross: line.gross,
      platformFees: line.fees,
      paymentFees: 0,
      shipping: line.shipping,
      cost: taken.length === 0 ? null : totalCost(taken),
      allocations: taken,
      order: { number: order, line: line.line },
      unknownCost: typeof result === 'string' ? result : undefined,
    }
    return { row, order, title, state: 'ready', sale }
  }
  const planned = new Map(lines.toSorted(byDateThenRow).map((line) => [line, plan(line)]))
  return lines.map((line) => planned.get(line)!)
}

function byDateThenRow(a: OrderLine, b: OrderLine): number {
  const [dateA, dateB] = [a, b].map((line) => ('date' in line ? line.date : '')) as [string, string]
  return dateA === dateB ? a.row - b.row : dateA < dateB ? -1 : 1
}

/**
 * Returns a function that finds a line's set: by the user's number, then the custom label, then a number in the title.
 */
function createSetFinder(
  sets: MatchableSet[],
): (line: OrderLine, override: string | undefined) => MatchableSet | string {
  const match = createSetMatcher(sets)
  const byNumber = (number: string) => match({ number, barcode: '', title: '' })
  return ({ sku, title }, override) => {
    const requested = override ?? ''
    if (requested !== '') {
      const found = byNumber(requested)
      if (found.kind === 'found') return found.set
      if (found.kind === 'none') return `Set ${requested} not found`
      return `${requested} matches several sets: ${found.candidates.map((set) => set.set_number).join(', ')}`
    }
    const marked = sku === '' ? undefined : byNumber(sku)
    if (marked?.kind === 'found') return marked.set
    const named = setNumberCandidates(title).map(byNumber)
    const found = new Map(
      named.flatMap((result) => (result.kind === 'found' ? [[result.set.set_number, result.set]] : [])),
    )
    const open = named.flatMap((result) => (result.kind === 'choice' ? result.candidates : []))
    const [only] = found.values()
    if (only && found.size === 1 && open.length === 0) return only
    const candidates = [...found.keys(), ...open.map((set) => set.set_number)]
    return candidates.length === 0 ? 'No known set number in the title' : `Could be ${candidates.join(', ')}`
  }
}

/** Returns the distinct numbers in a title that can be set numbers, with a variant if there is one. */
function setNumberCandidates(title: string): string[] {
  const found = title.matchAll(/(?<![\d.,$-])\d{3,7}(?:-\d{1,2})?(?![\d.,-]\d|\d)/g)
  return [...new Set(found.map(([number]) => number))]
}
