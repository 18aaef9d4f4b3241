const BURST = 50
const REFILL_PER_SECOND = 1
const MAX_TRACKED_ADDRESSES = 10_000

/**
 * Limits how many unknown keys an address may try: beyond that, guesses are rejected without a query. Keys that are already
 * cached are never affected.
 */
export class FailedLookupLimiter {
  readonly #buckets = new Map<string, { failures: number; at: number }>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Whether the address has less than one attempt left. */
  isExhausted(address: string): boolean {
    return this.#failuresOf(address) > BURST - 1
  }

  recordFailure(address: string): void {
    // Capped at the burst, so that many concurrent attempts don't block an address for longer.
    const failures = Math.min(BURST, this.#failuresOf(address) + 1)
    this.#buckets.delete(address)
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size >= MAX_TRACKED_ADDRESSES && oldest !== undefined) this.#buckets.delete(oldest)
    this.#buckets.set(address, { failures, at: this.#now() })
  }

  #failuresOf(address: string): number {
    const entry = this.#buckets.get(address)
    if (!entry) return 0
    return Math.max(0, entry.failures - ((this.#now() - entry.at) / 1000) * REFILL_PER_SECOND)
  }
}
