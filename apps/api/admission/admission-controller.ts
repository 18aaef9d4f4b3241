import type pg from 'pg'
import { remainingAfter, secondsUntil, type Quota } from '@brickmark/core/account/quota'
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
export class AdmissionUnavailable extends Error {
  readonly perhapsCharged: boolean

  constructor(message: string, { perhapsCharged = false, cause }: { perhapsCharged?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.perhapsCharged = perhapsCharged
  }
}

/** Told what happens, for whoever counts it. */
export type AdmissionWatch = {
  /** One statement charges so many calls. */
  charged(calls: number): void
  decided(verdict: Verdict['kind'] | 'unavailable', waitedMs: number): void
}

type Call = {
  key: KeyIdentity
  price: number
  askedAt: number
  /** Whether the statement that charges it has left. */
  sent: boolean
  resolve: (verdict: Verdict) => void
  reject: (reason: Error) => void
}

const STATEMENTS_IN_FLIGHT = 2
const CALLS_WAITING = 10_000
const WAIT_MS = 1800
const RETRY_CONNECT_MS = 50

/**
 * Charges calls in the order they came, many in one statement: while two statements are under way, the calls that
 * arrive wait together and become the next one. A key is in at most one statement at a time, so its calls stay in
 * order. In a statement a key brings calls of one price, so that "as many whole calls as fit" is exact, needs no
 * refund and no second thought.
 */
export class Admission {
  readonly #pool: pg.Pool
  /** Calls not yet in a statement, by key; the map's order is the order in which the keys began to wait. */
  readonly #waiting = new Map<number, Call[]>()
  readonly #busyKeys = new Set<number>()
  /** Every call without a verdict, oldest first. */
  readonly #open = new Set<Call>()
  #inFlight = 0
  #scheduled = false
  #overdueTimer: NodeJS.Timeout | undefined
  readonly #watch: AdmissionWatch | undefined

  constructor(pool: pg.Pool, watch?: AdmissionWatch) {
    this.#pool = pool
    this.#watch = watch
  }

  /** Calls without a verdict. */
  get waiting(): number {
    return this.#open.size
  }

