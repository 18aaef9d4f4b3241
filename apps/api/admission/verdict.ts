import type { Quota } from '@brickmark/core/account/quota'

/** Outcome of an admission check, including the key's remaining quota and the seconds until its reset. */
export type Verdict =
  | { kind: 'admitted'; quota: Quota; retryAfter: number }
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

export type AdmissionOutcome = Verdict | AdmissionUnavailableError
