import type pg from 'pg'
import { remainingAfterRequest, retryAfterSeconds, type Quota } from '@brickmark/core/account/quota'
import { charge, type ChargeResult } from '@brickmark/core/account/admission-commands'
import type { KeyIdentity } from '@brickmark/core/account/api-key'

/** The answer to "may this key have this answer, and what is left?" */
export type Verdict =
  | { kind: 'admitted'; quota: Quota }
  | { kind: 'exhausted'; quota: Quota; retryAfter: number }
  | { kind: 'no_plan'; quota: Quota }
  | { kind: 'invalid_key' }

/**
 * Thrown when no verdict could be had in time. Nothing was promised, and nothing is sent. `perhapsCharged` when the charge was
 * under way and its end is not known.
 */
export class AdmissionUnavailableError extends Error {
  readonly maybeCharged: boolean

  constructor(message: string, { maybeCharged = false, cause }: { maybeCharged?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.maybeCharged = maybeCharged
  }
}

/** Told what happens, for whoever counts it. */
export type AdmissionObserver = {
  /** One statement charges so many calls. */
  onBatchCharged(calls: number): void
  onVerdict(verdict: Verdict['kind'] | 'unavailable', waitedMs: number): void
}

type PendingRequest = {
  key: KeyIdentity
  cost: number
  startedAt: number
  /** Whether the statement that charges it has left. */
  sent: boolean
  resolve: (verdict: Verdict) => void
  reject: (reason: Error) => void
}

const MAX_STATEMENTS_IN_FLIGHT = 2
const MAX_PENDING = 10_000
const ADMISSION_TIMEOUT_MS = 1800
const CONNECT_RETRY_MS = 50

/**
 * Charges calls in the order they came, many in one statement: while two statements are under way, the calls that
 * arrive wait together and become the next one. A key is in at most one statement at a time, so its calls stay in
 * order. In a statement a key brings calls of one price, so that "as many whole calls as fit" is exact, needs no
 * refund and no second thought.
 */
export class AdmissionController {
  readonly #pool: pg.Pool
  /** Calls not yet in a statement, by key; the map's order is the order in which the keys began to wait. */
  readonly #queues = new Map<number, PendingRequest[]>()
  readonly #keysInFlight = new Set<number>()
  /** Every call without a verdict, oldest first. */
  readonly #pending = new Set<PendingRequest>()
  #inFlight = 0
  #scheduled = false
  #timeoutTimer: NodeJS.Timeout | undefined
  readonly #observer: AdmissionObserver | undefined

  constructor(pool: pg.Pool, watch?: AdmissionObserver) {
    this.#pool = pool
    this.#observer = watch
  }

  /** Calls without a verdict. */
  get pendingCount(): number {
    return this.#pending.size
  }

