/** Thrown when no connection became free in time. */
export class DatabaseBusyError extends Error {}

type Waiter = { enqueuedAt: number; resolve: () => void; reject: (reason: Error) => void; timer: NodeJS.Timeout }

const MAX_QUEUED = 1000
const MAX_TRACKED_ACCOUNTS = 10_000
const EWMA_ALPHA = 0.1
export const QUEUE_FULL = new DatabaseBusyError('too many wait for a connection')
const QUEUE_TIMEOUT = new DatabaseBusyError('no connection became free in time')
const TABLE_LOCKED = new DatabaseBusyError('what is to be read is locked')

/**
 * Who gets the next free connection: whoever asked first, but an account that had none for a while goes before those that just
 * had one, by as long as it had none, and by `waitMs` at most. So one that asks for much waits for itself, and no stream of
 * newcomers keeps the others waiting. Nobody waits longer than `waitMs`: an answer that late is better refused while there
 * is time to ask again, and an account that has others under way and would wait for a third of that is refused at once.
 */
export class FairQueue {
  readonly #connections: number
  readonly #waitMs: number
  readonly #now: () => number
  #free: number
  #queued = 0
  readonly #waiting = new Map<number, Waiter[]>()
  /** How many requests of each account wait or have a connection. */
  readonly #outstanding = new Map<number, number>()
  /** When each account had its last turn; one that is not here had it long ago. */
  readonly #lastServedAt = new Map<number, number>()
  /** How long it takes, while somebody waits, from one free connection to the next. */
  #avgReleaseInterval = 0
  #lastReleasedAt: number | undefined

  constructor(connections: number, timeoutMs: number, now: () => number = () => performance.now()) {
    this.#connections = connections
    this.#free = connections
    this.#waitMs = timeoutMs
    this.#now = now
  }

  /** Whether `take` would refuse at once: to be asked before anything is done for a request. */
  wouldReject(accountId: number): boolean {
    if (this.#free > 0) return false
    return this.#queued >= MAX_QUEUED || this.#expectedWait(accountId) > this.#waitMs / 3
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
        this.#dequeue(accountId, waiting)
        this.#decrementOutstanding(accountId)
        reject(QUEUE_TIMEOUT)
      }, this.#waitMs)
      const waiting = { enqueuedAt: this.#now(), resolve, reject, timer }
      this.#queued++
      const queue = this.#waiting.get(accountId)
      if (queue) queue.push(waiting)
      else this.#waiting.set(accountId, [waiting])
    })
  }

  /** The account that had a connection has done with it. */
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

  /** Nobody who waits now is to wait any longer. */
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
      const effectiveEnqueuedAt = first!.enqueuedAt - Math.min(idleMs, this.#waitMs)
      if (effectiveEnqueuedAt < earliest) [next, earliest] = [accountId, effectiveEnqueuedAt]
    }
    return next
  }

  #markServed(accountId: number): void {
    if (this.#lastServedAt.size >= MAX_TRACKED_ACCOUNTS) this.#lastServedAt.clear()
    this.#lastServedAt.set(accountId, this.#now())
  }

  /** An account that has none under way has its turn soon; any other when all that is under way is done. */
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

  #dequeue(accountId: number, waiting: Waiter): void {
    const queue = this.#waiting.get(accountId)!
    queue.splice(queue.indexOf(waiting), 1)
    this.#queued--
    if (queue.length === 0) this.#waiting.delete(accountId)
  }
}
