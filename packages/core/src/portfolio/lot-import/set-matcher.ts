import { barcodeKey } from '../../catalog/barcode.ts'
import type { ImportTable, ColumnMapping } from './format.ts'

/** A candidate set for the rows of a file. */
export type MatchableSet = {
  set_number: string
  title: string
  upc: string | null
  ean: string | null
  msrp_cents: number | null
  /** YYYY-MM-DD */
  release_date: string | null
}

export type RowIdentity = { number: string; barcode: string; title: string }

export type Match =
  | { kind: 'found'; set: MatchableSet }
  | { kind: 'choice'; candidates: MatchableSet[] }
  | { kind: 'none'; reason: string }

/** Extracts the values that identify a row's set. */
export function toRowIdentity(cells: string[], mapping: ColumnMapping): RowIdentity {
  const cell = (index: number | undefined) => (index === undefined ? '' : (cells[index] ?? '').trim())
  const number = cell(mapping.number).replace(/^[#']/, '')
  const variant = cell(mapping.variant)
  return {
    number: /^\d+$/.test(variant) && !/-\d+$/.test(number) && number !== '' ? `${number}-${variant}` : number,
    barcode: barcodeKey(cell(mapping.barcode)) ?? '',
    title: cell(mapping.title),
  }
}

/** Collects all keys of a file, so that its sets can be looked up in one query. */
export function collectLookupKeys({ rows }: ImportTable, mapping: ColumnMapping) {
  const keys = { bases: new Set<string>(), barcodes: new Set<string>(), titles: new Set<string>() }
  for (const { cells } of rows) {
    const { number, barcode, title } = toRowIdentity(cells, mapping)
    if (number !== '') keys.bases.add(baseNumber(number))
    if (barcode !== '') keys.barcodes.add(barcode)
    if (title !== '') keys.titles.add(title.toLowerCase())
  }
  return { bases: [...keys.bases], barcodes: [...keys.barcodes], titles: [...keys.titles] }
}

/** Returns a set number without its variant, in lower case. */
function baseNumber(number: string): string {
  return number.toLowerCase().split('-')[0] ?? ''
}

/**
 * Returns a function that finds a row's set: by number, then barcode, then title. A number with several variants, or a
 * title whose number is unknown, is never guessed: the user chooses.
 */
export function createSetMatcher(sets: MatchableSet[]): (identity: RowIdentity) => Match {
  const byNumber = new Map(sets.map((set) => [set.set_number.toLowerCase(), set]))
  const byBase = Map.groupBy(sets, (set) => baseNumber(set.set_number))
  const byTitle = Map.groupBy(sets, (set) => set.title.toLowerCase())
  const byBarcode = new Map<string, MatchableSet>()
  for (const set of sets) {
    for (const code of [set.upc, set.ean]) if (code !== null) byBarcode.set(barcodeKey(code) ?? code, set)
  }

  function matchNumber(number: string, sameTitle: MatchableSet[]): Match | undefined {
    const exact = byNumber.get(number.toLowerCase())
    const variants = /-\d+$/.test(number) ? [] : (byBase.get(baseNumber(number)) ?? [])
    if (exact && variants.length <= 1) return { kind: 'found', set: exact }
    const variantsWithTitle = variants.filter((set) => sameTitle.includes(set))
    const candidates = variantsWithTitle.length > 0 ? variantsWithTitle : variants
    return candidates.length > 0 ? toMatch(candidates) : undefined
  }

  return ({ number, barcode, title }) => {
    const sameTitle = title === '' ? [] : (byTitle.get(title.toLowerCase()) ?? [])
    const numbered = number === '' ? undefined : matchNumber(number, sameTitle)
    if (numbered) return numbered
    const coded = byBarcode.get(barcode)
    if (coded) return { kind: 'found', set: coded }
    if (sameTitle.length > 0) return number === '' ? toMatch(sameTitle) : { kind: 'choice', candidates: sameTitle }
    return { kind: 'none', reason: noMatchReason({ number, barcode, title }) }
  }
}

function noMatchReason({ number, barcode, title }: RowIdentity): string {
  if (number !== '') return `Set ${number} not found`
  if (barcode !== '') return `No set with barcode ${barcode}`
  return title === '' ? 'No set number, barcode or title' : `No set titled ${title}`
}

function toMatch(candidates: MatchableSet[]): Match {
  const [only] = candidates
  return candidates.length === 1 && only ? { kind: 'found', set: only } : { kind: 'choice', candidates }
}
