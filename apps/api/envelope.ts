import { z } from 'zod'
import { redactSecrets } from '@brickmark/core/account/api-key'
import type { Quota } from '@brickmark/core/account/quota'
import type { ErrorCode } from './errors.ts'

export const API_VERSION = '1'

export const MetaSchema = z
  .strictObject({
    request_id: z.uuid().meta({
      description: 'Unique request ID, also sent as `X-Request-Id`.',
      example: '7f8a4c1e-2f4b-4c53-9a55-0c2b8a8f4d11',
    }),
    api_version: z.literal(API_VERSION).meta({ description: 'API version.' }),
    rate_limit: z
      .strictObject({
        limit: z.int().min(1).meta({ description: 'Daily quota of this API key, in credits.', example: 1000 }),
        remaining: z.int().min(0).meta({ description: 'Credits remaining until the reset.', example: 987 }),
        reset: z.iso.datetime().meta({
          description: 'When the quota resets (midnight UTC).',
          example: '2026-06-28T00:00:00.000Z',
        }),
      })
      .meta({ id: 'RateLimit', description: 'Quota status after this request.' }),
  })
  .meta({ id: 'Meta', description: 'Response metadata.' })

/** Opens the body of a 200 response; the data follows. */
export const ENVELOPE_PREFIX = '{"data":'

/** Returns the rest of the body of a 200 response, after the data. Nothing in `meta` needs escaping. */
export function envelopeSuffix(requestId: string, quota: Quota): string {
  const { limit, remaining, reset } = quota
  return `,"meta":{"request_id":"${requestId}","api_version":"${API_VERSION}","rate_limit":{"limit":${limit},"remaining":${remaining},"reset":"${reset}"}}}`
}

/**
 * Returns the body of an error response. The message may quote the request and end up in logs, so secrets are redacted.
 */
export function errorBody(code: ErrorCode, message: string): string {
  return JSON.stringify({ error: { code, message: redactSecrets(message) } })
}

/** Headers on every response. */
export function commonHeaders(requestId: string): Record<string, string> {
  return { 'x-request-id': requestId, 'x-api-version': API_VERSION }
}

/** Headers on every response under /api/v1. Each carries the caller's remaining quota, so none may be cached. */
export const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

/** Header on every error response: links to the documentation of its code. */
export function helpLinkHeader(code: ErrorCode): Record<string, string> {
  return { link: `</docs/errors#${code}>; rel="help"` }
}

/** Headers on every response to a valid key. */
export function quotaHeaders(quota: Quota): Record<string, string> {
  return {
    'x-ratelimit-limit': String(quota.limit),
    'x-ratelimit-remaining': String(quota.remaining),
    'x-ratelimit-reset': quota.reset,
  }
}

/** Returns the headers of a 200 as Node sends them fastest: names and values alternate. */
export function okHeaders(requestId: string, bytes: number, { limit, remaining, reset }: Quota): string[] {
  return [
    ...OK_HEADERS_PREFIX,
    String(bytes),
    'x-request-id',
    requestId,
    'x-ratelimit-limit',
    String(limit),
    'x-ratelimit-remaining',
    String(remaining),
    'x-ratelimit-reset',
    reset,
  ]
}

const OK_HEADERS_PREFIX = [...Object.entries(JSON_HEADERS).flat(), 'x-api-version', API_VERSION, 'content-length']
