import { isDeepStrictEqual } from 'node:util'

/** Part of an OpenAPI document. */
type Json = { [name: string]: Json | Json[] | string | number | boolean | null | undefined }
type Document = Json
type Operation = Json
type Schema = Json

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/**
 * Returns what clients of the released document would notice in the current one, a line each. Within v1, operations, optional
 * parameters, fields of responses and enum values may be added; anything else breaks a client.
 */
export function findBreakingChanges(releasedDocument: Document, document: Document): string[] {
  const changes: string[] = []
  for (const [path, item] of Object.entries(releasedDocument['paths'] as Record<string, Json>)) {
    for (const method of METHODS.filter((name) => item[name] !== undefined)) {
      const [before, after] = [
        item[method] as Json,
        (document['paths'] as Record<string, Json>)[path]?.[method] as Json,
      ]
      const where = `${method.toUpperCase()} ${path}`
      if (after === undefined) changes.push(`${where} is gone`)
      else changes.push(...new Comparison(releasedDocument, document).operation(where, before, after))
    }
  }
  return changes
}

/** Compares parts of two documents, following references. */
class Comparison {
  readonly #releasedDocument: Document
  readonly #document: Document

  constructor(releasedDocument: Document, document: Document) {
    this.#releasedDocument = releasedDocument
    this.#document = document
  }

