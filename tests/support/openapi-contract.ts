import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Operation = { responses: Record<string, { $ref?: string }> }
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, { content: { 'application/json': { examples?: object } } }> }
}

/** An HTTP response as received. */
export type HttpResponse = { status: number; headers: Record<string, string>; text: string }

const ajv = new Ajv2020({ strict: false, allErrors: false })
addFormats.default(ajv)
const compiled = new Map<string, ValidateFunction>()

/** The committed documents by the prefix of their paths. */
const documents = new Map(
  [['/api/v1', 'openapi.json'] as const, ['/api/extensions/v1', 'extensions.openapi.json'] as const].map(
    ([prefix, file]) => {
      const document = JSON.parse(readFileSync(new URL(`../../apps/api/${file}`, import.meta.url), 'utf8')) as Document
      // Readers must accept new fields, our tests must not: what isn't documented isn't sent.
      ajv.addSchema(closed(document), file)
      return [prefix, { file, document, operations: operationsOf(document) }]
    },
  ),
)

/** Returns a schema in which every object rejects properties that it doesn't describe. */
export function closed<T>(schema: T): T {
  return JSON.parse(
    JSON.stringify(schema, (_key, node: unknown) =>
      isObjectSchema(node) ? { ...node, additionalProperties: false } : node,
    ),
  ) as T
}

function isObjectSchema(node: unknown): node is object {
  return typeof node === 'object' && node !== null && 'properties' in node && 'type' in node && node.type === 'object'
}

function operationsOf({ paths }: Document) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

/** All operations of v1. */
export const { operations } = documents.get('/api/v1')!

/**
 * Returns the violations of a response against the committed document of its API and the header rules; empty if there are none.
 * An undocumented path may respond with 400, 401, 403, 404 or 503.
 */
export function findContractViolations(method: string, url: string, response: HttpResponse): string[] {
  const [target] = url.replace(/^https?:\/\/[^/]+/, '').split('?') as [string]
  const prefix = [...documents.keys()].find((prefix) => target.startsWith(prefix)) ?? '/api/v1'
  const { file, document, operations } = documents.get(prefix)!
  const path = target.replace(prefix, '')
  const operation = operations.find((operation) => operation.method === method && patternOf(operation.path).test(path))
  const problems = headerViolations(response)
  const pointer = operation
    ? schemaPointer(document, operation.path, operation.method, String(response.status))
    : [400, 401, 403, 404, 503].includes(response.status)
      ? `/components/responses/Error${response.status}`
      : undefined
  if (pointer === undefined) return [...problems, `status ${response.status} is not documented`]
  if (method === 'HEAD') return problems
  return [...problems, ...bodyViolations(file, document, pointer, response.text)]
}

function schemaPointer(document: Document, path: string, method: string, status: string): string | undefined {
  const response = document.paths[path]?.[method.toLowerCase()]?.responses[status]
  if (!response) return undefined
  if (response.$ref !== undefined) return response.$ref.slice(1)
  return `/paths/${path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method.toLowerCase()}/responses/${status}`
}

function bodyViolations(file: string, document: Document, pointer: string, text: string): string[] {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return [`the body is not JSON: ${text.slice(0, 80)}`]
  }
  const schema = `${file}#${pointer}/content/application~1json/schema`
  const validate = compiled.get(schema) ?? ajv.compile({ $ref: schema })
  compiled.set(schema, validate)
  if (!validate(body)) return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`)
  const { code } = (body as { error?: { code: string } }).error ?? {}
  const codes = documentedCodes(document, pointer)
  return code === undefined || codes.includes(code) ? [] : [`the code ${code} isn't documented for this status`]
}

/** Returns the codes of an error response, which has one example for each. */
function documentedCodes(document: Document, pointer: string): string[] {
  const name = pointer.split('/').at(-1)!
  return Object.keys(document.components.responses[name]?.content['application/json'].examples ?? {})
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

function headerViolations({ status, headers, text }: HttpResponse): string[] {
  const problems: string[] = []
  const expect = (holds: boolean, problem: string) => {
    if (!holds) problems.push(problem)
  }
  expect(headers['x-api-version'] === '1', 'X-API-Version is not 1')
  expect(UUID.test(headers['x-request-id'] ?? ''), 'X-Request-Id is not a UUID')
  expect(headers['cache-control'] === 'no-store', 'Cache-Control is not no-store')
  expect(headers['content-type'] === 'application/json; charset=utf-8', 'Content-Type is not JSON')
  if (status >= 400) {
    // A HEAD response has no body that contains the code.
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? '\\w+'
    const expected = new RegExp(`^</docs/errors#${code}>; rel="help"$`)
    expect(expected.test(headers['link'] ?? ''), `Link is ${headers['link']}`)
  }
  const retry = headers['retry-after']
  if (status === 429) expect(inRange(retry, 1, 86_400), `Retry-After is ${retry}`)
  if (status === 503) expect(inRange(retry, 1, 5), `Retry-After is ${retry}`)
  const quota = ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`])
  const hasQuota = status === 200 || status === 429 || status === 403
  if (hasQuota)
    expect(
      quota.every((value) => value !== undefined),
      'X-RateLimit-* is missing',
    )
  if (status === 200) {
    const { meta } = JSON.parse(text) as { meta: { request_id: string; rate_limit: Record<string, unknown> } }
    expect(meta.request_id === headers['x-request-id'], 'meta.request_id is not X-Request-Id')
    const { limit, remaining, reset } = meta.rate_limit
    expect(
      [limit, remaining, reset].every((value, index) => String(value) === quota[index]),
      'meta.rate_limit is not X-RateLimit-*',
    )
  }
  return problems
}

function inRange(text: string | undefined, min: number, max: number): boolean {
  return text !== undefined && /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}
