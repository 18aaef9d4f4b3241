/** Seeded pseudo-random number generator (mulberry32). */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns a number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** Returns an integer between `min` and `max`, both inclusive. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  pick<T>(items: readonly T[]): T {
    return items[this.int(0, items.length - 1)]!
  }

  shuffle<T>(items: readonly T[]): T[] {
    const shuffled = [...items]
    for (let index = shuffled.length - 1; index > 0; index--) {
      const other = this.int(0, index)
      ;[shuffled[index], shuffled[other]] = [shuffled[other]!, shuffled[index]!]
    }
    return shuffled
  }
}
