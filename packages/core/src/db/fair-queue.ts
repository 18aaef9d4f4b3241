/** Thrown when a read gets no connection in time. */
export class DatabaseBusyError extends Error {}

type Waiter = { enqueuedAt: number; resolve: () => void; reject: (reason: Error) => void; timer: NodeJS.Timeout }

const MAX_QUEUED = 1000
const MAX_TRACKED_ACCOUNTS = 10_000
const EWMA_ALPHA = 0.1
export const QUEUE_FULL = new DatabaseBusyError('the queue for a connection is full')
const QUEUE_TIMEOUT = new DatabaseBusyError('timed out waiting for a connection')
const TABLE_LOCKED = new DatabaseBusyError('the table is locked')

/**
 * Distributes connections fairly across accounts. Requests are served in order, but an account that had no connection for
 * a while moves ahead by that time, up to the timeout. A busy account therefore waits for itself, and newcomers can't
 * starve the others. A request waits at most for the timeout: after that, a rejection that can be retried is better than a
 * late response. An account with other requests in flight is rejected immediately if it would wait for a third of that.
 */
export class FairQueue {
  readonly #connections: number
  readonly #timeoutMs: number
  readonly #now: () => number
  #free: number
  #queued = 0
  readonly #waiting = new Map<number, Waiter[]>()
  /** Requests per account that are queued or have a connection. */
  readonly #outstanding = new Map<number, number>()
  /** When each account last got a connection. Missing entries are long ago. */
  readonly #lastServedAt = new Map<number, number>()
  /** Moving average of the time between released connections while requests are queued. */
  #avgReleaseInterval = 0
  #lastReleasedAt: number | undefined

  constructor(connections: number, timeoutMs: number, now: () => number = () => performance.now()) {
    this.#connections = connections
    this.#free = connections
    this.#timeoutMs = timeoutMs
    this.#now = now
  }

  /** Whether `acquire` would reject immediately. Check it before doing any work for a request. */
  wouldReject(accountId: number): boolean {
    if (this.#free > 0) return false
    return this.#queued >= MAX_QUEUED || this.#expectedWait(accountId) > this.#timeoutMs / 3
  }

  async acquire(accountId: number): Promise<void> {
    if (this.wouldReject(accountId)) throw QUEUE_FULL
    this.#incrementOutstanding(accountId)
    if (this.#free > 0) {
      this.#free--
      this.#markServed(accountId)
      return
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#dequeue(accountId, waiter)
        this.#decrementOutstanding(accountId)
        reject(QUEUE_TIMEOUT)
      }, this.#timeoutMs)
      const waiter = { enqueuedAt: this.#now(), resolve, reject, timer }
      this.#queued++
      const queue = this.#waiting.get(accountId)
      if (queue) queue.push(waiter)
      else this.#waiting.set(accountId, [waiter])
    })
  }

  /** Returns the account's connection and hands it to the next request in the queue. */
  release(accountId: number): void {
    this.#decrementOutstanding(accountId)
    const next = this.#pickNext()
    if (next === undefined) {
      this.#lastReleasedAt = undefined
      this.#free++
      return
    }
    this.#updateReleaseInterval()
    const [first] = this.#waiting.get(next) as [Waiter, ...Waiter[]]
    clearTimeout(first.timer)
    this.#dequeue(next, first)
    this.#markServed(next)
    first.resolve()
  }

  /** Rejects all queued requests. */
  rejectQueued(): void {
    for (const [accountId, queue] of this.#waiting) {
      for (const { reject, timer } of queue) {
        clearTimeout(timer)
        this.#decrementOutstanding(accountId)
        reject(TABLE_LOCKED)
      }
    }
    this.#waiting.clear()
    this.#queued = 0
  }

  #pickNext(): number | undefined {
    const now = this.#now()
    let next: number | undefined
    let earliest = Infinity
    for (const [accountId, [first]] of this.#waiting) {
      const idleMs = now - (this.#lastServedAt.get(accountId) ?? -Infinity)
      const effectiveEnqueuedAt = first!.enqueuedAt - Math.min(idleMs, this.#timeoutMs)
      if (effectiveEnqueuedAt < earliest) [next, earliest] = [accountId, effectiveEnqueuedAt]
    }
    return next
  }

  #markServed(accountId: number): void {
    if (this.#lastServedAt.size >= MAX_TRACKED_ACCOUNTS) this.#lastServedAt.clear()
    this.#lastServedAt.set(accountId, this.#now())
  }

  /** An account with nothing outstanding is served soon; others after everything that is outstanding. */
  #expectedWait(accountId: number): number {
    return this.#outstanding.has(accountId) ? (this.#connections + this.#queued) * this.#avgReleaseInterval : 0
  }

  #incrementOutstanding(accountId: number): void {
    this.#outstanding.set(accountId, (this.#outstanding.get(accountId) ?? 0) + 1)
  }

  #decrementOutstanding(accountId: number): void {
    const left = this.#outstanding.get(accountId)! - 1
    if (left === 0) this.#outstanding.delete(accountId)
    else this.#outstanding.set(accountId, left)
  }

  #updateReleaseInterval(): void {
    const now = this.#now()
    if (this.#lastReleasedAt !== undefined)
      this.#avgReleaseInterval += (now - this.#lastReleasedAt - this.#avgReleaseInterval) * EWMA_ALPHA
    this.#lastReleasedAt = now
  }

  #dequeue(accountId: number, waiter: Waiter): void {
    const queue = this.#waiting.get(accountId)!
    queue.splice(queue.indexOf(waiter), 1)
    this.#queued--
    if (queue.length === 0) this.#waiting.delete(accountId)
  }
}
