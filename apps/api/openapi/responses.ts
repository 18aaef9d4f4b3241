import { INTERNAL_ERROR_MESSAGE, SERVICE_UNAVAILABLE, type ErrorCode } from '../errors.ts'
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
  'X-Charged': header(
    '`maybe` if the request may have been charged: the database was lost while it was. Without this header, it was free.',
    { type: 'string', const: 'maybe' },
    'maybe',
  ),
  Link: header('Link to the documentation for this error.', { type: 'string' }, helpLinkHeader('BadRequest')['link']),
}

function header(description: string, schema: JsonSchema, example: unknown): JsonSchema {
  return { description, schema, example }
}

export function headerRefs(...names: string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

type ErrorResponse = {
  codes: ErrorCode[]
  description: string
  /** Whether it costs the credits of the request. */
  charged: keyof typeof CHARGED
  /** Whether the same request may succeed later, and when to send it. */
  retry: keyof typeof RETRY
  message: string
  headers: string[]
}

const CHARGED = {
  no: 'Free.',
  yes: 'Costs as much as a successful request.',
  header: 'Free, unless `X-Charged` is `maybe`.',
}
const RETRY = {
  no: '',
  backoff: 'Can be retried.',
  'retry-after': 'Can be retried after `Retry-After` seconds.',
}

/** The SDKs and the errors page are generated from `charged` and `retry`, so that all of them say the same. */
const ERRORS: Record<string, ErrorResponse> = {
  400: {
    codes: ['BadRequest'],
    description: 'Invalid path, parameter or body.',
    charged: 'no',
    retry: 'no',
    message: 'Unknown parameter `limits`. Did you mean `limit`? Allowed: limit, offset.',
    headers: [...QUOTA_HEADERS],
  },
  401: {
    codes: ['MissingApiKey', 'InvalidApiKey'],
    description: 'Missing, invalid, expired or revoked API key.',
    charged: 'no',
    retry: 'no',
    message: INVALID_KEY_MESSAGE,
    headers: [],
  },
  403: {
    codes: ['TierRequired'],
    description: 'API access requires the Reseller plan.',
    charged: 'no',
    retry: 'no',
    message: 'API access requires the Reseller plan.',
    headers: [...QUOTA_HEADERS],
  },
  404: {
    codes: ['NotFound'],
    description: 'No such set, minifig or collection.',
    charged: 'yes',
    retry: 'no',
    message: 'No set found with number 1. Use `GET /catalog/sets/search?q=…` to search by name.',
    headers: [...QUOTA_HEADERS],
  },
  429: {
    codes: ['QuotaExceeded'],
    description: 'Daily quota exceeded.',
    charged: 'no',
    retry: 'retry-after',
    message: quotaExceededMessage({ limit: 1000, remaining: 40, reset: EXAMPLE_RESET }, 100, 11_520),
    headers: [...QUOTA_HEADERS, 'Retry-After'],
  },
  500: {
    codes: ['InternalError'],
    description: 'Internal server error.',
    charged: 'no',
    retry: 'backoff',
    message: INTERNAL_ERROR_MESSAGE,
    headers: [],
  },
  503: {
    codes: ['InternalError'],
    description: 'The service is overloaded or restarting.',
    charged: 'header',
    retry: 'retry-after',
    message: SERVICE_UNAVAILABLE.message,
    headers: ['Retry-After', 'X-Charged'],
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
    Object.entries(ERRORS).map(([status, { codes, description, charged, retry, message, headers }]) => [
      `Error${status}`,
      {
        description: [description, CHARGED[charged], RETRY[retry]].filter(Boolean).join(' '),
        'x-charged': charged,
        'x-retry': retry,
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
