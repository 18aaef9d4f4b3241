import { readFileSync } from 'node:fs'
import { REPOSITORY } from './paths.ts'

/** Prefix of the paths of extensions. */
export const EXTENSIONS = '/api/extensions/v1'

export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  const?: unknown
  enum?: unknown[]
  items?: Schema
  anyOf?: Schema[]
  description?: string
  examples?: unknown[]
  default?: unknown
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  required?: string[]
}

type Parameter = {
  name: string
  in: 'path' | 'query'
  required: boolean
  description: string
  example: unknown
  schema: Schema
}

type JsonContent = { 'application/json': { schema: Schema; example?: unknown; examples?: Record<string, unknown> } }
type Response = { $ref?: string; description: string; content?: Partial<JsonContent> }

export type Operation = {
  method: string
  /** Prefix of the API. */
  prefix: string
  path: string
  operationId: string
  tags: string[]
  summary: string
  description: string
  'x-badges': { name: string }[]
  parameters?: Parameter[]
  requestBody?: { content: JsonContent }
  responses: Record<string, Response>
}

type Document = {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'prefix' | 'path'>>>
  tags: { name: string; description: string }[]
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> }
}

function readDocument(file: string): Document {
  return JSON.parse(readFileSync(new URL(`apps/api/${file}`, REPOSITORY), 'utf8')) as Document
}

const document = readDocument('openapi.json')
const extensions = readDocument('extensions.openapi.json')

export const { tags } = document
export const schemas = { ...extensions.components.schemas, ...document.components.schemas }

/** Every operation of v1, then those of the extensions. */
export const operations: Operation[] = [...operationsOf(document, '/api/v1'), ...operationsOf(extensions, EXTENSIONS)]

function operationsOf({ paths }: Document, prefix: string): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      prefix,
    })),
  )
}

/** Returns the page of an operation, relative to /docs: `getSet` is `endpoints/get-set`. */
export function pageOf({ operationId }: Pick<Operation, 'operationId'>): string {
  return `endpoints/${operationId.replaceAll(/(?=[A-Z])/g, '-').toLowerCase()}`
}

/** Returns the errors of an operation: one entry per status and code. */
export function errorsOf({ responses }: Operation): { status: string; code: string; description: string }[] {
  return Object.entries(responses).flatMap(([status, { $ref }]) => {
    const response = document.components.responses[nameIn($ref) ?? '']
    const codes = Object.keys(response?.content?.['application/json']?.examples ?? {})
    return codes.map((code) => ({ status, code, description: response!.description }))
  })
}

/**
 * Returns the schema of `data` in a successful response, and an example of the whole response; undefined if the response is a
 * file.
 */
export function successOf({ responses }: Operation): { data: Schema; example: unknown } | undefined {
  const json = responses['200']!.content!['application/json']
  return json && { data: json.schema.properties!['data']!, example: json.example }
}

export function nameIn(ref: string | undefined): string | undefined {
  return ref?.split('/').at(-1)
}
