import type { ErrorCode } from '../errors.ts'
import { API_VERSION, helpLinkHeader } from '../envelope.ts'
import { quotaExceededMessage, INVALID_KEY_MESSAGE } from '../auth-messages.ts'

type Json = Record<string, unknown>

export const EXAMPLE_REQUEST_ID = '7f8a4c1e-2f4b-4c53-9a55-0c2b8a8f4d11'
export const EXAMPLE_RESET = '2026-06-28T00:00:00.000Z'

export const QUOTA_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

export const RESPONSE_HEADERS: Record<string, Json> = {
  'X-Request-Id': header('Name of this request.', { type: 'string', format: 'uuid' }, EXAMPLE_REQUEST_ID),
  'X-API-Version': header('Version of the contract.', { type: 'string', const: API_VERSION }, API_VERSION),
  'X-RateLimit-Limit': header('Daily allowance of the key.', { type: 'integer', minimum: 1 }, 1000),
  'X-RateLimit-Remaining': header('Units left before the reset.', { type: 'integer', minimum: 0 }, 987),
  'X-RateLimit-Reset': header('When the allowance resets.', { type: 'string', format: 'date-time' }, EXAMPLE_RESET),
  'Retry-After': header('Seconds to wait.', { type: 'integer', minimum: 1, maximum: 86_400 }, 11_520),
  Link: header('Where the code is explained.', { type: 'string' }, helpLinkHeader('BadRequest')['link']),
}

function header(description: string, schema: Json, example: unknown): Json {
  return { description, schema, example }
}

export function headerRefs(...names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

const ERRORS: Record<string, { codes: ErrorCode[]; description: string; message: string; headers: string[] }> = {
  400: {
    codes: ['BadRequest'],
    description: 'The path, a parameter or the body is not valid. Costs nothing.',
    message: 'Unknown parameter `limits`. Did you mean `limit`? Allowed: limit, offset.',
    headers: [...QUOTA_HEADERS],
  },
  401: {
    codes: ['MissingApiKey', 'InvalidApiKey'],
    description: 'No key, or one that is unknown, expired or revoked. Costs nothing.',
    message: INVALID_KEY_MESSAGE,
    headers: [],
  },
  403: {
    codes: ['TierRequired'],
    description: 'The account does not have the Reseller plan. Costs nothing.',
    message: 'The API is part of the Reseller plan, which this account does not have.',
    headers: [...QUOTA_HEADERS],
  },
  404: {
    codes: ['NotFound'],
    description: 'It does not exist. That is an answer too and costs its price.',
    message: 'There is no set 1. `GET /catalog/sets/search?q=…` finds numbers by name.',
    headers: [...QUOTA_HEADERS],
  },
  429: {
    codes: ['QuotaExceeded'],
    description: 'Too little is left of the daily allowance. Costs nothing.',
    message: quotaExceededMessage({ limit: 1000, remaining: 40, reset: EXAMPLE_RESET }, 100, 11_520),
    headers: [...QUOTA_HEADERS, 'Retry-After'],
  },
  500: {
    codes: ['InternalError'],
    description: 'A fault of the service. Costs nothing; you may try again.',
    message: 'Something went wrong on our side. Nothing was charged; you may try again.',
    headers: [],
  },
  503: {
    codes: ['InternalError'],
    description:
      'The service is overloaded or a part of it is restarting; try again after `Retry-After`. Costs nothing, unless the message says that it may have been charged: then the database was lost while it was.',
    message: 'The service is busy or a part of it is restarting. Nothing was charged; try again shortly.',
    headers: ['Retry-After'],
  },
}

export function errorResponses(): Json {
  return Object.fromEntries(
    Object.entries(ERRORS).map(([status, { codes, description, message, headers }]) => {
      const code = codes.at(-1)
      return [
        `Error${status}`,
        {
          description,
          headers: headerRefs('X-Request-Id', 'X-API-Version', 'Link', ...headers),
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  error: {
                    type: 'object',
                    description: 'What went wrong.',
                    properties: {
                      code: field('For programs.', { type: 'string', enum: codes }, code),
                      message: field('For people. Its wording may change.', { type: 'string' }, message),
                    },
                    examples: [{ code, message }],
                    required: ['code', 'message'],
                    additionalProperties: false,
                  },
                },
                required: ['error'],
                additionalProperties: false,
              },
              example: { error: { code, message } },
            },
          },
        },
      ]
    }),
  )
}

function field(description: string, schema: Json, example: unknown): Json {
  return { ...schema, description, examples: [example] }
}
