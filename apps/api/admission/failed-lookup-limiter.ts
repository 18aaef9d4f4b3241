const BURST = 50
const REFILL_PER_SECOND = 1
const REMEMBERED_ADDRESSES = 10_000

/**
 * How many unknown keys an address may try before we stop looking them up: a flood of well-formed guesses then costs
 * no query each. A key that is already known is never held up.
 */
export class MissBudget {
  readonly #spent = new Map<string, { misses: number; at: number }>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Whether the address has less than one try left. */
  spent(address: string): boolean {
    return this.#missesOf(address) > BURST - 1
  }

  spend(address: string): void {
    // No more than all of it: many tries at once must not hold an address up for longer.
    const misses = Math.min(BURST, this.#missesOf(address) + 1)
    this.#spent.delete(address)
    const [oldest] = this.#spent.keys()
    if (this.#spent.size >= REMEMBERED_ADDRESSES && oldest !== undefined) this.#spent.delete(oldest)
    this.#spent.set(address, { misses, at: this.#now() })
  }

  #missesOf(address: string): number {
    const entry = this.#spent.get(address)
    if (!entry) return 0
    return Math.max(0, entry.misses - ((this.#now() - entry.at) / 1000) * REFILL_PER_SECOND)
  }
}