  /**
   * Rejects with AdmissionUnavailable when there is no verdict within 2 s of when the caller began to wait, or when too many calls
   * wait already.
   */
  admit(key: KeyIdentity, price: number, askedAt = Date.now()): Promise<Verdict> {
    if (this.#open.size >= CALLS_WAITING) return Promise.reject(new AdmissionUnavailable('too many calls wait'))
    return new Promise((resolve, reject) => {
      const call: Call = { key, price, askedAt, sent: false, resolve, reject }
      this.#open.add(call)
      const queue = this.#waiting.get(key.keyId)
      if (queue) queue.push(call)
      else this.#waiting.set(key.keyId, [call])
      this.#overdueTimer ??= setInterval(() => this.#refuseOverdue(), 100).unref()
      this.#schedule()
    })
  }

  /** After the current turn of the event loop, so that requests read together are charged together. */
  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      while (this.#inFlight < STATEMENTS_IN_FLIGHT) {
        const groups = this.#takeGroups()
        if (groups.length === 0) return
        void this.#chargeGroups(groups)
      }
    })
  }

  /** From every key that is not busy: its oldest calls, as long as they have the same price. */
  #takeGroups(): Call[][] {
    const groups: Call[][] = []
    for (const [keyId, queue] of this.#waiting) {
      if (this.#busyKeys.has(keyId)) continue
      const price = queue[0]?.price
      let count = queue.findIndex((call) => call.price !== price)
      if (count === -1) count = queue.length
      groups.push(queue.splice(0, count))
      if (queue.length === 0) this.#waiting.delete(keyId)
      this.#busyKeys.add(keyId)
    }
    return groups
  }

  async #chargeGroups(groups: Call[][]): Promise<void> {
    this.#inFlight++
    try {
      const client = await this.#connect(groups)
      if (client) await this.#settle(client, groups)
    } catch (cause) {
      const refusal = new AdmissionUnavailable('the charge failed', { cause, perhapsCharged: !wasRolledBack(cause) })
      for (const call of groups.flat()) this.#close(call, refusal)
    } finally {
      this.#inFlight--
      for (const [first] of groups) if (first) this.#busyKeys.delete(first.key.keyId)
      this.#schedule()
    }
  }

  /** A connection, for as long as anybody waits for one: nothing has been sent yet, so trying again is safe. */
  async #connect(groups: Call[][]): Promise<pg.PoolClient | undefined> {
    while (groups.some((calls) => calls.some((call) => this.#open.has(call)))) {
      try {
        return await this.#pool.connect()
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_CONNECT_MS))
      }
    }
    return undefined
  }

  /** Once sent, a statement is never sent again: whether a lost one was committed cannot be known. */
  async #settle(client: pg.PoolClient, groups: Call[][]): Promise<void> {
    let failed: Error | undefined
    try {
      // A call that was refused while we waited for the connection must not be charged.
      const live = groups
        .map((calls) => calls.filter((call) => this.#open.has(call)))
        .filter((calls) => calls.length > 0)
      if (live.length === 0) return
      const asked = live.map((calls) => ({ key: calls[0]!.key, price: calls[0]!.price, calls: calls.length }))
      const sent = live.flat()
      for (const call of sent) call.sent = true
      this.#watch?.charged(sent.length)
      const results = await charge(client, asked)
      for (const [place, calls] of live.entries()) this.#announce(calls, results[place]!)
    } catch (error) {
      failed = error as Error
      throw error
    } finally {
      client.release(failed)
    }
  }

  #announce(calls: Call[], result: ChargeResult): void {
    for (let place = 0; place < calls.length; place++) {
      const call = calls[place]!
      this.#close(call, verdictFor(result, call.price, place))
    }
  }

  #refuseOverdue(): void {
    const now = Date.now()
    for (const call of this.#open) {
      // Not in order: some have waited for something else before.
      if (call.askedAt + WAIT_MS > now) continue
      const queue = this.#waiting.get(call.key.keyId)
      const place = queue?.indexOf(call) ?? -1
      if (queue && place >= 0) {
        queue.splice(place, 1)
        if (queue.length === 0) this.#waiting.delete(call.key.keyId)
      }
      this.#close(call, new AdmissionUnavailable('no verdict in time', { perhapsCharged: call.sent }))
    }
  }

  #close(call: Call, outcome: Verdict | AdmissionUnavailable): void {
    // False when the call was refused as overdue meanwhile: its caller has its answer.
    if (!this.#open.delete(call)) return
    if (outcome instanceof AdmissionUnavailable) call.reject(outcome)
    else call.resolve(outcome)
    this.#watch?.decided('kind' in outcome ? outcome.kind : 'unavailable', Date.now() - call.askedAt)
    if (this.#open.size > 0) return
    clearInterval(this.#overdueTimer)
    this.#overdueTimer = undefined
  }
}

/** Whether PostgreSQL itself said that a statement came to nothing; when the connection is lost, nobody says. */
function wasRolledBack(cause: unknown): boolean {
  const { code } = cause as { code?: unknown }
  return typeof code === 'string' && /^(?!08|57P)[0-9A-Z]{5}$/.test(code)
}

function verdictFor(result: ChargeResult, price: number, place: number): Verdict {
  if (result.verdict === 'invalid_key') return { kind: 'invalid_key' }
  const admitted = place < result.granted
  const remaining = admitted
    ? remainingAfter(result.limit, result.used, price, result.granted, place)
    : Math.max(0, result.limit - result.used)
  const quota = { limit: result.limit, remaining, reset: result.reset }
  if (result.verdict === 'no_plan') return { kind: 'no_plan', quota }
  if (admitted) return { kind: 'admitted', quota }
  return { kind: 'exhausted', quota, retryAfter: secondsUntil(result.resetsAt, result.askedAt) }
}
