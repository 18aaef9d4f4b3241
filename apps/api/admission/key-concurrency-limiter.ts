/** Thrown when a key has more requests open than anybody needs at once. */
export class ConcurrencyLimitError extends Error {}

/** Thrown when the process is busy and the key has its share of it already. */
export class OverloadedError extends Error {}

type QueuedRequest = { resolve: () => void; timer: NodeJS.Timeout }
type KeyState = { inFlight: number; waiting: QueuedRequest[] }

export const MAX_CONCURRENT_PER_KEY = 10
const MAX_QUEUED_PER_KEY = 90
const QUEUE_TIMEOUT_MS = 1000
const CONCURRENCY_LIMIT_ERROR = new ConcurrencyLimitError()
const OVERLOADED_ERROR = new OverloadedError()

/**
 * At most ten requests of a key are worked on at a time; the next ninety wait for their turn, a second at most. So a script
 * that asks for a hundred things at once is served, and one that asks for thousands does not crowd out others.
 */
export class KeyConcurrencyLimiter {
  readonly #byKey = new Map<number, KeyState>()
  #underWay = 0

  /** Requests that are being worked on, of all keys. */
  get inFlight(): number {
    return this.#underWay
  }

  /**
   * Undefined when the request may go on at once. Whoever was let in must leave. While the process is `crowded` a key has
   * one turn, and whatever else it asks is refused at once: so a quiet caller hardly notices.
   */
  acquire(keyId: number, overloaded: boolean): Promise<void> | undefined {
    const turns = this.#byKey.get(keyId)
    if (overloaded && turns !== undefined) throw OVERLOADED_ERROR
    if (turns === undefined) this.#byKey.set(keyId, { inFlight: 1, waiting: [] })
    else if (turns.inFlight < MAX_CONCURRENT_PER_KEY) turns.inFlight++
    else return this.#enqueue(turns)
    this.#underWay++
    return undefined
  }

  release(keyId: number): void {
    const turns = this.#byKey.get(keyId)!
    const next = turns.waiting.shift()
    if (next) {
      clearTimeout(next.timer)
      next.resolve()
      return
    }
    this.#underWay--
    if (--turns.inFlight === 0) this.#byKey.delete(keyId)
  }

  #enqueue(turns: KeyState): Promise<void> {
    if (turns.waiting.length >= MAX_QUEUED_PER_KEY) return Promise.reject(CONCURRENCY_LIMIT_ERROR)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        turns.waiting.splice(turns.waiting.indexOf(waiting), 1)
        reject(CONCURRENCY_LIMIT_ERROR)
      }, QUEUE_TIMEOUT_MS).unref()
      const waiting = { resolve, timer }
      turns.waiting.push(waiting)
    })
  }
}