  operation(where: string, operationBefore: Operation, operationAfter: Operation): string[] {
    const [before, after] = [operationBefore, operationAfter]
    const changes: string[] = []
    if (before['operationId'] !== after['operationId'])
      changes.push(`${where} was ${text(before['operationId'])} and is ${text(after['operationId'])}`)
    changes.push(...this.#parameters(where, listOf(before['parameters']), listOf(after['parameters'])))
    const [bodyBefore, bodyAfter] = [before, after].map((operation) => jsonSchema(operation['requestBody'] as Json))
    if (bodyBefore !== undefined && bodyAfter !== undefined)
      changes.push(...this.#request(`${where} body`, bodyBefore, bodyAfter))
    for (const [status, response] of Object.entries(before['responses'] as Record<string, Json>)) {
      const now = (after['responses'] as Record<string, Json>)[status]
      if (now === undefined) {
        changes.push(`${where} no longer responds with ${status}`)
        continue
      }
      const schema = jsonSchema(resolve(this.#releasedDocument, response))
      const schemaNow = jsonSchema(resolve(this.#document, now))
      if (schema !== undefined) changes.push(...this.#response(`${where} ${status}`, schema, schemaNow ?? {}))
    }
    return changes
  }

  #parameters(where: string, before: Json[], after: Json[]): string[] {
    const find = (all: Json[], { name, in: place }: Json) =>
      all.find((parameter) => parameter['name'] === name && parameter['in'] === place)
    const removed = before.filter((parameter) => find(after, parameter) === undefined)
    const changed = before.flatMap((parameter) => {
      const now = find(after, parameter)
      const label = `${where} parameter ${text(parameter['name'])}`
      if (now === undefined) return []
      const isRequired = now['required'] === true && parameter['required'] !== true
      return [
        ...(isRequired ? [`${label} is required`] : []),
        ...this.#request(label, parameter['schema'] as Json, now['schema'] as Json),
      ]
    })
    const added = after.filter((parameter) => parameter['required'] === true && find(before, parameter) === undefined)
    return [
      ...removed.map(({ name }) => `${where} no longer takes ${text(name)}`),
      ...changed,
      ...added.map(({ name }) => `${where} requires ${text(name)}`),
    ]
  }

  /** What a client sends: the service must take at least what it took. */
  #request(where: string, schemaBefore: Schema, schemaAfter: Schema): string[] {
    const [before, after] = [resolve(this.#releasedDocument, schemaBefore), resolve(this.#document, schemaAfter)]
    const changes = typesOf(before).flatMap((type) =>
      typesOf(after).includes(type) ? [] : [`${where} can’t be ${type}`],
    )
    changes.push(...missing(before['enum'], after['enum']).map((value) => `${where} can’t be ${value}`))
    for (const [limit, isStricter] of LIMITS) {
      const [was, is] = [before[limit] as number | undefined, after[limit] as number | undefined]
      if (is !== undefined && (was === undefined || isStricter(is, was))) changes.push(`${where} has ${limit} ${is}`)
    }
    if (after['pattern'] !== undefined && after['pattern'] !== before['pattern'])
      changes.push(`${where} has another pattern`)
    const [properties, propertiesNow] = [propertiesOf(before), propertiesOf(after)]
    for (const name of listOf(after['required']) as unknown as string[])
      if (!(listOf(before['required']) as unknown as string[]).includes(name)) changes.push(`${where} requires ${name}`)
    for (const [name, schema] of Object.entries(properties)) {
      const now = propertiesNow[name]
      if (now === undefined) changes.push(`${where} no longer takes ${name}`)
      else changes.push(...this.#request(`${where}.${name}`, schema, now))
    }
    if (before['items'] !== undefined && after['items'] !== undefined)
      changes.push(...this.#request(`${where}[]`, before['items'] as Json, after['items'] as Json))
    return changes
  }

  /** What a client reads: nothing may be missing, and nothing may have a type that it hadn't. */
  #response(where: string, schemaBefore: Schema, schemaAfter: Schema): string[] {
    const [before, after] = [resolve(this.#releasedDocument, schemaBefore), resolve(this.#document, schemaAfter)]
    const changes = typesOf(after).flatMap((type) =>
      typesOf(before).includes(type) ? [] : [`${where} can be ${type}`],
    )
    if (!isDeepStrictEqual(before['const'], after['const'])) changes.push(`${where} is another constant`)
    changes.push(...missing(before['enum'], after['enum']).map((value) => `${where} is never ${value}`))
    const [properties, propertiesNow] = [propertiesOf(before), propertiesOf(after)]
    for (const name of listOf(before['required']) as unknown as string[])
      if (name in propertiesNow && !(listOf(after['required']) as unknown as string[]).includes(name))
        changes.push(`${where}.${name} may be missing`)
    for (const [name, schema] of Object.entries(properties)) {
      const now = propertiesNow[name]
      if (now === undefined) changes.push(`${where}.${name} is gone`)
      else changes.push(...this.#response(`${where}.${name}`, schema, now))
    }
    if (before['items'] !== undefined)
      changes.push(...this.#response(`${where}[]`, before['items'] as Json, (after['items'] ?? {}) as Json))
    const [variants, variantsNow] = [listOf(before['anyOf']), listOf(after['anyOf'])]
    for (const [index, variant] of variants.entries())
      if (variantsNow[index] !== undefined) changes.push(...this.#response(where, variant, variantsNow[index]))
    return changes
  }
}

const LIMITS: [string, (is: number, was: number) => boolean][] = [
  ['maximum', (is, was) => is < was],
  ['maxLength', (is, was) => is < was],
  ['maxItems', (is, was) => is < was],
  ['minimum', (is, was) => is > was],
  ['minLength', (is, was) => is > was],
  ['minItems', (is, was) => is > was],
]

function resolve(document: Document, schema: Schema): Schema {
  const reference = schema['$ref']
  if (typeof reference !== 'string') return schema
  const found = reference
    .slice(2)
    .split('/')
    .reduce((at, name) => at[name] as Json, document)
  return resolve(document, found)
}

function jsonSchema(part: Json | undefined): Json | undefined {
  return (part?.['content'] as Record<string, Json> | undefined)?.['application/json']?.['schema'] as Json | undefined
}

/** The JSON types that a schema allows, also in its variants. */
function typesOf(schema: Schema): string[] {
  const own = schema['type'] === undefined ? [] : [schema['type']].flat().map(text)
  return [...new Set([...own, ...listOf(schema['anyOf']).flatMap(typesOf)])]
}

function propertiesOf(schema: Schema): Record<string, Json> {
  return (schema['properties'] ?? {}) as Record<string, Json>
}

function missing(before: Json[string], after: Json[string]): string[] {
  if (!Array.isArray(before) || !Array.isArray(after)) return []
  return before.filter((value) => !after.includes(value)).map((value) => JSON.stringify(value))
}

function listOf(value: Json[string]): Json[] {
  return Array.isArray(value) ? value : []
}

function text(value: unknown): string {
  return String(value)
}
