import { barcodeKey } from '../catalog/barcode.ts'
import { changedSince, changedWithinCutoff } from '../market/retail/retail-price.ts'

/** Filters of `GET /brickfolio/retail-watch`; all given filters must match. */
export type WatchFilter = {
  /** Digits and `m`, `h` or `d`. */
  changedWithin?: string | undefined
  since?: Date | undefined
  asins?: string[] | undefined
  /** UPC or EAN in any format. */
  upcs?: string[] | undefined
}

/** Fields that the filter uses. */
export type WatchedSet = {
  asin: string | null
  upc: string | null
  ean: string | null
  /** By retailer: when its price last changed. */
  retail: Partial<Record<string, { changed_at: Date | null }>>
}

export const CHANGED_WITHIN_PATTERN = /^\d+[mhd]$/

/** Splits a comma-separated list of identifiers. */
export function splitIdentifiers(list: string): string[] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** Returns a predicate for the filter. If both `changedWithin` and `since` are given, the later cutoff applies. */
export function createWatchFilter(filter: WatchFilter, now: Date): (set: WatchedSet) => boolean {
  const cutoffs = [
    ...(filter.changedWithin === undefined ? [] : [changedWithinCutoff(filter.changedWithin, now)]),
    ...(filter.since === undefined ? [] : [filter.since]),
  ]
  const asins = filter.asins && new Set(filter.asins.map((asin) => asin.toUpperCase()))
  const codes = filter.upcs && new Set(filter.upcs.map(barcodeKey))
  return (set) =>
    cutoffs.every((cutoff) => Object.values(set.retail).some((state) => changedSince(state!.changed_at, cutoff))) &&
    (asins === undefined || (set.asin !== null && asins.has(set.asin))) &&
    (codes === undefined || [set.upc, set.ean].some((code) => code !== null && codes.has(barcodeKey(code))))
}
