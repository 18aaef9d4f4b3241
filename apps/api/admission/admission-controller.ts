import type pg from 'pg'
import { remainingAfterRequest, retryAfterSeconds, type Quota } from '@brickmark/core/account/quota'
import { charge, type ChargeResult } from '@brickmark/core/account/admission-commands'
import type { KeyIdentity } from '@brickmark/core/account/api-key'

/** Outcome of an admission check, including the key's remaining quota. */
export type Verdict =
  | { kind: 'admitted'; quota: Quota }
  | { kind: 'exhausted'; quota: Quota; retryAfter: number }
  | { kind: 'no_plan'; quota: Quota }
  | { kind: 'invalid_key' }

/**
 * Thrown when admission fails or times out. `maybeCharged` is set when the charge was already in flight and its outcome
 * is unknown.
 */
export class AdmissionUnavailableError extends Error {
  readonly maybeCharged: boolean

  constructor(message: string, { maybeCharged = false, cause }: { maybeCharged?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.maybeCharged = maybeCharged
  }
}

/** Receives admission events, for metrics. */
export type AdmissionObserver = {
  /** Called when a statement is sent that charges this many requests. */
  onBatchCharged(requests: number): void
  onVerdict(verdict: Verdict['kind'] | 'unavailable', waitedMs: number): void
}

type PendingRequest = {
  key: KeyIdentity
  cost: number
  startedAt: number
  /** Whether the statement that charges it has been sent. */
  sent: boolean
  resolve: (verdict: Verdict) => void
  reject: (reason: Error) => void
}

const MAX_BATCHES_IN_FLIGHT = 2
const MAX_CONTENDED_IN_FLIGHT = 1
/** A key stays contended for this long after another process was last seen to charge it at the same time. */
const CONTENDED_MS = 10_000
const MAX_PENDING = 10_000
const ADMISSION_TIMEOUT_MS = 1800
const CONNECT_RETRY_MS = 50

/**
 * Charges requests in batches, in order of arrival. At most two batches are in flight; requests that arrive meanwhile
 * form the next batch. A key is in at most one statement at a time, so its requests stay ordered, and they share one cost
 * per statement, so granting "as many as fit" is exact and never needs a refund.
 *
 * A key that several processes charge at the same time is charged in a statement of its own: in a batch, every other key
 * would wait for its lock too, and hold its own meanwhile.
 */
export class AdmissionController {
  readonly #pool: pg.Pool
  /** Requests not yet in a statement, by key id; in the order in which the keys started waiting. */
  readonly #queues = new Map<number, PendingRequest[]>()
  readonly #keysInFlight = new Set<number>()
  /** Every request without a verdict, oldest first. */
  readonly #pending = new Set<PendingRequest>()
  /** Keys that other processes charge too, and until when they are treated as such. */
  readonly #contendedUntil = new Map<number, number>()
  readonly #batches = { inFlight: 0 }
  readonly #contended = { inFlight: 0 }
  #scheduled = false
  #timeoutTimer: NodeJS.Timeout | undefined
  readonly #observer: AdmissionObserver | undefined

  constructor(pool: pg.Pool, observer?: AdmissionObserver) {
    this.#pool = pool
    this.#observer = observer
  }

  /** Number of requests without a verdict. */
  get pendingCount(): number {
    return this.#pending.size
  }

