import { barcodeKey } from '../catalog/barcode.ts'
import { changedSince, changedWithinCutoff } from '../market/retail-price.ts'

/** What `GET /brickfolio/retail-watch` can be narrowed to. All that is given must hold. */
export type WatchFilter = {
  /** Digits and `m`, `h` or `d`. */
  changedWithin?: string | undefined
  since?: Date | undefined
  asins?: string[] | undefined
  /** UPC or EAN in any spelling. */
  upcs?: string[] | undefined
}

/** What the filter looks at. */
export type WatchedSet = {
  asin: string | null
  upc: string | null
  ean: string | null
  /** Since when the price at each retailer holds. */
  changedAt: (Date | null)[]
}

export const CHANGED_WITHIN_PATTERN = /^\d+[mhd]$/

/** One or several identifiers, separated by commas. */
export function splitIdentifiers(list: string): string[] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** Whether a set is wanted. With `changedWithin` and `since` together the later cutoff counts. */
export function createWatchFilter(filter: WatchFilter, now: Date): (set: WatchedSet) => boolean {
  const cutoffs = [
    ...(filter.changedWithin === undefined ? [] : [changedWithinCutoff(filter.changedWithin, now)]),
    ...(filter.since === undefined ? [] : [filter.since]),
  ]
  const asins = filter.asins && new Set(filter.asins.map((asin) => asin.toUpperCase()))
  const codes = filter.upcs && new Set(filter.upcs.map(barcodeKey))
  return (set) =>
    cutoffs.every((cutoff) => set.changedAt.some((changedAt) => changedSince(changedAt, cutoff))) &&
    (asins === undefined || (set.asin !== null && asins.has(set.asin))) &&
    (codes === undefined || [set.upc, set.ean].some((code) => code !== null && codes.has(barcodeKey(code))))
}

/**
 * Whether a set has a retail row at all: the contract's row carries an ASIN and a UPC, so a set without either, or that no
 * retailer was ever seen to sell, has none.
 */
export function hasRetailRow<S extends { asin: string | null; upc: string | null }>(
  set: S,
  retailers: number,
): set is S & { asin: string; upc: string } {
  return set.asin !== null && set.upc !== null && retailers > 0
}
