import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { operations } from '@brickmark/tests/support/openapi-contract'

type Json = { [key: string]: unknown }

const committed = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')) as Json

describe('the document', () => {
  test('every object is closed', () => {
    const open = nodes(committed).filter(
      ([, node]) =>
        node['type'] === 'object' && node['properties'] !== undefined && node['additionalProperties'] !== false,
    )
    expect(open.map(([path]) => path)).toEqual([])
    const closed = nodes(committed).filter(([, node]) => node['additionalProperties'] === false)
    expect(closed.length).toBeGreaterThan(30)
  })

  test('every object without properties is none', () => {
    const bare = nodes(committed).filter(([, node]) => node['type'] === 'object' && node['properties'] === undefined)
    expect(bare.map(([path]) => path)).toEqual([])
  })

  test('every example is valid for its schema', () => {
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    ajv.addSchema(committed, 'openapi')
    const pointer = (path: string) => encodeURI(path).replaceAll('{', '%7B').replaceAll('}', '%7D')
    let checked = 0
    for (const [path, node] of nodes(committed)) {
      const inPlace = Array.isArray(node['examples']) ? [[path, node['examples']] as const] : []
      const beside = 'schema' in node && 'example' in node ? [[`${path}/schema`, [node['example']]] as const] : []
      for (const [at, examples] of [...inPlace, ...beside]) {
        const validate = ajv.compile({ $ref: `openapi#${pointer(at)}` })
        for (const example of examples) {
          expect(validate(example) ? [] : validate.errors, `${at}: ${JSON.stringify(example)}`).toEqual([])
          checked++
        }
      }
    }
    // Every 200, every error and most fields carry one.
    expect(checked).toBeGreaterThan(100)
  })

  test('every endpoint names its price, in words and as a badge, and has an example', () => {
    expect(operations).toHaveLength(14)
    for (const { method, path, operation } of operations) {
      const { description, responses, ...rest } = operation as unknown as {
        description: string
        responses: { 200: { content: { 'application/json': Json } } }
        'x-badges': { name: string }[]
      }
      const price = path === '/catalog/batch' ? '1 unit an item' : '1 unit'
      expect(description.endsWith(`\n\nCosts ${price}.`), `${method} ${path}`).toBe(true)
      expect(rest['x-badges'], `${method} ${path}`).toEqual([{ name: price }])
      expect(responses[200].content['application/json']).toHaveProperty('example')
    }
  })

  test('every field of every shape has a description and an example', () => {
    const fields = nodes(committed).flatMap(([path, node]) =>
      Object.entries((node['properties'] ?? {}) as Json).map(
        ([name, field]) => [`${path}/${name}`, field as Json] as const,
      ),
    )
    const poor = fields.filter(
      ([, field]) => !resolved(field, 'description') || resolved(field, 'examples') === undefined,
    )
    expect(poor.map(([path]) => path)).toEqual([])
    expect(fields.length).toBeGreaterThan(200)
  })

  test('every shape, parameter and header has a description and an example', () => {
    const { schemas, headers } = committed['components'] as { schemas: Json; headers: Json }
    const named = [...Object.entries(schemas), ...Object.entries(headers)] as [string, Json][]
    const parameters = nodes(committed).flatMap(([path, node]) =>
      ((node['parameters'] ?? []) as Json[]).map((one) => [`${path} ${String(one['name'])}`, one] as const),
    )
    const poor = [...named, ...parameters].filter(
      ([, one]) => !one['description'] || (one['examples'] === undefined && one['example'] === undefined),
    )
    expect(poor.map(([name]) => name)).toEqual([])
    expect(parameters.length).toBeGreaterThan(20)
  })
})

/** Every object in the document with its JSON pointer; what stands in an example is no schema. */
function nodes(value: unknown, path = ''): [string, Json][] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, child]) =>
    ['example', 'examples', 'default'].includes(key)
      ? []
      : nodes(child, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
  return Array.isArray(value) ? inner : [[path, value as Json], ...inner]
}

/** What a field says itself, or what the shape says that it points to (be it null or that). */
function resolved(field: Json, key: 'description' | 'examples'): unknown {
  const { anyOf, $ref } = field as { anyOf?: Json[]; $ref?: string }
  if (field[key] !== undefined) return field[key]
  if (anyOf?.[0]) return resolved(anyOf[0], key)
  if ($ref === undefined) return undefined
  const { schemas } = committed['components'] as { schemas: Record<string, Json> }
  return schemas[$ref.split('/').at(-1)!]![key]
}
