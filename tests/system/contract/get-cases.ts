import fc from 'fast-check'
import { operations } from '../../support/openapi-contract.ts'
import { expectation, expectNotFound, dataFor, type Case, type TestData } from './case.ts'
import type { KeyKind } from './keys.ts'
import { EXPECTED_RESPONSES } from './expected-responses.ts'
import { adversarialStrings, parametersOf, samplesFor, type Parameter, type ParameterSample } from './samples.ts'

type ParameterValue = { parameter: Parameter; sample: ParameterSample }

/** What is done to a request besides its values. */
type RequestVariation =
  | { kind: 'plain' | 'every byte encoded' | 'spaces as plus' | 'body' | 'twice' }
  | { kind: 'unknown' | 'bad query encoding' | 'bad path encoding'; text: string }

// prettier-ignore
const UNKNOWN_NAMES = [
  'bogus', 'limits', 'Limit', 'LIMIT', 'page', 'per_page', 'set_number', 'fields', '__proto__', 'constructor',
  'toString', 'prototype', 'hasOwnProperty', 'limit[]', 'limit ', 'q;', 'api_key', 'callback', '_', '$where', 'é',
  'account_id', 'x'.repeat(300),
]
const BAD_ENCODINGS = ['%', '%z', '%zz', '%E0%A4%A', '%ff', '%c0%80', '%ed%a0%80', '%00%']

