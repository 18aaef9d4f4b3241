import { RETRYABLE_STATUSES } from './api.generated.ts'

/** Quota for the current day. */
export type RateLimit = { limit: number; remaining: number; reset: Date }

/** Details of the error response, as far as there was one. */
export type ErrorDetails = {
  status?: number
  requestId?: string | undefined
  rateLimit?: RateLimit | undefined
  retryAfter?: number | undefined
  maybeCharged?: boolean
  docsUrl?: string | undefined
  cause?: unknown
}

/** Base class of all request errors. Aborted requests reject with the reason of their signal instead. */
export class BrickmarkError extends Error {
  /** Machine-readable error code from the API, or `APIConnectionError`, `APITimeoutError` or `UnexpectedResponse`. */
  readonly code: string
  /** HTTP status, if there was a response. */
  readonly status: number | undefined
  /** Request ID, for support. */
  readonly requestId: string | undefined
  readonly rateLimit: RateLimit | undefined
  /** Seconds to wait before retrying, from `Retry-After`. */
  readonly retryAfter: number | undefined
  /** Whether the request, or an earlier attempt to send it, may have been charged although it failed. */
  maybeCharged: boolean
  /**
   * Whether sending the same request again may succeed. If `retryAfter` is set, wait that long first. If `maybeCharged` is
   * set, it may cost credits again. The client has already retried up to `maxRetries` times.
   */
  readonly isRetryable: boolean
  /** Page that explains the code. */
  readonly docsUrl: string | undefined

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause })
    // Derived from the code, because minifiers rename classes.
    this.name = code.replace(/(Error)?$/, 'Error')
    this.code = code
    this.status = details.status
    this.requestId = details.requestId
    this.rateLimit = details.rateLimit
    this.retryAfter = details.retryAfter
    this.maybeCharged = details.maybeCharged ?? false
    this.isRetryable = isTemporary(code, details)
    this.docsUrl = details.docsUrl
  }
}

/** A 429 without `Retry-After` isn't ours: a proxy may limit requests by rules we don't know. */
function isTemporary(code: string, { status, retryAfter }: ErrorDetails): boolean {
  if (status === undefined) return code === 'APIConnectionError' || code === 'APITimeoutError'
  return status >= 500 || (RETRYABLE_STATUSES.includes(status) && retryAfter !== undefined)
}

/** 400: the path, a parameter or the body is invalid. Free. */
export class BadRequestError extends BrickmarkError {}
/** 401: no key was sent. */
export class MissingApiKeyError extends BrickmarkError {}
/** 401: the key is unknown, expired or revoked. */
export class InvalidApiKeyError extends BrickmarkError {}
/** 403: the account does not have the Reseller plan. */
export class TierRequiredError extends BrickmarkError {}
/** 404: not found. Costs as much as a success. */
export class NotFoundError extends BrickmarkError {}
/** 429: daily quota exceeded. See `rateLimit.reset` and `retryAfter`. Free. */
export class QuotaExceededError extends BrickmarkError {}
/** 5xx: server error, after all retries. Free, unless `maybeCharged`. */
export class InternalError extends BrickmarkError {}
/** No complete response, after all retries. See `cause`, and `maybeCharged`: the request may have arrived. */
export class APIConnectionError extends BrickmarkError {}
/** No complete response within `timeout`, after all retries. */
export class APITimeoutError extends APIConnectionError {}
/** Not a Brickmark API response. The base URL is probably wrong. */
export class UnexpectedResponseError extends BrickmarkError {}

const errorClasses: Record<string, typeof BrickmarkError> = {
  BadRequest: BadRequestError,
  MissingApiKey: MissingApiKeyError,
  InvalidApiKey: InvalidApiKeyError,
  TierRequired: TierRequiredError,
  NotFound: NotFoundError,
  QuotaExceeded: QuotaExceededError,
  InternalError,
}

/** Creates the error class for a code. Codes unknown to this version become a plain `BrickmarkError`. */
export function createError(code: string, message: string, details: ErrorDetails): BrickmarkError {
  const ErrorClass = Object.hasOwn(errorClasses, code) ? errorClasses[code]! : BrickmarkError
  return new ErrorClass(code, message, details)
}
