import { z } from 'zod'
import type { AnyEndpoint } from '../endpoint.ts'
import { API_VERSION, MetaSchema } from '../envelope.ts'
import {
  ERROR_SCHEMA,
  errorResponses,
  EXAMPLE_REQUEST_ID,
  EXAMPLE_RESET,
  headerRefs,
  RESPONSE_HEADERS,
  QUOTA_HEADERS,
} from './responses.ts'
import { withExamples } from './examples.ts'
import { extensionRoutes, fileRoutes } from '../routes/extensions/index.ts'
import { EXTENSIONS_PREFIX } from '../routes/extensions/prefix.ts'
import { V1_PREFIX, routes } from '../routes/index.ts'

type Json = Record<string, unknown>

const EXAMPLE_META = {
  request_id: EXAMPLE_REQUEST_ID,
  api_version: API_VERSION,
  rate_limit: { limit: 1000, remaining: 987, reset: EXAMPLE_RESET },
}

const TAGS = [
  { name: 'Catalog', description: 'Sets, minifigs and themes, with values.' },
  { name: 'Retail prices', description: 'Live prices at two retailers.' },
  { name: 'Portfolio', description: 'Your collections and sales.' },
  { name: 'Usage', description: 'What your API key has used.' },
]

const NOTES =
  'Amounts are in US dollars; timestamps are ISO 8601. LEGO® is a trademark of the LEGO Group of companies, which does not sponsor, authorize or endorse this service.'

/** Builds the OpenAPI 3.1 document of v1 from the schemas that validate requests and type responses. */
export function buildOpenApi(): Json {
  return buildDocument(routes, V1_PREFIX, {
    title: 'Brickmark API',
    summary: 'Read-only market data for brick collectors and resellers.',
    description: `Look up sets and minifigs, estimated values, monthly history and live retailer prices, and read your own collections and sales. ${NOTES}`,
  })
}

/** Same for the extensions. */
export function buildExtensionsOpenApi(): Json {
  return buildDocument([...extensionRoutes, ...fileRoutes], EXTENSIONS_PREFIX, {
    title: 'Brickmark API extensions',
    summary: 'What v1 of the Brickmark API leaves out.',
    description: `Usage of a key, changes since the last call, and lists with filters. Keys, quota, envelope and errors are those of v1. ${NOTES}`,
  })
}

function buildDocument(
  endpoints: AnyEndpoint[],
  prefix: string,
  info: { title: string; summary: string; description: string },
): Json {
  const { title, summary, description } = info
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: API_VERSION,
      summary,
      description,
      contact: { name: 'Brickmark', url: 'https://brickmark.example' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: prefix }],
    security: [{ apiKey: [] }],
    tags: TAGS.filter(({ name }) => endpoints.some(({ tag }) => tag === name)),
    paths: paths(endpoints),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'Your API key (`bmk_live_…`).' },
      },
      headers: RESPONSE_HEADERS,
      responses: errorResponses(),
      schemas: schemas(endpoints),
    },
  }
}

/** Returns every schema with an id as a named component. */
function schemas(endpoints: AnyEndpoint[]): Json {
  const components: Json = {}
  for (const { body } of endpoints) if (body) Object.assign(components, definitions(body))
  const json = endpoints.filter(({ sendsFile }) => sendsFile === undefined)
  for (const response of [MetaSchema, ...json.map(({ data }) => data)]) {
    // A later version may add fields, so readers must not reject them. Our own tests do.
    Object.assign(components, withoutKey('additionalProperties', definitions(response)))
  }
  Object.assign(components, { Error: ERROR_SCHEMA })
  return withExamples(
    Object.fromEntries(
      Object.entries(components)
        .map(([name, schema]) => [name, withoutId(schema as Json)] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
  )
}

function definitions(zodSchema: z.ZodType): Json {
  return (z.toJSONSchema(zodSchema, JSON_SCHEMA_OPTIONS) as { $defs?: Json }).$defs ?? {}
}

/** Removes a keyword from a schema and everything in it. */
function withoutKey(key: string, value: Json): Json {
  return JSON.parse(JSON.stringify(value, (name, inner: unknown) => (name === key ? undefined : inner))) as Json
}

function descriptionOf(zodSchema: z.ZodType): string | undefined {
  return z.globalRegistry.get(zodSchema)?.description
}

const JSON_SCHEMA_OPTIONS = {
  target: 'draft-2020-12',
  io: 'input',
  uri: (id: string) => `#/components/schemas/${id}`,
  override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Json }) {
    const meta = z.globalRegistry.get(zodSchema) as { openapi?: Json } | undefined
    // Query text that represents a number is documented as a number.
    if (meta?.openapi) {
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
      Object.assign(jsonSchema, meta.openapi)
    }
    // Safe integers are the default of z.int(); saying so tells a reader nothing.
    if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum']
    if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum']
    // The format is enough; zod's pattern of several hundred characters would only add noise.
    if (jsonSchema['format'] !== undefined) delete jsonSchema['pattern']
    if (jsonSchema['example'] !== undefined) {
      jsonSchema['examples'] = [jsonSchema['example']]
      delete jsonSchema['example']
    }
  },
} as const

