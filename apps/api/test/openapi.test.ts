import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { closed, operations } from '@brickmark/tests/support/openapi-contract'

type Json = { [key: string]: unknown }

const committed = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')) as Json

describe('openapi.json', () => {
  test('requests are closed, and responses are open for new fields', () => {
    const strict = nodes(committed).filter(([, node]) => node['additionalProperties'] === false)
    expect(strict.map(([path]) => path)).toEqual(['/components/schemas/BatchRequest'])
  })

  test('every list of values is an enum, closed or open', () => {
    const enums = nodes(committed)
      .filter(
        ([path, node]) => path.startsWith('/components/schemas') && ('enum' in node || 'x-extensible-enum' in node),
      )
      .map(([path, node]) => [path.split('/').slice(3).join('/').replaceAll('/properties', ''), 'enum' in node])
    expect(Object.fromEntries(enums)).toMatchObject({
      'Analytics/period': true,
      'Holding/condition': true,
      'RetailerSummary/retailer': true,
      'Error/error/code': false,
      'HistoryPoint/event': false,
      'Holding/status': false,
      'PriceBlock/sellerType': false,
      'Sale/platform': false,
      'Set/data_tier': false,
    })
  })

  test('no number has the limits of JavaScript', () => {
    expect(JSON.stringify(committed)).not.toContain(String(Number.MAX_SAFE_INTEGER))
  })

  test('no object schema lacks properties', () => {
    const bare = nodes(committed).filter(([, node]) => node['type'] === 'object' && node['properties'] === undefined)
    expect(bare.map(([path]) => path)).toEqual([])
  })

  test('every example is valid for its schema', () => {
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    ajv.addSchema(closed(committed), 'openapi')
    const pointer = (path: string) => encodeURI(path).replaceAll('{', '%7B').replaceAll('}', '%7D')
    let checked = 0
    for (const [path, node] of nodes(committed)) {
      const inPlace = Array.isArray(node['examples']) ? [[path, node['examples']] as const] : []
      const beside =
        'schema' in node && ('example' in node || 'examples' in node)
          ? [[`${path}/schema`, examplesBeside(node)] as const]
          : []
      for (const [location, examples] of [...inPlace, ...beside]) {
        const validate = ajv.compile({ $ref: `openapi#${pointer(location)}` })
        for (const example of examples) {
          expect(validate(example) ? [] : validate.errors, `${location}: ${JSON.stringify(example)}`).toEqual([])
          checked++
        }
      }
    }
    // Every 200, every error and most fields have an example.
    expect(checked).toBeGreaterThan(100)
  })

  test('every endpoint has a cost, as text and as a badge, and an example', () => {
    expect(operations).toHaveLength(14)
    for (const { method, path, operation } of operations) {
      const { description, responses, ...rest } = operation as unknown as {
        description: string
        responses: { 200: { content: { 'application/json': Json } } }
        'x-badges': { name: string }[]
      }
      const cost = path === '/catalog/batch' ? '1 credit per item' : '1 credit'
      expect(description.endsWith(`\n\n**Cost:** ${cost}.`), `${method} ${path}`).toBe(true)
      expect(rest['x-badges'], `${method} ${path}`).toEqual([{ name: cost }])
      expect(responses[200].content['application/json']).toHaveProperty('example')
    }
  })

  test('every field of every schema has a description and an example', () => {
    const fields = nodes(committed).flatMap(([path, node]) =>
      Object.entries((node['properties'] ?? {}) as Json).map(
        ([name, field]) => [`${path}/${name}`, field as Json] as const,
      ),
    )
    const incomplete = fields.filter(
      ([, field]) => !resolved(field, 'description') || resolved(field, 'examples') === undefined,
    )
    expect(incomplete.map(([path]) => path)).toEqual([])
    expect(fields.length).toBeGreaterThan(200)
  })

  test('every schema, parameter and header has a description and an example', () => {
    const { schemas, headers } = committed['components'] as { schemas: Json; headers: Json }
    const named = [...Object.entries(schemas), ...Object.entries(headers)] as [string, Json][]
    const parameters = nodes(committed).flatMap(([path, node]) =>
      ((node['parameters'] ?? []) as Json[]).map(
        (parameter) => [`${path} ${String(parameter['name'])}`, parameter] as const,
      ),
    )
    const incomplete = [...named, ...parameters].filter(
      ([, entry]) => !entry['description'] || (entry['examples'] === undefined && entry['example'] === undefined),
    )
    expect(incomplete.map(([name]) => name)).toEqual([])
    expect(parameters.length).toBeGreaterThan(20)
  })
})

function examplesBeside({ example, examples }: Json): unknown[] {
  const named = Object.values((examples ?? {}) as Record<string, { value: unknown }>).map(({ value }) => value)
  return example === undefined ? named : [example, ...named]
}

/** Returns every object in the document with its JSON pointer, except those inside examples, which aren't schemas. */
function nodes(value: unknown, path = ''): [string, Json][] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, child]) =>
    ['example', 'examples', 'default'].includes(key)
      ? []
      : nodes(child, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
  return Array.isArray(value) ? inner : [[path, value as Json], ...inner]
}

/** Returns the value from the field itself, or from the schema it references (possibly as nullable). */
function resolved(field: Json, key: 'description' | 'examples'): unknown {
  const { anyOf, $ref } = field as { anyOf?: Json[]; $ref?: string }
  if (field[key] !== undefined) return field[key]
  if (anyOf?.[0]) return resolved(anyOf[0], key)
  if ($ref === undefined) return undefined
  const { schemas } = committed['components'] as { schemas: Record<string, Json> }
  return schemas[$ref.split('/').at(-1)!]![key]
}
