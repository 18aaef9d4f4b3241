import type { RetailObservation, SellerType } from '../../source/retail-observation.ts'

/** The state of one product at one retailer as of its last conclusive observation. */
export type RetailState = {
  price: number | null
  /** The last price that was seen, also while the product is sold out. */
  lastPrice: number | null
  listPrice: number | null
  sellerType: SellerType | null
  inStock: boolean | null
  lastChange: number | null
  changedAt: number | null
  lowest: number | null
  atLowest: boolean
  flip1pTo3p: boolean
  lastCheckedAt: number
  lowestFba: number | null
  fbaSellers: number | null
  buyBox: number | null
  /** Number of inconclusive observations: failed fetches, hidden prices. */
  errors: number
}

/** Reduced state of all observations so far, sufficient to apply the next one in order. Plain JSON. */
export type RetailAccumulator = {
  /** Time of the last observation, conclusive or not. */
  lastAt: number | null
  errors: number
  lastObservation: LastObservation | null
  /** Last known list price; a source that omits it does not clear it. */
  listPrice: number | null
  /** The last non-null price, the time it was first observed, and the different price before it. */
  currentPrice: { price: number; since: number; before: number | null } | null
  lowest: number | null
  /** Suspiciously low prices, each with its first observation time; only those below `lowest` are kept. */
  unconfirmedLows: { price: number; firstAt: number }[]
  /** Whether the retailer ever sold the product, and the third-party observations since it last did (capped at 2). */
  soldByRetailer: boolean
  thirdPartySightings: number
  /** Whether daily changes are tracked (`retail-day.ts`); a product whose accumulator predates that is rebuilt. */
  tracksDailyChanges: boolean
}

/** The fields that are published as of the last conclusive observation. */
type LastObservation = Pick<
  RetailObservation,
  'at' | 'price' | 'sellerType' | 'inStock' | 'lowestFba' | 'fbaSellers' | 'buyBox'
>

export const initialAccumulator: RetailAccumulator = {
  lastAt: null,
  errors: 0,
  lastObservation: null,
  listPrice: null,
  currentPrice: null,
  lowest: null,
  unconfirmedLows: [],
  soldByRetailer: false,
  thirdPartySightings: 0,
  tracksDailyChanges: true,
}

const SUSPICIOUS_LIST_PRICE_RATIO = 0.25

const CONFIRMATION_DELAY_MS = 30 * 60_000

/** Computes the state from observations in any order, with duplicates; null if none is conclusive. */
export function retailState(observations: readonly RetailObservation[]): RetailState | null {
  return toRetailState(reduceObservations(observations))
}

/** Reduces all observations of a product to an accumulator that can be stored and continued from. */
export function reduceObservations(observations: readonly RetailObservation[]): RetailAccumulator {
  return dedupeAndSort(observations).reduce(applyObservation, initialAccumulator)
}

/** Removes duplicates, resolves conflicts and sorts observations into the order in which they are applied. */
export function dedupeAndSort(observations: readonly RetailObservation[]): RetailObservation[] {
  return resolveConflicts(dedupe(observations))
}

/**
 * Whether an observation can be applied incrementally: only if it is later than all before it. At the same instant it
 * may be a duplicate or outrank another, so its product is rebuilt. The store guarantees that event ids are new.
 */
export function canAppend(accumulator: RetailAccumulator, observation: RetailObservation): boolean {
  return accumulator.lastAt === null || observation.at > accumulator.lastAt
}

/** Returns the accumulator after the next observation in order. */
export function applyObservation(
  accumulatorBefore: RetailAccumulator,
  observation: RetailObservation,
): RetailAccumulator {
  const lastAt = observation.at
  if (isInconclusive(observation)) return { ...accumulatorBefore, lastAt, errors: accumulatorBefore.errors + 1 }
  const { at, sellerType, inStock, lowestFba, fbaSellers, buyBox } = observation
  // A sold-out product has no price, even if its page still shows one.
  const price = inStock === false ? null : observation.price
  const listPrice = observation.listPrice ?? accumulatorBefore.listPrice
  return {
    lastAt,
    errors: accumulatorBefore.errors,
    lastObservation: { at, price, sellerType, inStock, lowestFba, fbaSellers, buyBox },
    listPrice,
    currentPrice:
      price === null ? accumulatorBefore.currentPrice : nextPrice(accumulatorBefore.currentPrice, price, at),
    ...nextLowest(accumulatorBefore, inStock === true ? price : null, listPrice, at),
    ...nextSellers(accumulatorBefore, sellerType),
    tracksDailyChanges: accumulatorBefore.tracksDailyChanges,
  }
}