  /**
   * Rejects with AdmissionUnavailable when there is no verdict within 2 s of when the caller began to wait, or when too many calls
   * wait already.
   */
  admit(key: KeyIdentity, cost: number, startedAt = Date.now()): Promise<Verdict> {
    if (this.#pending.size >= MAX_PENDING) return Promise.reject(new AdmissionUnavailableError('too many calls wait'))
    return new Promise((resolve, reject) => {
      const call: PendingRequest = { key, cost, startedAt, sent: false, resolve, reject }
      this.#pending.add(call)
      const queue = this.#queues.get(key.keyId)
      if (queue) queue.push(call)
      else this.#queues.set(key.keyId, [call])
      this.#timeoutTimer ??= setInterval(() => this.#rejectTimedOut(), 100).unref()
      this.#schedule()
    })
  }

  /** After the current turn of the event loop, so that requests read together are charged together. */
  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      while (this.#inFlight < MAX_STATEMENTS_IN_FLIGHT) {
        const groups = this.#dequeueBatches()
        if (groups.length === 0) return
        void this.#chargeBatch(groups)
      }
    })
  }

  /** From every key that is not busy: its oldest calls, as long as they have the same price. */
  #dequeueBatches(): PendingRequest[][] {
    const groups: PendingRequest[][] = []
    for (const [keyId, queue] of this.#queues) {
      if (this.#keysInFlight.has(keyId)) continue
      const cost = queue[0]?.cost
      let count = queue.findIndex((call) => call.cost !== cost)
      if (count === -1) count = queue.length
      groups.push(queue.splice(0, count))
      if (queue.length === 0) this.#queues.delete(keyId)
      this.#keysInFlight.add(keyId)
    }
    return groups
  }

  async #chargeBatch(groups: PendingRequest[][]): Promise<void> {
    this.#inFlight++
    try {
      const client = await this.#connect(groups)
      if (client) await this.#sendCharge(client, groups)
    } catch (cause) {
      const error = new AdmissionUnavailableError('the charge failed', {
        cause,
        maybeCharged: !isDefinitelyRolledBack(cause),
      })
      for (const call of groups.flat()) this.#resolve(call, error)
    } finally {
      this.#inFlight--
      for (const [first] of groups) if (first) this.#keysInFlight.delete(first.key.keyId)
      this.#schedule()
    }
  }

  /** A connection, for as long as anybody waits for one: nothing has been sent yet, so trying again is safe. */
  async #connect(groups: PendingRequest[][]): Promise<pg.PoolClient | undefined> {
    while (groups.some((calls) => calls.some((call) => this.#pending.has(call)))) {
      try {
        return await this.#pool.connect()
      } catch {
        await new Promise((resolve) => setTimeout(resolve, CONNECT_RETRY_MS))
      }
    }
    return undefined
  }

  /** Once sent, a statement is never sent again: whether a lost one was committed cannot be known. */
  async #sendCharge(client: pg.PoolClient, groups: PendingRequest[][]): Promise<void> {
    let failed: Error | undefined
    try {
      // A call that was refused while we waited for the connection must not be charged.
      const stillPending = groups
        .map((calls) => calls.filter((call) => this.#pending.has(call)))
        .filter((calls) => calls.length > 0)
      if (stillPending.length === 0) return
      const asked = stillPending.map((calls) => ({ key: calls[0]!.key, cost: calls[0]!.cost, count: calls.length }))
      const sent = stillPending.flat()
      for (const call of sent) call.sent = true
      this.#observer?.onBatchCharged(sent.length)
      const results = await charge(client, asked)
      for (const [index, calls] of stillPending.entries()) this.#resolveGroup(calls, results[index]!)
    } catch (error) {
      failed = error as Error
      throw error
    } finally {
      client.release(failed)
    }
  }

  #resolveGroup(calls: PendingRequest[], result: ChargeResult): void {
    for (let index = 0; index < calls.length; index++) {
      const call = calls[index]!
      this.#resolve(call, toVerdict(result, call.cost, index))
    }
  }

  #rejectTimedOut(): void {
    const now = Date.now()
    for (const call of this.#pending) {
      // Not in order: some have waited for something else before.
      if (call.startedAt + ADMISSION_TIMEOUT_MS > now) continue
      const queue = this.#queues.get(call.key.keyId)
      const index = queue?.indexOf(call) ?? -1
      if (queue && index >= 0) {
        queue.splice(index, 1)
        if (queue.length === 0) this.#queues.delete(call.key.keyId)
      }
      this.#resolve(call, new AdmissionUnavailableError('no verdict in time', { maybeCharged: call.sent }))
    }
  }

  #resolve(call: PendingRequest, outcome: Verdict | AdmissionUnavailableError): void {
    // False when the call was refused as overdue meanwhile: its caller has its answer.
    if (!this.#pending.delete(call)) return
    if (outcome instanceof AdmissionUnavailableError) call.reject(outcome)
    else call.resolve(outcome)
    this.#observer?.onVerdict('kind' in outcome ? outcome.kind : 'unavailable', Date.now() - call.startedAt)
    if (this.#pending.size > 0) return
    clearInterval(this.#timeoutTimer)
    this.#timeoutTimer = undefined
  }
}

/** Whether PostgreSQL itself said that a statement came to nothing; when the connection is lost, nobody says. */
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