function toSchemaRef(zodSchema: z.ZodType): Json {
  const { $defs: _defs, $schema: _schema, ...json } = z.toJSONSchema(zodSchema, JSON_SCHEMA_OPTIONS) as Json
  return rewriteRefs(json) as Json
}

/** Rewrites references to zod's `$defs` to the document's components. */
function rewriteRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewriteRefs)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' ? String(inner).replace('#/$defs/', '#/components/schemas/') : rewriteRefs(inner),
    ]),
  )
}

function withoutId(jsonSchema: Json): Json {
  const { id: _id, $id: _$id, ...rest } = jsonSchema
  return rewriteRefs(rest) as Json
}

function paths(endpoints: AnyEndpoint[]): Json {
  const result: Record<string, Json> = {}
  for (const route of endpoints) (result[route.path] ??= {})[route.method.toLowerCase()] = operation(route)
  return result
}

function operation(endpoint: AnyEndpoint): Json {
  const cost = costLabel(endpoint)
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: `${endpoint.description}\n\n**Cost:** ${cost}.`,
    // Scalar shows the badge next to the path.
    'x-badges': [{ name: cost }],
    ...parameters(endpoint),
    ...(endpoint.body && {
      requestBody: { required: true, content: { 'application/json': { schema: toSchemaRef(endpoint.body) } } },
    }),
    responses: {
      ...(endpoint.sendsFile === undefined ? { 200: jsonResponse(endpoint) } : fileResponses(endpoint.sendsFile)),
      ...Object.fromEntries(
        ['400', '401', '403', ...(endpoint.canReturn404 ? ['404'] : []), '429', '500', '503'].map((status) => [
          status,
          { $ref: `#/components/responses/Error${status}` },
        ]),
      ),
    },
  }
}

function jsonResponse(endpoint: AnyEndpoint): Json {
  return {
    description: descriptionOf(endpoint.data) ?? `${endpoint.summary}.`,
    headers: headerRefs('X-Request-Id', 'X-API-Version', ...QUOTA_HEADERS),
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: { data: dataSchema(endpoint), meta: toSchemaRef(MetaSchema) },
          required: ['data', 'meta'],
        },
        example: { data: endpoint.example, meta: EXAMPLE_META },
      },
    },
  }
}

function fileResponses(contentType: string): Json {
  const common = headerRefs('X-Request-Id', 'X-API-Version', ...QUOTA_HEADERS)
  const etag = { description: 'Identifies the content of the file.', schema: { type: 'string' }, example: '"9f86d081"' }
  const headers = { ...common, ETag: etag }
  const content = { [contentType]: {} }
  return {
    200: { description: 'The file.', headers, content },
    206: { description: 'The part of the file that `Range` asks for.', headers, content },
    304: { description: 'The file is the one that `If-None-Match` names. Free.', headers },
    416: {
      description: '`Range` is beyond the end of the file. Free.',
      headers: common,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  }
}

/** Formats the cost of a request. */
function costLabel(endpoint: AnyEndpoint): string {
  if (endpoint.sendsFile !== undefined) return '1 credit per started MiB'
  if (endpoint.cost === 0) return 'free'
  return typeof endpoint.cost === 'number'
    ? `${endpoint.cost} credit${endpoint.cost === 1 ? '' : 's'}`
    : '1 credit per item'
}

function parameters(endpoint: AnyEndpoint): Json {
  const list = [
    ...parameterList('path', endpoint.params as z.ZodObject),
    ...parameterList('query', endpoint.query as z.ZodObject),
  ]
  return list.length === 0 ? {} : { parameters: list }
}

/**
 * Returns the schema of the data. Schemas that aren't named components (a list, a row or null) get their own
 * description.
 */
function dataSchema(endpoint: AnyEndpoint): Json {
  const zodSchema = toSchemaRef(endpoint.data)
  return '$ref' in zodSchema ? zodSchema : { ...zodSchema, description: endpoint.summary, examples: [endpoint.example] }
}

function parameterList(location: 'path' | 'query', zodSchema: z.ZodObject): Json[] {
  const json = z.toJSONSchema(zodSchema, JSON_SCHEMA_OPTIONS) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(json.properties ?? {}).map(([name, { description, examples, ...schema }]) => ({
    name,
    in: location,
    required: json.required?.includes(name) ?? false,
    description,
    example: (examples as unknown[] | undefined)?.[0] ?? schema['default'],
    schema,
  }))
}
