import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { API_VERSION, MetaShape } from './envelope.ts'
import { routes } from './routes/index.ts'

type Json = Record<string, unknown>

const EXAMPLE_META = {
  request_id: '7f8a4c1e-2f4b-4c53-9a55-0c2b8a8f4d11',
  api_version: API_VERSION,
  rate_limit: { limit: 1000, remaining: 987, reset: '2026-06-28T00:00:00.000Z' },
}

/** The OpenAPI 3.1 document, made of the same schemas that validate requests and type answers. */
export function buildOpenApi(publicUrl?: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Brickmark API',
      version: API_VERSION,
      summary: 'Market data for brick collectors and resellers, read-only.',
      description:
        'Sets, minifigs, computed USD values, monthly history, live prices at two retailers, and your own collections and sales. All money is in US dollars, all times are ISO-8601. LEGO is a trademark of its owner, which has no part in this service.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${publicUrl ?? ''}/api/v1` }],
    security: [{ apiKey: [] }],
    tags: [
      { name: 'Catalog', description: 'Sets, minifigs, themes and their values. Shared by all callers.' },
      { name: 'Retail prices', description: 'Live prices at two retailers. Shared by all callers.' },
      { name: 'Portfolio', description: "The caller's own collections and sales." },
    ],
    paths: paths(),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'Your API key: `bmk_live_` and 48 hex characters.' },
      },
      headers: HEADERS,
      responses: errorResponses(),
      schemas: schemas(),
    },
  }
}

/** Every schema with an id, as a named component. */
function schemas(): Json {
  const components: Json = {}
  for (const shape of [MetaShape, ...routes.flatMap((route) => [route.body, route.data])]) {
    if (!shape) continue
    const { $defs } = z.toJSONSchema(shape, JSON_SCHEMA) as { $defs?: Json }
    Object.assign(components, $defs)
  }
  return Object.fromEntries(
    Object.entries(components)
      .map(([name, schema]) => [name, withoutId(schema as Json)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

const JSON_SCHEMA = {
  target: 'draft-2020-12',
  io: 'input',
  uri: (id: string) => `#/components/schemas/${id}`,
  override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Json }) {
    const meta = z.globalRegistry.get(zodSchema) as { openapi?: Json } | undefined
    // Text in a query that means a number is documented as the number.
    if (meta?.openapi) {
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
      Object.assign(jsonSchema, meta.openapi)
    }
    // The format says it; zod's pattern of several hundred characters would only hide it.
    if (jsonSchema['format'] !== undefined) delete jsonSchema['pattern']
    if (jsonSchema['example'] !== undefined) {
      jsonSchema['examples'] = [jsonSchema['example']]
      delete jsonSchema['example']
    }
  },
} as const

function refersTo(shape: z.ZodType): Json {
  const { $defs: _defs, $schema: _schema, ...json } = z.toJSONSchema(shape, JSON_SCHEMA) as Json
  return pointToComponents(json) as Json
}

/** Inside one document zod points to its own `$defs`; ours are the components. */
function pointToComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToComponents)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' ? String(inner).replace('#/$defs/', '#/components/schemas/') : pointToComponents(inner),
    ]),
  )
}

function withoutId(schema: Json): Json {
  const { id: _id, $id: _$id, ...rest } = schema
  return pointToComponents(rest) as Json
}

function paths(): Json {
  const result: Record<string, Json> = {}
  for (const route of routes) (result[route.path] ??= {})[route.method.toLowerCase()] = operation(route)
  return result
}

function operation(route: AnyEndpoint): Json {
  const price = typeof route.price === 'number' ? `Costs ${route.price} unit.` : 'Costs 1 unit an item.'
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: `${route.description}\n\n${price}`,
    ...parameters(route),
    ...(route.body && {
      requestBody: { required: true, content: { 'application/json': { schema: refersTo(route.body) } } },
    }),
    responses: {
      200: {
        description: 'The answer.',
        headers: headerRefs('X-Request-Id', 'X-API-Version', ...QUOTA_HEADERS),
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: { data: refersTo(route.data), meta: refersTo(MetaShape) },
              required: ['data', 'meta'],
              additionalProperties: false,
            },
            example: { data: route.example, meta: EXAMPLE_META },
          },
        },
      },
      ...Object.fromEntries(
        ['400', '401', '403', ...(route.mayBeMissing ? ['404'] : []), '429', '500', '503'].map((status) => [
          status,
          { $ref: `#/components/responses/Error${status}` },
        ]),
      ),
    },
  }
}

function parameters(route: AnyEndpoint): Json {
  const list = [
    ...parameterList('path', route.params as z.ZodObject),
    ...parameterList('query', route.query as z.ZodObject),
  ]
  return list.length === 0 ? {} : { parameters: list }
}

function parameterList(place: 'path' | 'query', shape: z.ZodObject): Json[] {
  const json = z.toJSONSchema(shape, JSON_SCHEMA) as { properties?: Record<string, Json>; required?: string[] }
  return Object.entries(json.properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: json.required?.includes(name) ?? false,
    description,
    schema,
  }))
}

const QUOTA_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

const HEADERS: Record<string, Json> = {
  'X-Request-Id': { description: 'Name of this request.', schema: { type: 'string', format: 'uuid' } },
  'X-API-Version': { description: 'Version of the contract.', schema: { type: 'string', const: API_VERSION } },
  'X-RateLimit-Limit': { description: 'Daily allowance of the key.', schema: { type: 'integer', minimum: 1 } },
  'X-RateLimit-Remaining': { description: 'Units left before the reset.', schema: { type: 'integer', minimum: 0 } },
  'X-RateLimit-Reset': { description: 'When the allowance resets.', schema: { type: 'string', format: 'date-time' } },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1, maximum: 86_400 } },
}

function headerRefs(...names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

const ERRORS: Record<string, { codes: ErrorCode[]; description: string; message: string; headers: string[] }> = {
  400: {
    codes: ['BadRequest'],
    description: 'The path, a parameter or the body is not valid. Costs nothing.',
    message: 'Unknown parameter `limits`. Allowed: limit, offset.',
    headers: [...QUOTA_HEADERS],
  },
  401: {
    codes: ['MissingApiKey', 'InvalidApiKey'],
    description: 'No key, or one that is unknown, expired or revoked. Costs nothing.',
    message: 'This API key is not valid. It may be mistyped, expired or revoked.',
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
    message: 'There is no set 1.',
    headers: [...QUOTA_HEADERS],
  },
  429: {
    codes: ['QuotaExceeded'],
    description: 'Too little is left of the daily allowance. Costs nothing.',
    message: 'This key has 0 of 1000 units left today, too few for this request.',
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
      'The service is overloaded or a part of it is restarting. Costs nothing; try again after `Retry-After`.',
    message: 'The service is busy or a part of it is restarting. Nothing was charged; try again shortly.',
    headers: ['Retry-After'],
  },
}

function errorResponses(): Json {
  return Object.fromEntries(
    Object.entries(ERRORS).map(([status, { codes, description, message, headers }]) => [
      `Error${status}`,
      {
        description,
        headers: headerRefs('X-Request-Id', 'X-API-Version', ...headers),
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                error: {
                  type: 'object',
                  properties: {
                    code: { type: 'string', enum: codes, description: 'What went wrong, for programs.' },
                    message: { type: 'string', description: 'What went wrong, for people. Its wording may change.' },
                  },
                  required: ['code', 'message'],
                  additionalProperties: false,
                },
              },
              required: ['error'],
              additionalProperties: false,
            },
            example: { error: { code: codes.at(-1), message } },
          },
        },
      },
    ]),
  )
}
