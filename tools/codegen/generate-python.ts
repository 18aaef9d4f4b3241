import { retryableStatuses } from './generate-errors.ts'

/** Generates the types of the Python SDK from the OpenAPI document. Run by `npm run generate`. */

type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: string[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
  'x-extensible-enum'?: string[]
}
type Parameter = { name: string; description: string; schema: Schema }
type Document = {
  paths: Record<string, Record<string, { operationId: string; parameters?: Parameter[] }>>
  components: { schemas: Record<string, Schema> }
}

const HEADER = `"""Types of the API. Generated from apps/api/openapi.json and extensions.openapi.json by \`npm run generate\`."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union
`

/** A webhook event: its fields, of which `data` is an object. */
export type EventSchema = Schema & { properties: Record<string, Schema> }

/**
 * TypedDicts of every schema and webhook event, literals of the parameters, method and path of every operation, what may be
 * retried, and the version that the SDK sends.
 */
export function generatePythonTypes(openapi: object, events: Record<string, EventSchema>, sdkVersion: string): string {
  const { paths, components } = openapi as Document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  )
  const endpoints = operations.map(({ operationId, method, path }) => `    "${operationId}": ("${method}", "${path}"),`)
  const literals = new Map<string, string>()
  for (const { name, description, schema } of operations.flatMap(({ parameters = [] }) => parameters)) {
    const type = pascalCase(name)
    if (schema.enum !== undefined && !literals.has(type))
      literals.set(type, `${type} = ${typeOf(schema)}\n"""${description}"""\n`)
  }
  return [
    HEADER,
    `SDK_VERSION = "${sdkVersion}"\n`,
    `ENDPOINTS: dict[str, tuple[str, str]] = {\n${endpoints.join('\n')}\n}\n`,
    `RETRYABLE_STATUSES = (${retryableStatuses(openapi).join(', ')})`,
    `"""Statuses of the API that may be retried, and are free unless "X-Charged" is "maybe"."""\n`,
    ...literals.values(),
    ...Object.entries(components.schemas).map(([name, schema]) => declare(name, schema)),
    ...Object.entries(events).flatMap(([name, event]) => declareEvent(name, event)),
    `\nWebhookEvent = Union[${Object.keys(events).join(', ')}]\n"""A message to a webhook endpoint. Its \`type\` says which."""\n`,
  ].join('\n')
}

/** An event whose data has fields becomes two classes. */
function declareEvent(name: string, { properties, ...event }: EventSchema): string[] {
  const data = {
    ...properties['data'],
    description: `Data of \`${name}\`. Amounts are in US dollars; None if they don't apply.`,
  }
  if (Object.keys(data.properties ?? {}).length === 0) {
    return [declare(name, { ...event, properties: { ...properties, data: { type: 'object' } } })]
  }
  const reference = { $ref: `${name}Data` }
  return [declare(`${name}Data`, data), declare(name, { ...event, properties: { ...properties, data: reference } })]
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Python 3.10 has no `NotRequired`, so optional keys are in a class of their own. */
function declare(name: string, schema: Schema): string {
  const { properties, required = [], description = '' } = schema
  if (properties === undefined) return `\n${name} = ${typeOf(schema)}\n`
  const entries = Object.entries(properties)
  const always = entries.filter(([key]) => required.includes(key))
  const optional = entries.filter(([key]) => !required.includes(key))
  const docstring = `    """${description.replaceAll('\n', ' ')}"""\n`
  if (optional.length === 0) return `\nclass ${name}(TypedDict):\n${docstring}\n${fields(always)}`
  if (always.length === 0) return `\nclass ${name}(TypedDict, total=False):\n${docstring}\n${fields(optional)}`
  const base = `\nclass _${name}Always(TypedDict):\n${fields(always)}`
  return `${base}\n\nclass ${name}(_${name}Always, total=False):\n${docstring}\n${fields(optional)}`
}

function fields(entries: [string, Schema][]): string {
  return entries.map(([key, schema]) => `    ${key}: ${typeOf(schema)}\n${comment(schema)}`).join('')
}

function comment({ description }: Schema): string {
  return description === undefined ? '' : `    """${description.replaceAll('\n', ' ')}"""\n`
}

const SCALARS: Record<string, string> = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
  object: 'dict[str, Any]',
}

function typeOf(schema: Schema): string {
  const types = alternatives(schema)
  return types.length === 1 ? types[0]! : `Union[${types.join(', ')}]`
}

/** The types that a value can have. */
function alternatives(schema: Schema): string[] {
  if (schema.$ref !== undefined) return [schema.$ref.split('/').at(-1)!]
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return options.flatMap(alternatives)
  const known = schema['x-extensible-enum']
  // Type checkers accept any string; editors complete the known ones.
  if (known !== undefined) return [`Literal[${known.map(literal).join(', ')}]`, ...alternatives(withoutKnown(schema))]
  if (schema.const !== undefined) return [`Literal[${literal(schema.const)}]`]
  if (schema.enum !== undefined) return [`Literal[${schema.enum.map(literal).join(', ')}]`]
  if (Array.isArray(schema.type)) return schema.type.flatMap((type) => alternatives({ ...schema, type }))
  if (schema.type === 'array') return [`list[${typeOf(schema.items ?? {})}]`]
  return [SCALARS[schema.type ?? ''] ?? 'Any']
}

function withoutKnown({ 'x-extensible-enum': _known, ...schema }: Schema): Schema {
  return schema
}

function literal(value: unknown): string {
  return value === true ? 'True' : value === false ? 'False' : value === null ? 'None' : JSON.stringify(value)
}