  /**
   * Rejects with AdmissionUnavailableError if there is no verdict within the 2 s response budget, counted from
   * `startedAt`, or if too many requests are pending.
   */
  admit(key: KeyIdentity, cost: number, startedAt = Date.now()): Promise<Verdict> {
    if (this.#pending.size >= MAX_PENDING)
      return Promise.reject(new AdmissionUnavailableError('too many pending requests'))
    return new Promise((resolve, reject) => {
      const request: PendingRequest = { key, cost, startedAt, sent: false, resolve, reject }
      this.#pending.add(request)
      const queue = this.#queues.get(key.keyId)
      if (queue) queue.push(request)
      else this.#queues.set(key.keyId, [request])
      this.#timeoutTimer ??= setInterval(() => this.#rejectTimedOut(), 100).unref()
      this.#schedule()
    })
  }

  /** Runs after the current event-loop tick, so that requests read together are charged together. */
  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      while (this.#batches.inFlight < MAX_BATCHES_IN_FLIGHT) {
        const groups = this.#dequeueBatch()
        if (groups.length === 0) break
        void this.#chargeBatch(groups, this.#batches)
      }
      while (this.#contended.inFlight < MAX_CONTENDED_IN_FLIGHT) {
        const group = this.#dequeueContended()
        if (group === undefined) break
        void this.#chargeBatch([group], this.#contended)
      }
    })
  }

  /** Takes the oldest requests of every key without a charge in flight, except contended keys. */
  #dequeueBatch(): PendingRequest[][] {
    const groups: PendingRequest[][] = []
    for (const [keyId, queue] of this.#queues) {
      if (this.#keysInFlight.has(keyId) || this.#isContended(keyId)) continue
      groups.push(this.#dequeue(keyId, queue))
    }
    return groups
  }

  /** Takes the oldest requests of the contended key that has waited longest. */
  #dequeueContended(): PendingRequest[] | undefined {
    if (this.#contendedUntil.size === 0) return undefined
    for (const [keyId, queue] of this.#queues) {
      if (!this.#keysInFlight.has(keyId) && this.#isContended(keyId)) return this.#dequeue(keyId, queue)
    }
    return undefined
  }

  /** Removes a key's oldest requests from its queue, as long as they have the same cost. */
  #dequeue(keyId: number, queue: PendingRequest[]): PendingRequest[] {
    const cost = queue[0]?.cost
    let count = queue.findIndex((request) => request.cost !== cost)
    if (count === -1) count = queue.length
    const group = queue.splice(0, count)
    if (queue.length === 0) this.#queues.delete(keyId)
    this.#keysInFlight.add(keyId)
    return group
  }

  #isContended(keyId: number): boolean {
    if (this.#contendedUntil.size === 0) return false
    const until = this.#contendedUntil.get(keyId)
    if (until === undefined) return false
    if (until > Date.now()) return true
    this.#contendedUntil.delete(keyId)
    return false
  }

  async #chargeBatch(groups: PendingRequest[][], lane: { inFlight: number }): Promise<void> {
    lane.inFlight++
    try {
      const client = await this.#connect(groups)
      if (client) await this.#sendCharge(client, groups)
    } catch (cause) {
      const error = new AdmissionUnavailableError('charge failed', {
        cause,
        maybeCharged: !isDefinitelyRolledBack(cause),
      })
      for (const request of groups.flat()) this.#resolve(request, error)
    } finally {
      lane.inFlight--
      for (const [first] of groups) if (first) this.#keysInFlight.delete(first.key.keyId)
      this.#schedule()
    }
  }

  /** Connects, retrying while any of the requests is still pending. Nothing has been sent yet, so retrying is safe. */
  async #connect(groups: PendingRequest[][]): Promise<pg.PoolClient | undefined> {
    while (groups.some((requests) => requests.some((request) => this.#pending.has(request)))) {
      try {
        return await this.#pool.connect()
      } catch {
        await new Promise((resolve) => setTimeout(resolve, CONNECT_RETRY_MS))
      }
    }
    return undefined
  }

  /**
   * Sends the charge. A sent statement is never retried: if the connection is lost, whether it committed is unknown.
   */
  async #sendCharge(client: pg.PoolClient, groups: PendingRequest[][]): Promise<void> {
    let failed: Error | undefined
    try {
      // A request that timed out while waiting for the connection must not be charged.
      const stillPending = groups
        .map((requests) => requests.filter((request) => this.#pending.has(request)))
        .filter((requests) => requests.length > 0)
      if (stillPending.length === 0) return
      const asked = stillPending.map((requests) => ({
        key: requests[0]!.key,
        cost: requests[0]!.cost,
        count: requests.length,
      }))
      const sent = stillPending.flat()
      for (const request of sent) request.sent = true
      this.#observer?.onBatchCharged(sent.length)
      const results = await charge(client, asked)
      for (const [index, requests] of stillPending.entries()) this.#resolveGroup(requests, results[index]!)
      for (const [index, { contended }] of results.entries())
        if (contended) this.#contendedUntil.set(asked[index]!.key.keyId, Date.now() + CONTENDED_MS)
    } catch (error) {
      failed = error as Error
      throw error
    } finally {
      client.release(failed)
    }
  }

  #resolveGroup(requests: PendingRequest[], result: ChargeResult): void {
    for (let index = 0; index < requests.length; index++) {
      const request = requests[index]!
      this.#resolve(request, toVerdict(result, request.cost, index))
    }
  }

  #rejectTimedOut(): void {
    const now = Date.now()
    for (const request of this.#pending) {
      // Not sorted by `startedAt`: some requests spent time elsewhere before admission.
      if (request.startedAt + ADMISSION_TIMEOUT_MS > now) continue
      const queue = this.#queues.get(request.key.keyId)
      const index = queue?.indexOf(request) ?? -1
      if (queue && index >= 0) {
        queue.splice(index, 1)
        if (queue.length === 0) this.#queues.delete(request.key.keyId)
      }
      this.#resolve(request, new AdmissionUnavailableError('admission timed out', { maybeCharged: request.sent }))
    }
  }

  #resolve(request: PendingRequest, outcome: Verdict | AdmissionUnavailableError): void {
    // Already rejected as timed out; the caller has its result.
    if (!this.#pending.delete(request)) return
    if (outcome instanceof AdmissionUnavailableError) request.reject(outcome)
    else request.resolve(outcome)
    this.#observer?.onVerdict('kind' in outcome ? outcome.kind : 'unavailable', Date.now() - request.startedAt)
    if (this.#pending.size > 0) return
    clearInterval(this.#timeoutTimer)
    this.#timeoutTimer = undefined
  }
}

/**
 * True if PostgreSQL reported the statement as failed. A lost connection is inconclusive: the charge may have
 * committed.
 */
function isDefinitelyRolledBack(cause: unknown): boolean {
  const { code } = cause as { code?: unknown }
  return typeof code === 'string' && /^(?!08|57P)[0-9A-Z]{5}$/.test(code)
}

function toVerdict(result: ChargeResult, cost: number, index: number): Verdict {
  if (result.verdict === 'invalid_key') return { kind: 'invalid_key' }
  const admitted = index < result.granted
  const remaining = admitted
    ? remainingAfterRequest(result.limit, result.used, cost, result.granted, index)
    : Math.max(0, result.limit - result.used)
  const quota = { limit: result.limit, remaining, reset: result.reset }
  if (result.verdict === 'no_plan') return { kind: 'no_plan', quota }
  if (admitted) return { kind: 'admitted', quota }
  return { kind: 'exhausted', quota, retryAfter: retryAfterSeconds(result.resetsAt, result.chargedAt) }
}
