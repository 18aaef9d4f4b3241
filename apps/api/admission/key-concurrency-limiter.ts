import { NO_REQUESTS, type ActiveKey } from './active-key.ts'

/** Thrown when a key has too many requests in flight and queued. */
export class ConcurrencyLimitError extends Error {}

/** Thrown when the process is overloaded and the key already has a request in flight. */
export class OverloadedError extends Error {}

export const MAX_CONCURRENT_PER_KEY = 10
/** As many as a day allows: a script may send all of them at once. */
export const MAX_QUEUED_PER_KEY = 1000
/** Of all keys together. A queued request with its connection takes about 17 kB, so this bounds the memory to 85 MB. */
const MAX_QUEUED = 5000
const CONCURRENCY_LIMIT_ERROR = new ConcurrencyLimitError()
const OVERLOADED_ERROR = new OverloadedError()

/**
 * Runs at most ten requests of a key at a time and queues the next thousand, in order of arrival. A script that sends a
 * whole day's requests at once is served; it can't crowd out other keys, because each of them has its own ten.
 */
export class KeyConcurrencyLimiter {
  #inFlight = 0
  #queued = 0

  /** Requests in flight, of all keys. */
  get inFlight(): number {
    return this.#inFlight
  }

  /**
   * Returns undefined if the request may run immediately, otherwise a promise to wait for. Every acquired slot must be
   * released. While the process is overloaded, a key has one slot and its other requests are rejected immediately, so that
   * a quiet caller hardly notices. A request waits for `maxWaitMs` at most.
   */
  acquire(key: ActiveKey, overloaded: boolean, maxWaitMs: number): Promise<void> | undefined {
    if (overloaded && key.inFlight > 0) throw OVERLOADED_ERROR
    if (key.inFlight >= MAX_CONCURRENT_PER_KEY) return this.#enqueue(key, maxWaitMs)
    key.inFlight++
    this.#inFlight++
    return undefined
  }

  release(key: ActiveKey): void {
    const next = key.queued.shift()
    if (next) {
      this.#queued--
      clearTimeout(next.timer)
      next.resolve()
      return
    }
    this.#inFlight--
    key.inFlight--
  }

  #enqueue(key: ActiveKey, maxWaitMs: number): Promise<void> {
    if (key.queued.length >= MAX_QUEUED_PER_KEY || this.#queued >= MAX_QUEUED)
      return Promise.reject(CONCURRENCY_LIMIT_ERROR)
    this.#queued++
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        key.queued.splice(key.queued.indexOf(queued), 1)
        this.#queued--
        reject(CONCURRENCY_LIMIT_ERROR)
      }, maxWaitMs).unref()
      const queued = { resolve, timer }
      if (key.queued === NO_REQUESTS) key.queued = [queued]
      else key.queued.push(queued)
    })
  }
}
