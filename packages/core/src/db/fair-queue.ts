/** Thrown when a read gets no connection in time. */
export class DatabaseBusyError extends Error {}

type Account = {
  /** Requests that are queued or have a connection. */
  outstanding: number
  /** When it last got a connection. */
  lastServedAt: number
}

type Waiter = {
  account: Account
  enqueuedAt: number
  resolve: () => void
  reject: (reason: Error) => void
  timer: NodeJS.Timeout
}

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
 * late response. An account with other requests in flight is rejected immediately if it would wait for a fifth of that.
 * Under overload, that leaves about one request per account.
 */
export class FairQueue {
  readonly #timeoutMs: number
  readonly #now: () => number
  #free: number
  /** In order of arrival. Not a Map by account, whose old tables would keep requests from being collected. */
  readonly #waiting: Waiter[] = []
  readonly #accounts = new Map<number, Account>()
  /** Accounts with outstanding requests. */
  #activeAccounts = 0
  /** Moving average of the time between released connections while requests are queued. */
  #avgReleaseInterval = 0
  #lastReleasedAt: number | undefined

  constructor(connections: number, timeoutMs: number, now: () => number = () => performance.now()) {
    this.#free = connections
    this.#timeoutMs = timeoutMs
    this.#now = now
  }

  /**
   * Whether to reject a request before doing any work for it. `inFlight` includes the account's requests that no longer need
   * a connection but have yet to be answered.
   */
  wouldReject(accountId: number, inFlight = 0): boolean {
    if (this.#free > 0) return false
    return this.#waiting.length >= MAX_QUEUED || this.#expectedWait(accountId, inFlight) > this.#timeoutMs / 5
  }

  async acquire(accountId: number): Promise<void> {
    if (this.wouldReject(accountId)) throw QUEUE_FULL
    const account = this.#account(accountId)
    if (account.outstanding++ === 0) this.#activeAccounts++
    if (this.#free > 0) {
      this.#free--
      account.lastServedAt = this.#now()
      return
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        this.#finish(account)
        reject(QUEUE_TIMEOUT)
      }, this.#timeoutMs)
      const waiter = { account, enqueuedAt: this.#now(), resolve, reject, timer }
      this.#waiting.push(waiter)
    })
  }

  /** Returns the account's connection and hands it to the next request in the queue. */
  release(accountId: number): void {
    this.#finish(this.#account(accountId))
    const next = this.#takeNext()
    if (next === undefined) {
      this.#lastReleasedAt = undefined
      this.#free++
      return
    }
    this.#updateReleaseInterval()
    clearTimeout(next.timer)
    next.account.lastServedAt = this.#now()
    next.resolve()
  }

  /** Rejects all queued requests. */
  rejectQueued(): void {
    for (const { account, reject, timer } of this.#waiting.splice(0)) {
      clearTimeout(timer)
      this.#finish(account)
      reject(TABLE_LOCKED)
    }
  }

  #finish(account: Account): void {
    if (--account.outstanding === 0) this.#activeAccounts--
  }

  #takeNext(): Waiter | undefined {
    const now = this.#now()
    let next = -1
    let earliest = Infinity
    for (let index = 0; index < this.#waiting.length; index++) {
      const { account, enqueuedAt } = this.#waiting[index]!
      const effectiveEnqueuedAt = enqueuedAt - Math.min(now - account.lastServedAt, this.#timeoutMs)
      if (effectiveEnqueuedAt < earliest) [next, earliest] = [index, effectiveEnqueuedAt]
    }
    return next === -1 ? undefined : this.#waiting.splice(next, 1)[0]
  }

  #account(accountId: number): Account {
    const known = this.#accounts.get(accountId)
    if (known) return known
    if (this.#accounts.size >= MAX_TRACKED_ACCOUNTS) this.#forgetIdleAccounts()
    const account = { outstanding: 0, lastServedAt: -Infinity }
    this.#accounts.set(accountId, account)
    return account
  }

  #forgetIdleAccounts(): void {
    for (const [accountId, { outstanding }] of this.#accounts) if (outstanding === 0) this.#accounts.delete(accountId)
  }

  /** Accounts take turns. One with nothing outstanding is served soon; others wait for a turn per request. */
  #expectedWait(accountId: number, inFlight: number): number {
    const outstanding = Math.max(inFlight, this.#accounts.get(accountId)?.outstanding ?? 0)
    return outstanding === 0 ? 0 : (outstanding + 1) * this.#activeAccounts * this.#avgReleaseInterval
  }

  #updateReleaseInterval(): void {
    const now = this.#now()
    if (this.#lastReleasedAt !== undefined)
      this.#avgReleaseInterval += (now - this.#lastReleasedAt - this.#avgReleaseInterval) * EWMA_ALPHA
    this.#lastReleasedAt = now
  }
}
