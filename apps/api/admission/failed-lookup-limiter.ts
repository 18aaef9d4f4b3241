const BURST = 50
const REFILL_PER_SECOND = 1
const MAX_TRACKED_ADDRESSES = 10_000

/**
 * How many unknown keys an address may try before we stop looking them up: a flood of well-formed guesses then costs
 * no query each. A key that is already known is never held up.
 */
export class FailedLookupLimiter {
  readonly #buckets = new Map<string, { misses: number; at: number }>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Whether the address has less than one try left. */
  isExhausted(address: string): boolean {
    return this.#failuresOf(address) > BURST - 1
  }

  recordFailure(address: string): void {
    // No more than all of it: many tries at once must not hold an address up for longer.
    const misses = Math.min(BURST, this.#failuresOf(address) + 1)
    this.#buckets.delete(address)
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size >= MAX_TRACKED_ADDRESSES && oldest !== undefined) this.#buckets.delete(oldest)
    this.#buckets.set(address, { misses, at: this.#now() })
  }

  #failuresOf(address: string): number {
    const entry = this.#buckets.get(address)
    if (!entry) return 0
    return Math.max(0, entry.misses - ((this.#now() - entry.at) / 1000) * REFILL_PER_SECOND)
  }
}
