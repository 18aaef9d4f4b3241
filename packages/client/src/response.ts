import type { components } from './api.generated.ts'
import { errorOf, UnexpectedAnswerError, type RateLimit } from './errors.ts'

/** About an answer: its name in the service's log, and what is left of the day after it. */
export type Meta = { requestId: string; apiVersion: string; rateLimit: RateLimit }

/** The data exactly as the service sent it. */
export type Result<D> = { data: D; meta: Meta }

/** The result, or the error, that an answer is. */
export function readAnswer<D>(baseUrl: string, response: Response, text: string): Result<D> {
  const body = parse(text)
  if (response.ok && body?.data !== undefined && body.meta) {
    return { data: body.data as D, meta: presentMeta(body.meta) }
  }
  const { status, headers } = response
  const facts = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    rateLimit: rateLimitOf(headers),
    retryAfter: secondsOf(headers.get('retry-after')),
  }
  if (body?.error) throw errorOf(body.error.code, body.error.message, facts)
  // A proxy in front of a service that is down answers in its own words.
  if (status >= 500) throw errorOf('InternalError', `${baseUrl} answered ${status}.`, facts)
  const advice = 'Is the base URL right? It ends in /api/v1.'
  throw new UnexpectedAnswerError(
    'UnexpectedAnswer',
    `${baseUrl} answered ${status}, not as Brickmark does. ${advice}`,
    facts,
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

function presentMeta({ request_id, api_version, rate_limit }: components['schemas']['Meta']): Meta {
  return {
    requestId: request_id,
    apiVersion: api_version,
    rateLimit: { ...rate_limit, reset: new Date(rate_limit.reset) },
  }
}

function rateLimitOf(headers: Headers): RateLimit | undefined {
  const reset = headers.get('x-ratelimit-reset')
  if (reset === null) return undefined
  const number = (name: string) => Number(headers.get(name))
  return { limit: number('x-ratelimit-limit'), remaining: number('x-ratelimit-remaining'), reset: new Date(reset) }
}

/** A proxy may give a date instead of seconds. */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
