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
}
type Document = {
  paths: Record<string, Record<string, { operationId: string }>>
  components: { schemas: Record<string, Schema> }
}

const HEADER = `"""Types of the API. Generated from apps/api/openapi.json by \`npm run generate\`."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union
`

/** TypedDicts of every schema, method and path of every operation, what may be retried, and the version that the SDK sends. */
export function generatePythonTypes(openapi: object, sdkVersion: string): string {
  const { paths, components } = openapi as Document
  const classes = Object.entries(components.schemas).map(([name, schema]) => declare(name, schema))
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId }]) => `    "${operationId}": ("${method.toUpperCase()}", "${path}"),`,
    ),
  )
  return [
    HEADER,
    `SDK_VERSION = "${sdkVersion}"\n`,
    `ENDPOINTS: dict[str, tuple[str, str]] = {\n${endpoints.join('\n')}\n}\n`,
    `RETRYABLE_STATUSES = (${retryableStatuses(openapi).join(', ')})`,
    `"""Statuses of the API that may be retried, and are free unless "X-Charged" is "maybe"."""\n`,
    ...classes,
  ].join('\n')
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
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return `Union[${options.map(typeOf).join(', ')}]`
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`
  if (Array.isArray(schema.type)) return `Union[${schema.type.map((type) => typeOf({ ...schema, type })).join(', ')}]`
  if (schema.type === 'array') return `list[${typeOf(schema.items ?? {})}]`
  return SCALARS[schema.type ?? ''] ?? 'Any'
}

function literal(value: unknown): string {
  return value === true ? 'True' : value === false ? 'False' : value === null ? 'None' : JSON.stringify(value)
}
