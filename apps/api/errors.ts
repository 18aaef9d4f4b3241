/** The seven error codes of the contract and their HTTP statuses. */
const ERROR_STATUS = {
  BadRequest: 400,
  MissingApiKey: 401,
  InvalidApiKey: 401,
  TierRequired: 403,
  NotFound: 404,
  QuotaExceeded: 429,
  InternalError: 500,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** An error that is sent to the client as it is. Only `apps/api` throws it; `toApiError` maps everything else. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly headers: Record<string, string>
  /** The response body, once the error has been sent: under overload, one error is sent thousands of times. */
  body: string | undefined

  constructor(code: ErrorCode, message: string, options: { status?: number; headers?: Record<string, string> } = {}) {
    super(message)
    this.code = code
    this.status = options.status ?? ERROR_STATUS[code]
    this.headers = options.headers ?? {}
  }
}

export function badRequest(message: string): never {
  throw new ApiError('BadRequest', message)
}

export function notFound(message: string): never {
  throw new ApiError('NotFound', message)
}

/** Throws a 404 that explains how to find the number. */
export function itemNotFound(kind: 'set' | 'minifig', number: string): never {
  notFound(`No ${kind} found with number ${number}. Use \`GET /catalog/${kind}s/search?q=…\` to search by name.`)
}

/** A bug. Nothing is charged before the response is complete, so it's free. */
export const INTERNAL_ERROR_MESSAGE =
  'Internal server error. This request did not count toward your quota. Please retry.'

/**
 * 503 for overload and restarts, so that load balancers and clients retry. Preallocated, as are the errors that cause
 * it: capturing a stack trace costs more than the rest of a rejection, and under load there are thousands.
 */
export const SERVICE_UNAVAILABLE = serviceUnavailable('This request did not count toward your quota')

/**
 * Same, for a charge that was in flight when the database connection was lost: whether it committed is unknown. The
 * header tells clients that a retry may be charged again.
 */
export const SERVICE_UNAVAILABLE_MAYBE_CHARGED = serviceUnavailable('This request may have counted toward your quota', {
  'x-charged': 'maybe',
})

function serviceUnavailable(charged: string, headers: Record<string, string> = {}): ApiError {
  const message = `The service is temporarily unavailable. ${charged}. Please retry shortly.`
  return new ApiError('InternalError', message, { status: 503, headers: { 'retry-after': '2', ...headers } })
}
