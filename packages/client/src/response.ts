import { RETRYABLE_STATUSES, type components } from './api.generated.ts'
import { createError, UnexpectedResponseError, type RateLimit } from './errors.ts'

/** Response metadata: request ID, API version and remaining quota. */
export type Meta = { requestId: string; apiVersion: string; rateLimit: RateLimit }

/** Response data, exactly as the API sent it, with its metadata, and the raw response for its status and headers. */
export type Result<D> = { data: D; meta: Meta; response: Response }

/** Parses a response; throws the matching error if it isn't a success. The data of a part of a file are its bytes. */
export function parseResponse<D>(baseUrl: string, response: Response, content: string | Uint8Array): Result<D> {
  if (typeof content !== 'string') return { data: content as D, meta: metaOf(response.headers), response }
  const body = parse(content)
  if (response.ok && body?.data !== undefined && body.meta) {
    return { data: body.data as D, meta: toMeta(body.meta), response }
  }
  const { status, headers } = response
  const details = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    rateLimit: rateLimitOf(headers),
    retryAfter: parseRetryAfter(headers.get('retry-after')),
    docsUrl: docsUrlOf(response, baseUrl),
    // The API's own errors are free unless they say otherwise. Those of a proxy don't say.
    maybeCharged:
      status >= 500 &&
      (!body?.error?.code || !RETRYABLE_STATUSES.includes(status) || headers.get('x-charged') === 'maybe'),
  }
  if (body?.error?.code) throw createError(body.error.code, body.error.message, details)
  // A proxy in front of an unavailable service responds in its own format.
  if (status >= 500) throw createError('InternalError', `${baseUrl} returned ${status}.`, details)
  const hint = 'Check that the base URL ends in /api/v1.'
  throw new UnexpectedResponseError(
    'UnexpectedResponse',
    `${baseUrl} returned an unexpected ${status} response. ${hint}`,
    details,
  )
}

type Body = {
  data?: unknown
  meta?: components['schemas']['Meta']
  error?: { code: string; message: string }
}

function parse(text: string): Body | undefined {
  try {
    return (JSON.parse(text) ?? undefined) as Body | undefined
  } catch {
    return undefined
  }
}

function toMeta({ request_id, api_version, rate_limit }: components['schemas']['Meta']): Meta {
  return {
    requestId: request_id,
    apiVersion: api_version,
    rateLimit: { ...rate_limit, reset: new Date(rate_limit.reset) },
  }
}

function metaOf(headers: Headers): Meta {
  const [requestId, apiVersion] = [headers.get('x-request-id')!, headers.get('x-api-version')!]
  return { requestId, apiVersion, rateLimit: rateLimitOf(headers)! }
}

function rateLimitOf(headers: Headers): RateLimit | undefined {
  const reset = headers.get('x-ratelimit-reset')
  if (reset === null) return undefined
  const number = (name: string) => Number(headers.get(name))
  return { limit: number('x-ratelimit-limit'), remaining: number('x-ratelimit-remaining'), reset: new Date(reset) }
}

/** Returns the address in `Link: </docs/errors#BadRequest>; rel="help"`. */
function docsUrlOf({ headers, url }: Response, baseUrl: string): string | undefined {
  const path = /<([^>]+)>; rel="help"/.exec(headers.get('link') ?? '')?.[1]
  return path === undefined ? undefined : new URL(path, url || baseUrl).href
}

/** Parses `Retry-After`, which proxies may send as a date instead of seconds. */
function parseRetryAfter(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
