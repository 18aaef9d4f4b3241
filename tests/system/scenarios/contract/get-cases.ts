import fc from 'fast-check'
import { operations } from '../../../support/openapi-contract.ts'
import { expectation, expectNotFound, dataFor, type Case, type TestData } from './case.ts'
import type { KeyKind } from './keys.ts'
import { EXPECTED_RESPONSES } from './expected-responses.ts'
import { adversarialStrings, parametersOf, samplesFor, type Parameter, type ParameterSample } from './samples.ts'

type ParameterValue = { parameter: Parameter; sample: ParameterSample }

/** How a request is varied besides its parameter values. */
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

/** Returns requests for every GET operation, generated from its documented parameters. */
export function getCases(testData: TestData, keys: fc.Arbitrary<KeyKind>): fc.Arbitrary<Case> {
  const gets = operations.filter((operation) => operation.method === 'GET')
  return fc.oneof(
    ...gets.map((operation) => {
      const parameters = parametersOf(operation)
      const parameterValues = fc.tuple(...parameters.map((parameter) => givenFor(testData, parameter)))
      return fc.tuple(keys, fc.nat(1_000_000), parameterValues, variations).map(([key, salt, values, variation]) =>
        getCase(
          testData,
          operation.path,
          key,
          salt,
          values.flatMap((value) => value ?? []),
          variation,
        ),
      )
    }),
  )
}

function givenFor(testData: TestData, parameter: Parameter): fc.Arbitrary<ParameterValue | undefined> {
  const values = samplesFor(parameter, validValuesFor(testData, parameter)).map((sample) => ({ parameter, sample }))
  if (parameter.in === 'path') return values
  const without = fc.constant(undefined)
  const weight = parameter.required ? 1 : 12
  return fc.oneof({ weight: parameter.required ? 20 : 10, arbitrary: values }, { weight, arbitrary: without })
}

