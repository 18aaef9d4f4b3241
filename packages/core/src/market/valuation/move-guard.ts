import type { MarketSale } from './usable-sales.ts'

/**
 * Where a value is expected, from an earlier value or a prior: a new log value may be outside of this range by `maxMove`
 * without further evidence.
 */
export type Anchor = { low: number; high: number; maxMove: number }

/** Sales of an item, oldest first, with their weights and their log prices adjusted to the present. */
export type MoveEvidence = { sales: readonly MarketSale[]; weights: Float64Array; logPrices: Float64Array }

const SUPPORT_DAYS = 180
/** A larger move needs this many independent parties. */
const MIN_PARTIES = 5
/** A seller who has traded nothing else may have been made up. */
const UNKNOWN_SELLER_WEIGHT = 0.5
/** Of the latest sales, by weight, this share must be on the new side of the move. */
const MIN_SHARE = 2 / 3
/** While this many sales at the old price were to be expected, at most a quarter of them may have happened. */
const EXPECTED_OLD_SALES = 7
const MAX_OLD_RATIO = 0.25
/** If an item sells so rarely that fewer were to be expected, this is long enough. */
const MAX_SPAN_DAYS = 60

/** Returns the log value that the evidence supports: `to`, or as much of the way from an anchor as is allowed without. */
export function limitMove(to: number, anchors: readonly Anchor[], evidence: MoveEvidence, asOf: number): number {
  let limited = to
  for (const { low, high, maxMove } of anchors) {
    const from = Math.min(Math.max(limited, low), high)
    const move = limited - from
    if (Math.abs(move) > maxMove && !isSupported(from, to, evidence, asOf)) {
      limited = from + Math.sign(move) * maxMove
    }
  }
  return limited
}

/**
 * Whether a run of the latest sales supports a move: five independent parties, few sales at the old price meanwhile, and
 * enough time that there would have been some. Fake sales don't keep other people from selling at the old price; that is
 * all that tells them from a true move if the source doesn't name the parties.
 */
function isSupported(from: number, to: number, { sales, weights, logPrices }: MoveEvidence, asOf: number): boolean {
  const middle = (from + to) / 2
  const isNewSide = (index: number) => logPrices[index]! > middle === to > from
  const first = sales.findIndex(({ day }) => day > asOf - SUPPORT_DAYS)
  if (first === -1) return false
  let oldWeight = 0
  for (let index = first; index < sales.length; index++) if (!isNewSide(index)) oldWeight += weights[index]!
  const parties = new IndependentParties()
  let newWeight = 0
  let total = 0
  for (let index = sales.length - 1; index >= first; index--) {
    total += weights[index]!
    if (!isNewSide(index)) continue
    newWeight += weights[index]!
    parties.add(sales[index]!)
    if (newWeight < MIN_SHARE * total || !parties.areEnough()) continue
    const { day } = sales[index]!
    const old = total - newWeight
    const rateBefore = (oldWeight - old) / Math.max(1, day - sales[first]!.day)
    if (isOldPriceGone(old, asOf - day, rateBefore)) return true
  }
  return false
}

/**
 * Whether sales at the old price have become so rare that it is no coincidence: `old` of them in the last `span` days,
 * and `rateBefore` a day before that.
 */
function isOldPriceGone(old: number, span: number, rateBefore: number): boolean {
  const expected = rateBefore * span
  return (expected >= EXPECTED_OLD_SALES || span >= MAX_SPAN_DAYS) && old <= MAX_OLD_RATIO * Math.max(expected, 1)
}

/** Counts sellers and buyers. Where the source names none, each day counts as one seller and each sale as one buyer. */
class IndependentParties {
  readonly #sellers = new Map<string, number>()
  readonly #buyers = new Set<string>()

  add({ id, day, seller, buyer, sellerEstablished }: MarketSale): void {
    if (seller === null) this.#sellers.set(`day ${day}`, 1)
    else this.#sellers.set(`seller ${seller}`, sellerEstablished ? 1 : UNKNOWN_SELLER_WEIGHT)
    this.#buyers.add(buyer === null ? `sale ${id}` : `buyer ${buyer}`)
  }

  areEnough(): boolean {
    if (this.#buyers.size < MIN_PARTIES) return false
    let sellers = 0
    for (const weight of this.#sellers.values()) sellers += weight
    return sellers >= MIN_PARTIES
  }
}
