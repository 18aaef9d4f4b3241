import { SERVICE_UNAVAILABLE, type ErrorCode } from '../errors.ts'
import { API_VERSION, helpLinkHeader } from '../envelope.ts'
import { missingKeyMessage, quotaExceededMessage, INVALID_KEY_MESSAGE } from '../auth-messages.ts'

type JsonSchema = Record<string, unknown>

export const EXAMPLE_REQUEST_ID = '7f8a4c1e-2f4b-4c53-9a55-0c2b8a8f4d11'
export const EXAMPLE_RESET = '2026-06-28T00:00:00.000Z'

export const QUOTA_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

export const RESPONSE_HEADERS: Record<string, JsonSchema> = {
  'X-Request-Id': header(
    'Unique request ID. Include it when contacting support.',
    { type: 'string', format: 'uuid' },
    EXAMPLE_REQUEST_ID,
  ),
  'X-API-Version': header('API version.', { type: 'string', const: API_VERSION }, API_VERSION),
  'X-RateLimit-Limit': header('Daily quota of this API key, in credits.', { type: 'integer', minimum: 1 }, 1000),
  'X-RateLimit-Remaining': header('Credits remaining until the reset.', { type: 'integer', minimum: 0 }, 987),
  'X-RateLimit-Reset': header(
    'When the quota resets (midnight UTC).',
    { type: 'string', format: 'date-time' },
    EXAMPLE_RESET,
  ),
  'Retry-After': header('Seconds to wait before retrying.', { type: 'integer', minimum: 1, maximum: 86_400 }, 11_520),
  Link: header('Link to the documentation for this error.', { type: 'string' }, helpLinkHeader('BadRequest')['link']),
}

function header(description: string, schema: JsonSchema, example: unknown): JsonSchema {
  return { description, schema, example }
}

export function headerRefs(...names: string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

const ERRORS: Record<string, { codes: ErrorCode[]; description: string; message: string; headers: string[] }> = {
  400: {
    codes: ['BadRequest'],
    description: 'Invalid path, parameter or body. Does not count toward your quota.',
    message: 'Unknown parameter `limits`. Did you mean `limit`? Allowed: limit, offset.',
    headers: [...QUOTA_HEADERS],
  },
  401: {
    codes: ['MissingApiKey', 'InvalidApiKey'],
    description: 'Missing, invalid, expired or revoked API key. Does not count toward your quota.',
    message: INVALID_KEY_MESSAGE,
    headers: [],
  },
  403: {
    codes: ['TierRequired'],
    description: 'API access requires the Reseller plan. Does not count toward your quota.',
    message: 'API access requires the Reseller plan.',
    headers: [...QUOTA_HEADERS],
  },
  404: {
    codes: ['NotFound'],
    description: 'Not found. Counts toward your quota like a successful request.',
    message: 'No set found with number 1. Use `GET /catalog/sets/search?q=…` to search by name.',
    headers: [...QUOTA_HEADERS],
  },
  429: {
    codes: ['QuotaExceeded'],
    description: 'Daily quota exceeded. Does not count toward your quota.',
    message: quotaExceededMessage({ limit: 1000, remaining: 40, reset: EXAMPLE_RESET }, 100, 11_520),
    headers: [...QUOTA_HEADERS, 'Retry-After'],
  },
  500: {
    codes: ['InternalError'],
    description: 'Server error. Does not count toward your quota; safe to retry.',
    message: 'Internal server error. This request did not count toward your quota. Please retry.',
    headers: [],
  },
  503: {
    codes: ['InternalError'],
    description:
      'The service is overloaded or restarting. Retry after `Retry-After` seconds. Does not count toward your quota unless the message says it may have.',
    message: SERVICE_UNAVAILABLE.message,
    headers: ['Retry-After'],
  },
}

/** Where several codes share a status. */
const EXAMPLE_MESSAGES: Partial<Record<ErrorCode, string>> = { MissingApiKey: missingKeyMessage({}) }

const EXAMPLE_ERROR = { code: 'BadRequest', message: ERRORS['400']!.message }

export const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'Error response.',
  properties: {
    error: {
      type: 'object',
      description: 'Error details.',
      properties: {
        code: field(
          'Machine-readable error code.',
          { type: 'string', 'x-extensible-enum': [...new Set(Object.values(ERRORS).flatMap(({ codes }) => codes))] },
          EXAMPLE_ERROR.code,
        ),
        message: field('Human-readable message. The wording may change.', { type: 'string' }, EXAMPLE_ERROR.message),
      },
      examples: [EXAMPLE_ERROR],
      required: ['code', 'message'],
    },
  },
  examples: [{ error: EXAMPLE_ERROR }],
  required: ['error'],
}

export function errorResponses(): JsonSchema {
  return Object.fromEntries(
    Object.entries(ERRORS).map(([status, { codes, description, message, headers }]) => [
      `Error${status}`,
      {
        description,
        headers: headerRefs('X-Request-Id', 'X-API-Version', 'Link', ...headers),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(
              codes.map((code) => [code, { value: { error: { code, message: EXAMPLE_MESSAGES[code] ?? message } } }]),
            ),
          },
        },
      },
    ]),
  )
}

function field(description: string, schema: JsonSchema, example: unknown): JsonSchema {
  return { ...schema, description, examples: [example] }
}
