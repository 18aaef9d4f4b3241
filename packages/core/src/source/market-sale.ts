export type ItemKind = 'set' | 'minifig'

/** The sales of one item in one condition, `PACKED_FIELDS` big-endian integers each. */
export type PackedMarketSales = { item_number: string; condition: 'sealed' | 'used'; packed: Buffer }

/**
 * In the order they are packed: day of sale, cents, quantity, seller, buyer (hashes, 0 when not told), what the source
 * says against it (0 nothing, 1 lot, 2 parts only, 3 unknown offer), the day it became known, the day its return became
 * known, the days since when seller and buyer are known to have traded other items (the latter three 2^31 − 1 for never).
 */
export const PACKED_FIELDS = 10