/** Returns valid values, most of which refer to existing things. */
function validValuesFor(testData: TestData, { name, schema }: Parameter): fc.Arbitrary<string> {
  const { oracle } = testData
  const codes = oracle.codes
    .flatMap(({ upc, ean }) => [upc, ean, upc?.replace(/^0+/, '')])
    .filter((code) => code != null)
  const asins = oracle.codes.flatMap(({ asin }) => asin ?? [])
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (name === 'number' || name === 'set') return fc.oneof(setNumbers(testData), minifigNumbers(testData))
  if (name === 'q') return searchTerms(testData)
  if (name === 'asin') return fc.constantFrom(...asins, 'B000000000')
  if (name === 'upc') return fc.constantFrom(...codes, '000000000000')
  if (name === 'brickfolio_id') {
    const ids = [
      ...testData.accountData.rich.brickfolios.map((brickfolio) => String(brickfolio['id'])),
      ...testData.otherAccountIds.map(String),
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

export function setNumbers({ oracle }: TestData): fc.Arbitrary<string> {
  const known = fc.constantFrom(...oracle.sets.keys())
  return fc.oneof(
    { weight: 6, arbitrary: known },
    { weight: 2, arbitrary: known.map((number) => number.replace(/-1$/, '')) },
    { weight: 1, arbitrary: known.map((number) => `${number}-1`) },
    { weight: 1, arbitrary: fc.constantFrom('1', '99999-9', 'nope', '90000-', '090000-1', ' 90000-1') },
  )
}

export function minifigNumbers({ oracle }: TestData): fc.Arbitrary<string> {
  const known = fc.constantFrom(...oracle.minifigs.keys())
  return fc.oneof(
    { weight: 6, arbitrary: known },
    { weight: 1, arbitrary: known.map((number) => number.toUpperCase()) },
    { weight: 1, arbitrary: fc.constantFrom('xyz9', 'abc', '1') },
  )
}

function searchTerms({ oracle }: TestData): fc.Arbitrary<string> {
  const names = [
    ...oracle.setSearch.map((set) => String(set['title'])),
    ...oracle.minifigSearch.map((minifig) => String(minifig['name'])),
  ]
  const words = [...new Set(names.flatMap((name) => name.split(' ')))].filter((word) => word.length >= 2)
  const word = fc.constantFrom(...words)
  return fc.oneof(
    word,
    word.map((text) => text.slice(0, 3).toUpperCase()),
    word.map((text) => `  ${text.slice(1, 4)} `).filter((text) => text.trim().length >= 2),
    fc.tuple(word, word).map((both) => both.join(' \t')),
    fc.constantFrom(...names),
    fc.constantFrom(...oracle.sets.keys()).map((number) => number.slice(0, 4)),
    fc.constantFrom(...oracle.sets.keys(), ...oracle.minifigs.keys()),
    word.map((text) => text.replaceAll('e', 'é').replaceAll('o', 'o\u0308')),
  )
}

function getCase(
  testData: TestData,
  path: string,
  key: KeyKind,
  salt: number,
  values: ParameterValue[],
  variation: RequestVariation,
): Case {
  const inPath = values.find(({ parameter }) => parameter.in === 'path')
  const inQuery = values.filter(({ parameter }) => parameter.in === 'query')
  const number = variation.kind === 'bad path encoding' ? variation.text : encode(inPath?.sample.text ?? '', variation)
  const valid = inQuery.map(({ parameter, sample }) => `${parameter.name}=${encode(sample.text, variation, true)}`)
  const extra = variationParams(variation, values)
  const query = [...valid, ...extra].join('&')
  const target = `/api/v1${path.replace('{number}', () => number)}${query === '' ? '' : `?${query}`}`
  const args = Object.fromEntries(values.map(({ parameter, sample }) => [parameter.name, sample.text]))
  const undecodable = variation.kind === 'bad path encoding' && inPath !== undefined
  const verdicts = [
    ...values.map(({ sample }) => sample.validity),
    ...(extra.length > 0 || undecodable ? ['bad' as const] : []),
    ...missing(path, args),
  ]
  // Without a number, either no route matches or the number is invalid: both responses are acceptable.
  const pathIsEmpty = inPath?.sample.text === '' && !undecodable
  return {
    operation: { method: 'GET', path },
    method: 'GET',
    target,
    headers: variation.kind === 'body' ? { 'content-type': 'application/json' } : {},
    body: variation.kind === 'body' ? '{"sets":["x"]}' : undefined,
    key,
    salt,
    expect: pathIsEmpty
      ? { statuses: [...expectNotFound(key).statuses, ...(['rich', 'empty', 'exhausted'].includes(key) ? [400] : [])] }
      : expectation(key, target.length + (key === 'malformed' ? 4000 : 0), {
          validities: verdicts,
          outcome: () =>
            EXPECTED_RESPONSES[path]!({ oracle: testData.oracle, accountOracle: dataFor(testData, key) }, args),
        }),
  }
}

/** Reports parameters that are missing although openapi.json or a decision record requires them. */
function missing(path: string, args: Record<string, string>): 'bad'[] {
  if (path.endsWith('/search') && args['q'] === undefined) return ['bad']
  return path === '/retail-prices' && Object.keys(args).length === 0 ? ['bad'] : []
}

function variationParams(variation: RequestVariation, values: ParameterValue[]): string[] {
  const first = values.find(({ parameter }) => parameter.in === 'query')
  if (variation.kind === 'unknown') return [`${encodeURIComponent(variation.text)}=1`]
  if (variation.kind === 'bad query encoding') return [`${first?.parameter.name ?? 'limit'}=${variation.text}`]
  if (variation.kind === 'twice' && first) return [`${first.parameter.name}=${encodeURIComponent(first.sample.text)}`]
  return []
}

function encode(text: string, variation: RequestVariation, inQuery = false): string {
  if (variation.kind === 'every byte encoded')
    return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  const encoded = encodeURIComponent(text)
  return variation.kind === 'spaces as plus' && inQuery ? encoded.replaceAll('%20', '+') : encoded
}

const WRONG_METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'LINK']
// prettier-ignore
const UNKNOWN_PATHS = [
  '', '/', '/sets', '/set', '/catalog', '/SET/90000-1', '/set/90000-1/', '/set/90000-1/x', '//set/90000-1', '/.env',
  '/%2e%2e/', '/../../etc/passwd', '/brickfolio/', '/catalog/themes/x', '/v2/set/1', '/set/90000-1/history/x',
  '/salesledger.json',
]
const BODIES = [undefined, undefined, undefined, '{"sets":["90000-1"]}', '{"sets":', 'text', '']

/** Returns requests for paths that don't exist, and for existing paths with another method. */
export function routeCases(testData: TestData, keys: fc.Arbitrary<KeyKind>): fc.Arbitrary<Case> {
  const wrongMethod = fc
    .tuple(fc.constantFrom(...operations), fc.constantFrom(...WRONG_METHODS), setNumbers(testData))
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
