type Bucket = { used: number; at: number }

/** What one network may try, and what everyone together may. */
const NETWORK = { burst: 50, refillPerSecond: 1 }
const TOTAL = { burst: 5000, refillPerSecond: 1000 }
const MAX_TRACKED_NETWORKS = 10_000

/**
 * Limits how many unknown keys a network may try, and all of them together: beyond that, guesses are rejected without a
 * query. An attempt is taken before the lookup, so that many at once don't all pass, and given back if the key exists.
 * Keys that are already cached are never affected.
 */
export class FailedLookupLimiter {
  readonly #buckets = new Map<string, Bucket>()
  #totalBucket: Bucket
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
    this.#totalBucket = { used: 0, at: now() }
  }

  /** Takes an attempt; returns false if none is left. */
  take(network: string): boolean {
    const used = this.#usedBy(this.#buckets.get(network), NETWORK)
    const usedByAll = this.#usedBy(this.#totalBucket, TOTAL)
    if (used > NETWORK.burst - 1 || usedByAll > TOTAL.burst - 1) return false
    this.#save(network, used + 1)
    this.#totalBucket = { used: usedByAll + 1, at: this.#now() }
    return true
  }

  /** Gives an attempt back. */
  refund(network: string): void {
    this.#save(network, Math.max(0, this.#usedBy(this.#buckets.get(network), NETWORK) - 1))
    this.#totalBucket = { used: Math.max(0, this.#usedBy(this.#totalBucket, TOTAL) - 1), at: this.#now() }
  }

  #save(network: string, used: number): void {
    this.#buckets.delete(network)
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size >= MAX_TRACKED_NETWORKS && oldest !== undefined) this.#buckets.delete(oldest)
    if (used > 0) this.#buckets.set(network, { used, at: this.#now() })
  }

  #usedBy(bucket: Bucket | undefined, { refillPerSecond }: { refillPerSecond: number }): number {
    if (!bucket) return 0
    return Math.max(0, bucket.used - ((this.#now() - bucket.at) / 1000) * refillPerSecond)
  }
}