const variations: fc.Arbitrary<RequestVariation> = fc.oneof(
  { weight: 14, arbitrary: fc.constant({ kind: 'plain' as const }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('every byte encoded' as const, 'spaces as plus' as const).map((kind) => ({ kind })),
  },
  { weight: 1, arbitrary: fc.constantFrom('body' as const, 'twice' as const).map((kind) => ({ kind })) },
  {
    weight: 2,
    arbitrary: fc
      .oneof(fc.constantFrom(...UNKNOWN_NAMES), fc.string({ minLength: 8, maxLength: 12 }))
      .map((text) => ({ kind: 'unknown' as const, text })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('bad query encoding' as const, 'bad path encoding' as const),
        fc.constantFrom(...BAD_ENCODINGS),
      )
      .map(([kind, text]) => ({ kind, text })),
  },
)

/** Requests for every GET of the document, by its own parameters. */
export function getCases(world: TestData, keys: fc.Arbitrary<KeyKind>): fc.Arbitrary<Case> {
  const gets = operations.filter((operation) => operation.method === 'GET')
  return fc.oneof(
    ...gets.map((operation) => {
      const parameters = parametersOf(operation)
      const given = fc.tuple(...parameters.map((parameter) => givenFor(world, parameter)))
      return fc.tuple(keys, fc.nat(1_000_000), given, variations).map(([key, salt, values, twist]) =>
        getCase(
          world,
          operation.path,
          key,
          salt,
          values.flatMap((value) => value ?? []),
          twist,
        ),
      )
    }),
  )
}

function givenFor(world: TestData, parameter: Parameter): fc.Arbitrary<ParameterValue | undefined> {
  const given = samplesFor(parameter, validValuesFor(world, parameter)).map((sample) => ({ parameter, sample }))
  if (parameter.in === 'path') return given
  const without = fc.constant(undefined)
  const weight = parameter.required ? 1 : 12
  return fc.oneof({ weight: parameter.required ? 20 : 10, arbitrary: given }, { weight, arbitrary: without })
}

/** Right values, most of them of things that exist. */
function validValuesFor(world: TestData, { name, schema }: Parameter): fc.Arbitrary<string> {
  const { truth } = world
  const codes = truth.codes
    .flatMap(({ upc, ean }) => [upc, ean, upc?.replace(/^0+/, '')])
    .filter((code) => code != null)
  const asins = truth.codes.flatMap(({ asin }) => asin ?? [])
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (name === 'number' || name === 'set') return fc.oneof(setNumbers(world), minifigNumbers(world))
  if (name === 'q') return searchTerms(world)
  if (name === 'asin') return fc.constantFrom(...asins, 'B000000000')
  if (name === 'upc') return fc.constantFrom(...codes, '000000000000')
  if (name === 'brickfolio_id') {
    const ids = [
      ...world.accountData.rich.brickfolios.map((brickfolio) => String(brickfolio['id'])),
      ...world.otherAccountIds.map(String),
    ]
    return fc.constantFrom(...ids, '999999999')
  }
  if (name === 'changed_within')
    return fc.tuple(fc.nat(900), fc.constantFrom('m', 'h', 'd')).map(([n, unit]) => `${n}${unit}`)
  if (name === 'since') return instants
  return fc.oneof(fc.integer({ min: schema.minimum ?? 0, max: 260 }), fc.integer({ min: 0, max: 20 })).map(String)
}

const instants = fc
  .tuple(fc.integer({ min: 0, max: 60 * 24 * 40 }), fc.constantFrom('Z', '+02:00', '-05:30'))
  .map(([minutes, zone]) => new Date(Date.now() - minutes * 60_000).toISOString().replace('Z', zone))

export function setNumbers({ truth }: TestData): fc.Arbitrary<string> {
  const known = fc.constantFrom(...truth.sets.keys())
  return fc.oneof(
    { weight: 6, arbitrary: known },
    { weight: 2, arbitrary: known.map((number) => number.replace(/-1$/, '')) },
    { weight: 1, arbitrary: known.map((number) => `${number}-1`) },
    { weight: 1, arbitrary: fc.constantFrom('1', '99999-9', 'nope', '90000-', '090000-1', ' 90000-1') },
  )
}

export function minifigNumbers({ truth }: TestData): fc.Arbitrary<string> {
  const known = fc.constantFrom(...truth.minifigs.keys())
  return fc.oneof(
    { weight: 6, arbitrary: known },
    { weight: 1, arbitrary: known.map((number) => number.toUpperCase()) },
    { weight: 1, arbitrary: fc.constantFrom('xyz9', 'abc', '1') },
  )
}

function searchTerms({ truth }: TestData): fc.Arbitrary<string> {
  const names = [
    ...truth.setSearch.map((one) => String(one['title'])),
    ...truth.minifigSearch.map((one) => String(one['name'])),
  ]
  const words = [...new Set(names.flatMap((name) => name.split(' ')))].filter((word) => word.length >= 2)
  const word = fc.constantFrom(...words)
  return fc.oneof(
    word,
    word.map((text) => text.slice(0, 3).toUpperCase()),
    word.map((text) => `  ${text.slice(1, 4)} `).filter((text) => text.trim().length >= 2),
    fc.tuple(word, word).map((both) => both.join(' \t')),
    fc.constantFrom(...names),
    fc.constantFrom(...truth.sets.keys()).map((number) => number.slice(0, 4)),
    fc.constantFrom(...truth.sets.keys(), ...truth.minifigs.keys()),
    word.map((text) => text.replaceAll('e', 'é').replaceAll('o', 'o\u0308')),
  )
}

function getCase(
  world: TestData,
  path: string,
  key: KeyKind,
  salt: number,
  given: ParameterValue[],
  twist: RequestVariation,
): Case {
  const inPath = given.find(({ parameter }) => parameter.in === 'path')
  const inQuery = given.filter(({ parameter }) => parameter.in === 'query')
  const number = twist.kind === 'bad path encoding' ? twist.text : encode(inPath?.sample.text ?? '', twist)
  const right = inQuery.map(({ parameter, sample }) => `${parameter.name}=${encode(sample.text, twist, true)}`)
  const extra = variationParams(twist, given)
  const query = [...right, ...extra].join('&')
  const target = `/api/v1${path.replace('{number}', () => number)}${query === '' ? '' : `?${query}`}`
  const args = Object.fromEntries(given.map(({ parameter, sample }) => [parameter.name, sample.text]))
  const unreadable = twist.kind === 'bad path encoding' && inPath !== undefined
  const verdicts = [
    ...given.map(({ sample }) => sample.validity),
    ...(extra.length > 0 || unreadable ? ['bad' as const] : []),
    ...missing(path, args),
  ]
  // Without a number there is no such route, or a route with a bad number: both are fair.
  const pathIsEmpty = inPath?.sample.text === '' && !unreadable
  return {
    operation: { method: 'GET', path },
    method: 'GET',
    target,
    headers: twist.kind === 'body' ? { 'content-type': 'application/json' } : {},
    body: twist.kind === 'body' ? '{"sets":["x"]}' : undefined,
    key,
    salt,
    expect: pathIsEmpty
      ? { statuses: [...expectNotFound(key).statuses, ...(['rich', 'empty', 'exhausted'].includes(key) ? [400] : [])] }
      : expectation(key, target.length + (key === 'malformed' ? 4000 : 0), {
          validities: verdicts,
          outcome: () => EXPECTED_RESPONSES[path]!({ truth: world.truth, own: dataFor(world, key) }, args),
        }),
  }
}

/** What is missing though the document needs it, or our decisions do. */
function missing(path: string, args: Record<string, string>): 'bad'[] {
  if (path.endsWith('/search') && args['q'] === undefined) return ['bad']
  return path === '/retail-prices' && Object.keys(args).length === 0 ? ['bad'] : []
}

function variationParams(twist: RequestVariation, given: ParameterValue[]): string[] {
  const first = given.find(({ parameter }) => parameter.in === 'query')
  if (twist.kind === 'unknown') return [`${encodeURIComponent(twist.text)}=1`]
  if (twist.kind === 'bad query encoding') return [`${first?.parameter.name ?? 'limit'}=${twist.text}`]
  if (twist.kind === 'twice' && first) return [`${first.parameter.name}=${encodeURIComponent(first.sample.text)}`]
  return []
}

function encode(text: string, twist: RequestVariation, inQuery = false): string {
  if (twist.kind === 'every byte encoded')
    return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  const encoded = encodeURIComponent(text)
  return twist.kind === 'spaces as plus' && inQuery ? encoded.replaceAll('%20', '+') : encoded
}

const WRONG_METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'LINK']
// prettier-ignore
const UNKNOWN_PATHS = [
  '', '/', '/sets', '/set', '/catalog', '/SET/90000-1', '/set/90000-1/', '/set/90000-1/x', '//set/90000-1', '/.env',
  '/%2e%2e/', '/../../etc/passwd', '/brickfolio/', '/catalog/themes/x', '/v2/set/1', '/set/90000-1/history/x',
  '/salesledger.json',
]
const BODIES = [undefined, undefined, undefined, '{"sets":["90000-1"]}', '{"sets":', 'text', '']

