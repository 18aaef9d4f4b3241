import type { RetailObservation, SellerType } from '../source/retail-observation.ts'

/** The state of one product at one retailer as of its last successful observation. */
export type RetailState = {
  price: number | null
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
  /** Observations that told nothing: failed fetches, hidden prices. */
  errors: number
}

/** Everything the next observation in order needs to know of those before it. Plain JSON. */
export type RetailAccumulator = {
  /** The instant of the last observation, of whatever kind. */
  lastAt: number | null
  errors: number
  lastObservation: LastObservation | null
  /** The last known list price: a source that does not mention it has not abolished it. */
  listPrice: number | null
  /** The last non-null price, since when it stands, and the different one before it. */
  currentPrice: { price: number; since: number; before: number | null } | null
  lowest: number | null
  /** Prices too low to believe yet, each with its first sighting; only those under `lowest` are kept. */
  unconfirmedLows: { price: number; firstAt: number }[]
  /** Whether the retailer sold before the third parties seen since, and how many of them (up to 2). */
  soldByRetailer: boolean
  thirdPartySightings: number
  /** Whether the days of its changes are kept (`retail-day.ts`); a fold from before that has its product computed anew. */
  tracksDailyChanges: boolean
}

/** What is shown as the last successful observation had it. */
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

/** The state after these observations, in whatever order and however often they came; null if none told anything. */
export function retailState(observations: readonly RetailObservation[]): RetailState | null {
  return toRetailState(reduceObservations(observations))
}

/** All observations of a product from the beginning, to store and go on from. */
export function reduceObservations(observations: readonly RetailObservation[]): RetailAccumulator {
  return dedupeAndSort(observations).reduce(applyObservation, initialAccumulator)
}

/** Each observation once, in the order in which they are folded. */
export function dedupeAndSort(observations: readonly RetailObservation[]): RetailObservation[] {
  return resolveConflicts(dedupe(observations))
}

/**
 * Whether an observation may simply be added: only if it is later than all before. At the same instant it may be a
 * copy, or outrank what was folded, so the product is computed anew. That an event id is new is the store's promise.
 */
export function canAppend(applyObservation: RetailAccumulator, observation: RetailObservation): boolean {
  return applyObservation.lastAt === null || observation.at > applyObservation.lastAt
}

/** The fold with the next observation in order. */
export function applyObservation(before: RetailAccumulator, observation: RetailObservation): RetailAccumulator {
  const lastAt = observation.at
  if (isInconclusive(observation)) return { ...before, lastAt, errors: before.errors + 1 }
  const { at, sellerType, inStock, lowestFba, fbaSellers, buyBox } = observation
  // A product that is sold out has no price, even where the page still shows one.
  const price = inStock === false ? null : observation.price
  const listPrice = observation.listPrice ?? before.listPrice
  return {
    lastAt,
    errors: before.errors,
    lastObservation: { at, price, sellerType, inStock, lowestFba, fbaSellers, buyBox },
    listPrice,
    currentPrice: price === null ? before.currentPrice : nextPrice(before.currentPrice, price, at),
    ...nextLowest(before, inStock === true ? price : null, listPrice, at),
    ...nextSellers(before, sellerType),
    tracksDailyChanges: before.tracksDailyChanges,
  }
}

/** What a fold shows; null before the first successful observation. */
export function toRetailState(applyObservation: RetailAccumulator): RetailState | null {
  const { lastObservation, currentPrice, lowest } = applyObservation
  if (lastObservation === null) return null
  return {
    price: lastObservation.price,
    listPrice: applyObservation.listPrice,
    sellerType: lastObservation.sellerType,
    inStock: lastObservation.inStock,
    lastChange: currentPrice && currentPrice.before !== null ? currentPrice.price - currentPrice.before : null,
    changedAt: currentPrice && currentPrice.before !== null ? currentPrice.since : null,
    lowest,
    atLowest: lastObservation.inStock === true && lastObservation.price === lowest,
    flip1pTo3p: applyObservation.soldByRetailer && applyObservation.thirdPartySightings >= 2,
    lastCheckedAt: lastObservation.at,
    lowestFba: lastObservation.lowestFba,
    fbaSellers: lastObservation.fbaSellers,
    buyBox: lastObservation.buyBox,
    errors: applyObservation.errors,
  }
}

// Without a price, only a known stock-out says something; "in stock" without one is a hidden price.
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

/** One of each: the first to arrive, because a re-sent event changes nothing. */
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
 * By time; of those that say something at one instant only the last word stays: the higher source rank, then the later
 * arrival. An unknown never silences a known.
 */
function resolveConflicts(observations: RetailObservation[]): RetailObservation[] {
  const sorted = observations.toSorted((a, b) => a.at - b.at || a.sourceRank - b.sourceRank || byArrival(a, b))
  const winnerAt = new Map<number, RetailObservation>()
  for (const observation of sorted) if (!isInconclusive(observation)) winnerAt.set(observation.at, observation)
  return sorted.filter((observation) => isInconclusive(observation) || winnerAt.get(observation.at) === observation)
}

// The store numbers arrivals uniquely; should two ever be equal, the content settles which was first.
function byArrival(a: RetailObservation, b: RetailObservation): number {
  if (a.arrival !== b.arrival) return a.arrival - b.arrival
  const [left, right] = [contentOf(a), contentOf(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

function contentOf(observation: RetailObservation): string {
  return JSON.stringify([observation.sourceId, observation.eventId, ...payloadOf(observation)])
}
