export type ItemKind = 'set' | 'minifig'

/** The sales of one item in one condition, as `PACKED_FIELDS` big-endian integers per sale. */
export type PackedMarketSales = { item_number: string; condition: 'sealed' | 'used'; packed: Buffer }

/**
 * In packing order: day of sale, cents, quantity, seller and buyer (hashes, 0 if unknown), exclusion reason (0 none, 1
 * lot, 2 parts only, 3 unknown offer), the day the sale became known, the day its return became known, and the days
 * since when seller and buyer are known to have traded other items (2^31 − 1 for never in the last three).
 */
export const PACKED_FIELDS = 10
