import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { remainingAfterRequest, retryAfterSeconds } from '@brickmark/core/account/quota'
import { charge, type ChargeRequest, type ChargeResult } from '@brickmark/core/account/admission-commands'
import { NO_REQUESTS, type ActiveKey, type PendingRequest } from './active-key.ts'
import { AdmissionUnavailableError, type AdmissionOutcome, type Verdict } from './verdict.ts'

/** Receives admission events, for metrics. */
export type AdmissionObserver = {
  /** Called when a statement is sent that charges this many requests. */
  onBatchCharged(requests: number): void
  onVerdict(verdict: Verdict['kind'] | 'unavailable', waitedMs: number): void
}

/** Requests of one key with equal cost, which are charged together. */
type Group = ChargeRequest & { key: ActiveKey; requests: PendingRequest[] }

/** Counts the statements in flight, separately for batches and for contended keys. */
type Lane = { inFlight: number; lastSentAt: number }

const MAX_BATCHES_IN_FLIGHT = 2
/** A second batch is sent for this many keys, or if the first takes longer than usual: it may be waiting for a lock. */
const MIN_SECOND_BATCH = 8
const SLOW_BATCH_MS = 20
const MAX_CONTENDED_IN_FLIGHT = 1
/** A key stays contended for this long after another process was last seen to charge it at the same time. */
const CONTENDED_MS = 10_000
const MAX_PENDING = 10_000
const ADMISSION_TIMEOUT_MS = 1800
const CONNECT_RETRY_MS = 50
const TIMER_MS = 100

/**
 * Charges requests in batches, in order of arrival. Requests that arrive while a batch is in flight form the next one,
 * which is sent when the first has returned, or earlier if it has enough keys: a statement costs much more than another key
 * in it. A key is in at most one statement at a time, so its requests stay ordered, and they share one
 * cost per statement, so granting "as many as fit" is exact and never needs a refund.
 *
 * A key that several processes charge at the same time is charged in a statement of its own: in a batch, every other key
 * would wait for its lock too, and hold its own meanwhile.
 */
export class AdmissionController {
  readonly #pool: pg.Pool
  /** Keys with requests to charge and no charge in flight, in the order in which they started waiting. */
  #waiting: ActiveKey[] = []
  /**
   * The groups of each statement in flight. Not a Set: when V8 replaces the table of a Set or Map, the old table keeps its
   * elements and refers to the new one. Once such a table is in the old generation, finished requests follow it there.
   */
  #charging: Group[][] = []
  readonly #batchLane: Lane = { inFlight: 0, lastSentAt: 0 }
  readonly #contendedLane: Lane = { inFlight: 0, lastSentAt: 0 }
  /** When the last contended key stops being treated as such. */
  #contendedUntil = 0
  #pendingCount = 0
  #scheduled = false
  #timer: NodeJS.Timeout | undefined
  readonly #observer: AdmissionObserver | undefined

  constructor(pool: pg.Pool, observer?: AdmissionObserver) {
    this.#pool = pool
    this.#observer = observer
  }

  /** Number of requests without a verdict. */
  get pendingCount(): number {
    return this.#pendingCount
  }

  /**
   * Calls `settle` with the verdict, or with an AdmissionUnavailableError if there is none within the 2 s response budget,
   * counted from `startedAt`, or if too many requests are pending. Takes a callback to save every request a promise.
   */
  submit(key: ActiveKey, cost: number, startedAt: number, settle: PendingRequest['settle']): void {
    if (this.#pendingCount >= MAX_PENDING) return settle(new AdmissionUnavailableError('too many pending requests'))
    this.#pendingCount++
    const request: PendingRequest = { cost, startedAt, sent: false, settled: false, settle }
    if (key.pending.length > 0) {
      key.pending.push(request)
    } else {
      key.pending = [request]
      if (!key.isCharging) this.#waiting.push(key)
    }
    this.#timer ??= setInterval(() => this.#onTimer(), TIMER_MS).unref()
    this.#schedule()
  }

  /** Like `submit`, as a promise. */
  admit(key: ActiveKey, cost: number, startedAt = Date.now()): Promise<Verdict> {
    return new Promise((resolve, reject) => {
      this.submit(key, cost, startedAt, (outcome) =>
        outcome instanceof AdmissionUnavailableError ? reject(outcome) : resolve(outcome),
      )
    })
  }

  /** Sends after the current event-loop tick, so that requests read together are charged together. */
  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(this.#sendWaiting)
  }

  readonly #sendWaiting = (): void => {
    this.#scheduled = false
    if (this.#canSendBatch()) {
      const groups = this.#dequeueBatch()
      if (groups.length > 0) void this.#chargeBatch(groups, this.#batchLane)
    }
    while (this.#contendedLane.inFlight < MAX_CONTENDED_IN_FLIGHT) {
      const group = this.#dequeueContended()
      if (group === undefined) break
      void this.#chargeBatch([group], this.#contendedLane)
    }
  }