/** Converts an accumulator to the published state; null before the first conclusive observation. */
export function toRetailState(accumulator: RetailAccumulator): RetailState | null {
  const { lastObservation, currentPrice, lowest } = accumulator
  if (lastObservation === null) return null
  return {
    price: lastObservation.price,
    lastPrice: currentPrice?.price ?? null,
    listPrice: accumulator.listPrice,
    sellerType: lastObservation.sellerType,
    inStock: lastObservation.inStock,
    lastChange: currentPrice && currentPrice.before !== null ? currentPrice.price - currentPrice.before : null,
    changedAt: currentPrice && currentPrice.before !== null ? currentPrice.since : null,
    lowest,
    atLowest: lastObservation.price !== null && lastObservation.price === lowest,
    flip1pTo3p: accumulator.soldByRetailer && accumulator.thirdPartySightings >= 2,
    lastCheckedAt: lastObservation.at,
    lowestFba: lastObservation.lowestFba,
    // Nobody offers a product that is sold out.
    fbaSellers: lastObservation.fbaSellers ?? (lastObservation.inStock === false ? 0 : null),
    buyBox: lastObservation.buyBox,
    errors: accumulator.errors,
  }
}

// Without a price, only a confirmed stock-out is conclusive; "in stock" without a price means the price is hidden.
function isInconclusive({ price, inStock }: RetailObservation): boolean {
  return price === null && inStock !== false
}

function nextPrice(
  currentPrice: RetailAccumulator['currentPrice'],
  price: number,
  at: number,
): RetailAccumulator['currentPrice'] {
  if (currentPrice === null) return { price, since: at, before: null }
  return currentPrice.price === price ? currentPrice : { price, since: at, before: currentPrice.price }
}

function nextLowest(
  { lowest, unconfirmedLows }: RetailAccumulator,
  price: number | null,
  listPrice: number | null,
  at: number,
): Pick<RetailAccumulator, 'lowest' | 'unconfirmedLows'> {
  if (price === null || (lowest !== null && price >= lowest)) return { lowest, unconfirmedLows }
  if (listPrice !== null && price < listPrice * SUSPICIOUS_LIST_PRICE_RATIO) {
    const first = unconfirmedLows.find((sighting) => sighting.price === price)
    if (first === undefined) return { lowest, unconfirmedLows: [...unconfirmedLows, { price, firstAt: at }] }
    if (at - first.firstAt < CONFIRMATION_DELAY_MS) return { lowest, unconfirmedLows }
  }
  return { lowest: price, unconfirmedLows: unconfirmedLows.filter((sighting) => sighting.price < price) }
}

function nextSellers(
  { soldByRetailer, thirdPartySightings }: RetailAccumulator,
  sellerType: SellerType | null,
): Pick<RetailAccumulator, 'soldByRetailer' | 'thirdPartySightings'> {
  if (sellerType === null) return { soldByRetailer, thirdPartySightings }
  if (sellerType === 'retailer') return { soldByRetailer: true, thirdPartySightings: 0 }
  return { soldByRetailer, thirdPartySightings: Math.min(2, thirdPartySightings + 1) }
}

/** Keeps the first arrival of each event, because a resent event must not change anything. */
function dedupe(observations: readonly RetailObservation[]): RetailObservation[] {
  const first = new Map<string, RetailObservation>()
  for (const observation of observations) {
    const key = dedupeKey(observation)
    const known = first.get(key)
    if (known === undefined || byArrival(observation, known) < 0) first.set(key, observation)
  }
  return [...first.values()]
}

function dedupeKey(observation: RetailObservation): string {
  const { sourceId, eventId } = observation
  return eventId === null ? JSON.stringify([sourceId, ...payloadOf(observation)]) : JSON.stringify([sourceId, eventId])
}

function payloadOf(o: RetailObservation): (string | number | boolean | null)[] {
  return [o.at, o.price, o.listPrice, o.sellerType, o.inStock, o.lowestFba, o.fbaSellers, o.buyBox]
}

/**
 * Sorts by time. Of the conclusive observations at one instant only the one with the highest source rank, then the
 * latest arrival, is kept. An inconclusive observation never overrides a conclusive one.
 */
function resolveConflicts(observations: RetailObservation[]): RetailObservation[] {
  const sorted = observations.toSorted((a, b) => a.at - b.at || a.sourceRank - b.sourceRank || byArrival(a, b))
  const winnerAt = new Map<number, RetailObservation>()
  for (const observation of sorted) if (!isInconclusive(observation)) winnerAt.set(observation.at, observation)
  return sorted.filter((observation) => isInconclusive(observation) || winnerAt.get(observation.at) === observation)
}

// The store numbers arrivals uniquely; if two were ever equal, their content breaks the tie.
function byArrival(a: RetailObservation, b: RetailObservation): number {
  if (a.arrival !== b.arrival) return a.arrival - b.arrival
  const [left, right] = [contentOf(a), contentOf(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

function contentOf(observation: RetailObservation): string {
  return JSON.stringify([observation.sourceId, observation.eventId, ...payloadOf(observation)])
}
