import type { KeyIdentity } from '@brickmark/core/account/api-key'
import type { AdmissionOutcome } from './verdict.ts'

/** A request that waits for another one of its key to end. */
export type QueuedRequest = { resolve: () => void; timer: NodeJS.Timeout }

/** A request without a verdict. */
export type PendingRequest = {
  cost: number
  startedAt: number
  /** Whether the statement that charges it has been sent. */
  sent: boolean
  /** Whether it has its outcome, which may be a timeout while its charge is still in flight. */
  settled: boolean
  settle: (outcome: AdmissionOutcome) => void
}

/** Shared by all keys without requests, and never changed. */
export const NO_REQUESTS: never[] = []

/**
 * A key that this process has seen, with the state of its requests. The state is kept here rather than in maps keyed by
 * key id, which every request would have to enter and leave.
 */
export class ActiveKey implements KeyIdentity {
  readonly accountId: number
  readonly keyId: number
  /** Requests that run now. Owned by `KeyConcurrencyLimiter`, like `queued`. */
  inFlight = 0
  /** Requests that wait for one of those to end. */
  queued: QueuedRequest[] = NO_REQUESTS
  /** Requests to charge that aren't in a statement yet. Owned by `AdmissionController`, like the following. */
  pending: PendingRequest[] = NO_REQUESTS
  isCharging = false
  /** Until when (`Date.now()`) the key is treated as charged by other processes too. */
  contendedUntil = 0
  /** Whether the plan of its account had no API access at the last charge. */
  lacksPlan = false
  /** Whether the last charge had no room left in the day. */
  isExhausted = false

  constructor({ accountId, keyId }: KeyIdentity) {
    this.accountId = accountId
    this.keyId = keyId
  }

  get isIdle(): boolean {
    return this.inFlight === 0 && this.pending.length === 0 && !this.isCharging
  }
}