  #canSendBatch(): boolean {
    const { inFlight, lastSentAt } = this.#batchLane
    if (inFlight === 0) return true
    if (inFlight === MAX_BATCHES_IN_FLIGHT) return false
    return this.#waiting.length >= MIN_SECOND_BATCH || Date.now() - lastSentAt >= SLOW_BATCH_MS
  }

  /** Takes the oldest requests of every waiting key, except contended keys. */
  #dequeueBatch(): Group[] {
    const keys = this.#waiting
    this.#waiting = []
    const now = Date.now()
    if (this.#contendedUntil <= now) return keys.map(dequeue)
    this.#waiting = keys.filter((key) => key.contendedUntil > now)
    return keys.filter((key) => key.contendedUntil <= now).map(dequeue)
  }

  /** Takes the oldest requests of the contended key that has waited longest. */
  #dequeueContended(): Group | undefined {
    const now = Date.now()
    if (this.#contendedUntil <= now) return undefined
    const index = this.#waiting.findIndex((key) => key.contendedUntil > now)
    return index === -1 ? undefined : dequeue(this.#waiting.splice(index, 1)[0]!)
  }

  async #chargeBatch(groups: Group[], lane: Lane): Promise<void> {
    lane.inFlight++
    lane.lastSentAt = Date.now()
    this.#charging.push(groups)
    try {
      const client = await this.#connect(groups)
      if (client) await this.#sendCharge(client, groups)
    } catch (cause) {
      const error = new AdmissionUnavailableError('charge failed', {
        cause,
        maybeCharged: !isDefinitelyRolledBack(cause),
      })
      for (const { requests } of groups) for (const request of requests) this.#settle(request, error)
    } finally {
      lane.inFlight--
      this.#charging = this.#charging.filter((one) => one !== groups)
      for (const { key } of groups) {
        key.isCharging = false
        if (key.pending.length > 0) this.#waiting.push(key)
      }
      if (this.#waiting.length > 0) this.#schedule()
    }
  }

  /** Connects, retrying while any of the requests is still pending. Nothing has been sent yet, so retrying is safe. */
  async #connect(groups: Group[]): Promise<pg.PoolClient | undefined> {
    while (groups.some(({ requests }) => requests.some(isPending))) {
      try {
        return await this.#pool.connect()
      } catch {
        await sleep(CONNECT_RETRY_MS)
      }
    }
    return undefined
  }

  /**
   * Sends the charge. A sent statement is never retried: if the connection is lost, whether it committed is unknown.
   */
  async #sendCharge(client: pg.PoolClient, groups: Group[]): Promise<void> {
    let failed: Error | undefined
    try {
      const asked = withoutTimedOut(groups)
      if (asked.length === 0) return
      let sent = 0
      for (const { requests } of asked) {
        for (const request of requests) request.sent = true
        sent += requests.length
      }
      this.#observer?.onBatchCharged(sent)
      const results = await charge(client, asked)
      for (let index = 0; index < asked.length; index++) this.#settleGroup(asked[index]!, results[index]!)
    } catch (error) {
      failed = error as Error
      throw error
    } finally {
      client.release(failed)
    }
  }

  #settleGroup({ key, cost, requests }: Group, result: ChargeResult): void {
    key.lacksPlan = result.verdict === 'no_plan'
    if (cost > 0) key.isExhausted = result.granted < requests.length
    for (let index = 0; index < requests.length; index++) {
      this.#settle(requests[index]!, toVerdict(result, cost, index))
    }
    if (result.contended) this.#contendedUntil = key.contendedUntil = Date.now() + CONTENDED_MS
  }

  #onTimer(): void {
    this.#rejectTimedOut()
    if (this.#waiting.length > 0) this.#schedule()
  }

  #rejectTimedOut(): void {
    const now = Date.now()
    const reject = (requests: PendingRequest[]) => {
      for (const request of requests) {
        // Not sorted by `startedAt`: some requests spent time elsewhere before admission.
        if (request.startedAt + ADMISSION_TIMEOUT_MS > now) continue
        this.#settle(request, new AdmissionUnavailableError('admission timed out', { maybeCharged: request.sent }))
      }
    }
    const rejectPending = (key: ActiveKey) => {
      reject(key.pending)
      key.pending = key.pending.filter(isPending)
    }
    for (const groups of this.#charging) {
      for (const { key, requests } of groups) {
        reject(requests)
        rejectPending(key)
      }
    }
    this.#waiting.forEach(rejectPending)
    this.#waiting = this.#waiting.filter((key) => key.pending.length > 0)
  }

  #settle(request: PendingRequest, outcome: AdmissionOutcome): void {
    // Already rejected as timed out; the caller has its result.
    if (request.settled) return
    request.settled = true
    this.#pendingCount--
    request.settle(outcome)
    this.#observer?.onVerdict('kind' in outcome ? outcome.kind : 'unavailable', Date.now() - request.startedAt)
    if (this.#pendingCount > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

function isPending(request: PendingRequest): boolean {
  return !request.settled
}

/** Takes a key's oldest requests, up to the first one with a different cost. */
function dequeue(key: ActiveKey): Group {
  const { pending } = key
  const { cost } = pending[0]!
  let count = 1
  while (count < pending.length && pending[count]!.cost === cost) count++
  const requests = count === pending.length ? pending : pending.slice(0, count)
  key.pending = count === pending.length ? NO_REQUESTS : pending.slice(count)
  key.isCharging = true
  return { key, cost, count, requests }
}

/** A request that timed out while waiting for the connection must not be charged. */
function withoutTimedOut(groups: Group[]): Group[] {
  if (groups.every(({ requests }) => requests.every(isPending))) return groups
  return groups
    .map(({ key, cost, requests }) => ({ key, cost, requests: requests.filter(isPending) }))
    .filter(({ requests }) => requests.length > 0)
    .map((group) => ({ ...group, count: group.requests.length }))
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
  const retryAfter = retryAfterSeconds(result.resetsAt, result.chargedAt)
  return { kind: admitted ? 'admitted' : 'exhausted', quota, retryAfter }
}
