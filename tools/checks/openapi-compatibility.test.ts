import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findBreakingChanges } from './openapi-compatibility.ts'

const read = () => JSON.parse(readFileSync(new URL('../../apps/api/openapi.json', import.meta.url), 'utf8'))
// oxlint-disable-next-line typescript/no-explicit-any -- a document that tests edit anywhere
type Document = any

const schemas = (document: Document) => document.components.schemas
const history = (document: Document) => document.paths['/set/{number}/history'].get

test('a document has no breaking changes against itself', () => {
  expect(findBreakingChanges(read(), read())).toEqual([])
})

test.each<[string, (document: Document) => void]>([
  ['an operation', (document) => (document.paths['/brand-new'] = { get: history(document) })],
  ['an optional parameter', (document) => history(document).parameters.push({ name: 'new', in: 'query', schema: {} })],
  ['a field', (document) => (schemas(document).Set.properties.new_field = { type: 'string' })],
  ['an enum value of a parameter', (document) => history(document).parameters[1].schema.enum.push('mint')],
  ['a looser limit', (document) => (history(document).parameters[0].schema.maxLength = 100)],
  ['another description', (document) => (history(document).description = 'Other words.')],
])('adding %s breaks nothing', (_, change) => {
  const current = read()
  change(current)
  expect(findBreakingChanges(read(), current)).toEqual([])
})

test.each<[string, (document: Document) => void, string]>([
  ['an operation', (document) => delete document.paths['/set/{number}/history'], 'GET /set/{number}/history is gone'],
  ['an operation ID', (document) => (history(document).operationId = 'other'), 'was getSetHistory and is other'],
  ['a parameter', (document) => history(document).parameters.pop(), 'no longer takes condition'],
  ['a requirement', (document) => (history(document).parameters[1].required = true), 'condition is required'],
  ['an enum value', (document) => history(document).parameters[1].schema.enum.pop(), 'condition can’t be "used"'],
  ['a limit', (document) => (history(document).parameters[0].schema.maxLength = 10), 'has maxLength 10'],
  ['a status', (document) => delete history(document).responses['404'], 'no longer responds with 404'],
  ['a field', (document) => delete schemas(document).SetHistory.properties.condition, 'data.condition is gone'],
  ['a type', (document) => (schemas(document).SetHistory.properties.set_number.type = 'integer'), 'can be integer'],
  ['a guarantee', (document) => schemas(document).SetHistory.required.shift(), 'may be missing'],
  [
    'a field of a request',
    (document) => delete schemas(document).BatchRequest.properties.sets,
    'body no longer takes sets',
  ],
])('changing or removing %s is found', (_, change, expected) => {
  const current = read()
  change(current)
  expect(findBreakingChanges(read(), current).join('\n')).toContain(expected)
})
