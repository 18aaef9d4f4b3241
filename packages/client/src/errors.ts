import type { components } from './api.generated.ts'

/** What is left of the key's day. */
export type RateLimit = { limit: number; remaining: number; reset: Date }

/** What is known of the answer that was an error. */
export type ErrorDetails = {
  status?: number
  requestId?: string | undefined
  rateLimit?: RateLimit | undefined
  retryAfter?: number | undefined
  cause?: unknown
}

/** Everything that goes wrong with a request is one of the classes below; an abort is the reason of its signal. */
export class BrickmarkError extends Error {
  /** For programs: the code of the contract, or `ConnectionError` or `UnexpectedAnswer`. */
  readonly code: string
  /** HTTP status, if there was an answer. */
  readonly status: number | undefined
  /** Name of the request in the service's log. */
  readonly requestId: string | undefined
  readonly rateLimit: RateLimit | undefined
  /** Seconds after which the service says to try again. */
  readonly retryAfter: number | undefined

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause })
    // Not from the class: a bundler may rename it.
    this.name = code.replace(/(Error)?$/, 'Error')
    this.code = code
    this.status = details.status
    this.requestId = details.requestId
    this.rateLimit = details.rateLimit
    this.retryAfter = details.retryAfter
  }
}

/** 400: the path, a parameter or the body is not valid. Costs nothing. */
export class BadRequestError extends BrickmarkError {}
/** 401: no key was sent. */
export class MissingApiKeyError extends BrickmarkError {}
/** 401: the key is unknown, expired or revoked. */
export class InvalidApiKeyError extends BrickmarkError {}
/** 403: the account does not have the Reseller plan. */
export class TierRequiredError extends BrickmarkError {}
/** 404: it does not exist. Costs its price. */
export class NotFoundError extends BrickmarkError {}
/** 429: too little is left of the day; `rateLimit.reset` and `retryAfter` say when there is more. Costs nothing. */
export class QuotaExceededError extends BrickmarkError {}
/** 5xx: a fault of the service, after all retries. Costs nothing. */
export class InternalError extends BrickmarkError {}
/** No answer, or only a part of one, after all retries; `cause` says more. */
export class ConnectionError extends BrickmarkError {}
/** An answer, but not of a Brickmark service: most often the base URL is wrong. */
export class UnexpectedResponseError extends BrickmarkError {}

type Responses = components['responses']
type ErrorCode = Responses[keyof Responses]['content']['application/json']['error']['code']

const errorClasses: Record<ErrorCode, typeof BrickmarkError> = {
  BadRequest: BadRequestError,
  MissingApiKey: MissingApiKeyError,
  InvalidApiKey: InvalidApiKeyError,
  TierRequired: TierRequiredError,
  NotFound: NotFoundError,
  QuotaExceeded: QuotaExceededError,
  InternalError,
}

/** The error of a code; a code that this version does not know yet is a plain `BrickmarkError`. */
export function createError(code: string, message: string, details: ErrorDetails): BrickmarkError {
  const known = Object.hasOwn(errorClasses, code) ? errorClasses[code as ErrorCode] : BrickmarkError
  return new known(code, message, details)
}
