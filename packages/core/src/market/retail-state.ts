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
export type RetailFold = {
  /** The instant of the last observation, of whatever kind. */
  lastAt: number | null
  errors: number
  seen: Seen | null
  /** The last known list price: a source that does not mention it has not abolished it. */
  listPrice: number | null
  /** The last non-null price, since when it stands, and the different one before it. */
  run: { price: number; since: number; before: number | null } | null
  lowest: number | null
  /** Prices too low to believe yet, each with its first sighting; only those under `lowest` are kept. */
  doubtful: { price: number; firstAt: number }[]
  /** Whether the retailer sold before the third parties seen since, and how many of them (up to 2). */
  retailerSold: boolean
  thirdPartySightings: number
  /** Whether the days of its changes are kept (`retail-day.ts`); a fold from before that has its product computed anew. */
  daysKept: boolean
}

/** What is shown as the last successful observation had it. */
type Seen = Pick<RetailObservation, 'at' | 'price' | 'sellerType' | 'inStock' | 'lowestFba' | 'fbaSellers' | 'buyBox'>

export const emptyFold: RetailFold = {
  lastAt: null,
  errors: 0,
  seen: null,
  listPrice: null,
  run: null,
  lowest: null,
  doubtful: [],
  retailerSold: false,
  thirdPartySightings: 0,
  daysKept: true,
}

const DOUBTFUL_SHARE_OF_LIST = 0.25

const CONFIRMED_AFTER_MS = 30 * 60_000

/** The state after these observations, in whatever order and however often they came; null if none told anything. */
export function retailState(observations: readonly RetailObservation[]): RetailState | null {
  return stateOf(foldAll(observations))
}

/** All observations of a product from the beginning, to store and go on from. */
export function foldAll(observations: readonly RetailObservation[]): RetailFold {
  return ordered(observations).reduce(fold, emptyFold)
}

/** Each observation once, in the order in which they are folded. */
export function ordered(observations: readonly RetailObservation[]): RetailObservation[] {
  return inOrder(unique(observations))
}

/**
 * Whether an observation may simply be added: only if it is later than all before. At the same instant it may be a
 * copy, or outrank what was folded, so the product is computed anew. That an event id is new is the store's promise.
 */
export function canFold(fold: RetailFold, observation: RetailObservation): boolean {
  return fold.lastAt === null || observation.at > fold.lastAt
}

/** The fold with the next observation in order. */
export function fold(before: RetailFold, observation: RetailObservation): RetailFold {
  const lastAt = observation.at
  if (isUnknown(observation)) return { ...before, lastAt, errors: before.errors + 1 }
  const { at, sellerType, inStock, lowestFba, fbaSellers, buyBox } = observation
  // A product that is sold out has no price, even where the page still shows one.
  const price = inStock === false ? null : observation.price
  const listPrice = observation.listPrice ?? before.listPrice
  return {
    lastAt,
    errors: before.errors,
    seen: { at, price, sellerType, inStock, lowestFba, fbaSellers, buyBox },
    listPrice,
    run: price === null ? before.run : nextRun(before.run, price, at),
    ...nextLowest(before, inStock === true ? price : null, listPrice, at),
    ...nextSellers(before, sellerType),
    daysKept: before.daysKept,
  }
}

/** What a fold shows; null before the first successful observation. */
export function stateOf(fold: RetailFold): RetailState | null {
  const { seen, run, lowest } = fold
  if (seen === null) return null
  return {
    price: seen.price,
    listPrice: fold.listPrice,
    sellerType: seen.sellerType,
    inStock: seen.inStock,
    lastChange: run && run.before !== null ? run.price - run.before : null,
    changedAt: run && run.before !== null ? run.since : null,
    lowest,
    atLowest: seen.inStock === true && seen.price === lowest,
    flip1pTo3p: fold.retailerSold && fold.thirdPartySightings >= 2,
    lastCheckedAt: seen.at,
    lowestFba: seen.lowestFba,
    fbaSellers: seen.fbaSellers,
    buyBox: seen.buyBox,
    errors: fold.errors,
  }
}

// Without a price, only a known stock-out says something; "in stock" without one is a hidden price.
function isUnknown({ price, inStock }: RetailObservation): boolean {
  return price === null && inStock !== false
}

function nextRun(run: RetailFold['run'], price: number, at: number): RetailFold['run'] {
  if (run === null) return { price, since: at, before: null }
  return run.price === price ? run : { price, since: at, before: run.price }
}

function nextLowest(
  { lowest, doubtful }: RetailFold,
  price: number | null,
  listPrice: number | null,
  at: number,
): Pick<RetailFold, 'lowest' | 'doubtful'> {
  if (price === null || (lowest !== null && price >= lowest)) return { lowest, doubtful }
  if (listPrice !== null && price < listPrice * DOUBTFUL_SHARE_OF_LIST) {
    const first = doubtful.find((sighting) => sighting.price === price)
    if (first === undefined) return { lowest, doubtful: [...doubtful, { price, firstAt: at }] }
    if (at - first.firstAt < CONFIRMED_AFTER_MS) return { lowest, doubtful }
  }
  return { lowest: price, doubtful: doubtful.filter((sighting) => sighting.price < price) }
}

function nextSellers(
  { retailerSold, thirdPartySightings }: RetailFold,
  sellerType: SellerType | null,
): Pick<RetailFold, 'retailerSold' | 'thirdPartySightings'> {
  if (sellerType === null) return { retailerSold, thirdPartySightings }
  if (sellerType === 'retailer') return { retailerSold: true, thirdPartySightings: 0 }
  return { retailerSold, thirdPartySightings: Math.min(2, thirdPartySightings + 1) }
}

/** One of each: the first to arrive, because a re-sent event changes nothing. */
function unique(observations: readonly RetailObservation[]): RetailObservation[] {
  const first = new Map<string, RetailObservation>()
  for (const observation of observations) {
    const key = identityOf(observation)
    const known = first.get(key)
    if (known === undefined || byArrival(observation, known) < 0) first.set(key, observation)
  }
  return [...first.values()]
}

function identityOf(observation: RetailObservation): string {
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
function inOrder(observations: RetailObservation[]): RetailObservation[] {
  const sorted = observations.toSorted((a, b) => a.at - b.at || a.sourceRank - b.sourceRank || byArrival(a, b))
  const lastWord = new Map<number, RetailObservation>()
  for (const observation of sorted) if (!isUnknown(observation)) lastWord.set(observation.at, observation)
  return sorted.filter((observation) => isUnknown(observation) || lastWord.get(observation.at) === observation)
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