/** Paths that do not exist, and paths that exist under another method. */
export function routeCases(world: TestData, keys: fc.Arbitrary<KeyKind>): fc.Arbitrary<Case> {
  const wrongMethod = fc
    .tuple(fc.constantFrom(...operations), fc.constantFrom(...WRONG_METHODS), setNumbers(world))
    .filter(([operation, method]) => operation.method !== method)
    .map(([operation, method, number]) => ({
      method,
      path: operation.path.replace('{number}', encodeURIComponent(number)),
      allow: operation.method,
    }))
  const unknownPath = fc
    .tuple(
      fc.oneof(
        fc.constantFrom(...UNKNOWN_PATHS),
        adversarialStrings.map((text) => `/no-${encodeURIComponent(text)}`),
      ),
      fc.constantFrom('GET', 'GET', 'POST', 'DELETE'),
    )
    .map(([path, method]) => ({ method, path, allow: undefined }))
  return fc
    .tuple(
      keys,
      fc.nat(1_000_000),
      fc.oneof(wrongMethod, unknownPath),
      fc.constantFrom(...BODIES),
      fc.constantFrom('', '', '', '?x=1', '?x=%ff'),
    )
    .filter(([, , { path }, , query]) => path.length + query.length < 15_000)
    .map(([key, salt, { method, path, allow }, body, query]) => ({
      operation: undefined,
      method,
      target: `/api/v1${path}${query}`,
      headers: body === undefined ? {} : { 'content-type': body === 'text' ? 'text/csv' : 'application/json' },
      body,
      key,
      salt,
      expect: expectNotFound(key, allow),
    }))
}
