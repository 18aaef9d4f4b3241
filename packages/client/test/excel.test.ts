import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

/** Power Query only runs in Excel, so these tests check the queries statically against openapi.json. */

type Operation = { parameters?: { name: string }[] }
type OpenApi = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, object> } }

const openapi = JSON.parse(readFileSync(new URL('../../../apps/api/openapi.json', import.meta.url), 'utf8')) as OpenApi
const read = (name: string) =>
  readFileSync(new URL(`../excel/${name}.pq`, import.meta.url), 'utf8').replace(/^ *\/\/.*$/gm, '')

describe.each([
  ['holdings', 'get', 'Holding'],
  ['values', 'post', 'FoundSet'],
])('%s.pq', (name, method, shape) => {
  const text = read(name)

  test('uses a path and parameters of the OpenAPI document', () => {
    const path = /RelativePath = "(.*?)"/.exec(text)?.[1]
    const operation = openapi.paths[`/${path}`]?.[method]
    expect(operation).toBeDefined()
    const query = /Query = \[(.*?)\],/.exec(text)?.[1] ?? ''
    const used = [...query.matchAll(/(\w+) = /g)].map((match) => match[1]!)
    const known = (operation?.parameters ?? []).map((parameter) => parameter.name)
    expect(used.filter((parameter) => !known.includes(parameter))).toEqual([])
    expect(text.includes('Content =')).toBe(method === 'post')
  })

  test('uses only columns of the response schema', () => {
    const table = /type table \[(.*?)\]/s.exec(text)?.[1] ?? ''
    const columns = [...table.matchAll(/(\w+) = /g)].map((match) => match[1]!)
    const { properties } = openapi.components.schemas[shape] as { properties: object }
    expect(columns.length).toBeGreaterThan(5)
    expect(columns.filter((column) => !(column in properties))).toEqual([])
  })

  test('sends the key in a header, handles 429 itself and has balanced brackets', () => {
    expect(text).toContain('Authorization = "Bearer " & ApiKey')
    expect(text).toMatch(/ManualStatusHandling = \{.*429.*\}/)
    const open: string[] = []
    for (const [sign] of text.replace(/"[^"]*"/g, '').matchAll(/[()[\]{}]/g)) {
      if ('([{'.includes(sign)) open.push(sign)
      else expect('()[]{}').toContain(`${open.pop()}${sign}`)
    }
    expect(open).toEqual([])
  })
})
