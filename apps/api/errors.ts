/** The seven codes of the contract and their statuses. */
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

/** An answer that is an error. Only `api` throws it; anything else that is thrown is a bug and answers 500. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly headers: Record<string, string>

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

/** A 404 that says how to find the number. */
export function itemNotFound(kind: 'set' | 'minifig', number: string): never {
  notFound(`There is no ${kind} ${number}. \`GET /catalog/${kind}s/search?q=…\` finds numbers by name.`)
}

/**
 * The service cannot answer just now: 503, so that load balancers and clients know to come back. Made once, as are the reasons
 * for it: a trace of where it came from takes longer than the rest of a refusal, and refusals come by the thousand.
 */
export const SERVICE_UNAVAILABLE = serviceUnavailable('Nothing was charged')

/** The same when the database was lost with a charge under way: whether it took the units cannot be known. */
export const SERVICE_UNAVAILABLE_MAYBE_CHARGED = serviceUnavailable('This request may have been charged')

function serviceUnavailable(charged: string): ApiError {
  const message = `The service is busy or a part of it is restarting. ${charged}; try again shortly.`
  return new ApiError('InternalError', message, { status: 503, headers: { 'retry-after': '2' } })
}
