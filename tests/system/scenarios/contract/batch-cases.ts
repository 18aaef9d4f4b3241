import fc from 'fast-check'
import { expectation, type Case, type TestData } from './case.ts'
import { findDifference } from './diff.ts'
import { minifigNumbers, setNumbers } from './get-cases.ts'
import type { KeyKind } from './keys.ts'
import { findMinifig, findSet, type ExpectedResponse } from './expected-responses.ts'
import { codePoints, adversarialStrings, type ParameterSample } from './samples.ts'
import type { Json } from './oracle.ts'

type Body = { bytes: string | Buffer | undefined; verdict: ParameterSample['validity']; lists?: Lists }
type Lists = { sets: string[]; minifigs: string[] }

const MAX_ITEMS = 100
const MAX_LENGTH = 64

/** Returns requests for POST /catalog/batch: valid bodies of every size, and every kind of invalid body. */
export function batchCases(testData: TestData, keys: fc.Arbitrary<KeyKind>): fc.Arbitrary<Case> {
  const body = fc.oneof({ weight: 4, arbitrary: listBodies(testData) }, { weight: 3, arbitrary: malformedBodies })
  const query = fc.oneof({ weight: 20, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constant('?limit=1') })
  return fc.tuple(keys, fc.nat(1_000_000), body, contentTypes, query).map(([key, salt, body, type, query]) => {
    const target = `/api/v1/catalog/batch${query}`
    const verdicts = [body.verdict, type.validity, query === '' ? ('ok' as const) : ('bad' as const)]
    return {
      operation: { method: 'POST', path: '/catalog/batch' },
      method: 'POST',
      target,
      headers: type.text === '' ? {} : { 'content-type': type.text },
      body: body.bytes,
      key,
      salt,
      expect: expectation(key, target.length, { validities: verdicts, outcome: () => outcomeOf(testData, body.lists) }),
    }
  })
}

const contentTypes: fc.Arbitrary<ParameterSample> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .constantFrom('application/json', 'application/json; charset=utf-8')
      .map((text): ParameterSample => ({ text, validity: 'ok' })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        '',
        'text/plain',
        'text/json',
        'application/xml',
        'multipart/form-data; boundary=x',
        'application/x-www-form-urlencoded',
        'application/merge-patch+json',
        '*/*',
        'json',
        ';',
      )
      .map((text): ParameterSample => ({ text, validity: 'bad' })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        'APPLICATION/JSON',
        'application/json;charset=utf-16',
        'application/json ; x=y',
        'application/json;',
      )
      .map((text): ParameterSample => ({ text, validity: 'either' })),
  },
)

function listBodies(testData: TestData): fc.Arbitrary<Body> {
  const padded = (numbers: fc.Arbitrary<string>) =>
    fc.oneof({ weight: 9, arbitrary: numbers }, { weight: 1, arbitrary: numbers.map((number) => ` ${number}\t`) })
  const list = (numbers: fc.Arbitrary<string>, maxLength: number) =>
    fc.array(padded(numbers), { maxLength, size: 'max' })
  const small = fc.record({ sets: list(setNumbers(testData), 6), minifigs: list(minifigNumbers(testData), 4) })
  const large = fc.record({ sets: list(setNumbers(testData), 120), minifigs: list(minifigNumbers(testData), 40) })
  const all = [...testData.oracle.sets.keys()]
  // Exactly at the limit, one above it, and one set repeated 2,000 times: only distinct sets count.
  const atBound = fc.constantFrom(...[99, 100, 101].map((count) => ({ sets: all.slice(0, count), minifigs: [] })), {
    sets: Array.from({ length: 2000 }, () => all[0]!),
    minifigs: [],
  })
  const odd = fc.record({
    sets: fc.array(adversarialStrings, { maxLength: 4 }),
    minifigs: fc.array(adversarialStrings, { maxLength: 3 }),
  })
  return fc
    .oneof(
      { weight: 8, arbitrary: small },
      { weight: 2, arbitrary: large },
      { weight: 1, arbitrary: atBound },
      { weight: 2, arbitrary: odd },
    )
    .chain((lists) => fc.constantFrom(lists, lists, { ...lists, minifigs: undefined }, { ...lists, sets: undefined }))
    .map((body) => {
      const lists = { sets: body.sets ?? [], minifigs: body.minifigs ?? [] }
      const bytes = JSON.stringify(body)
      return {
        bytes,
        lists,
        verdict: Buffer.byteLength(bytes) > 65_536 ? ('bad' as const) : validityOf(testData, lists),
      }
    })
}

function validityOf(testData: TestData, lists: Lists): ParameterSample['validity'] {
  const texts = [...lists.sets, ...lists.minifigs].map((text) => text.trim())
  if (texts.some((text) => text === '' || text.includes('\0') || codePoints(text) > MAX_LENGTH)) return 'bad'
  if (texts.some((text) => text.length > MAX_LENGTH)) return 'either'
  const count = uniqueSets(testData, lists.sets).length + uniqueMinifigs(testData, lists.minifigs).length
  return count >= 1 && count <= MAX_ITEMS ? 'ok' : 'bad'
}

const NESTING_DEPTH = 20_000
// prettier-ignore
const INVALID_BODIES: (string | Buffer | undefined)[] = [
  undefined, '', ' ', 'null', '[]', '"x"', '123', 'true', '{}', '{"sets":[]}', '{"sets":[],"minifigs":[]}',
  '{"sets":null}', '{"sets":"90000-1"}', '{"sets":[1]}', '{"sets":[null]}', '{"sets":[["90000-1"]]}',
  '{"sets":[{"set_number":"90000-1"}]}', '{"sets":[""]}', '{"sets":["  "]}', '{"sets":["90000-1"],"x":1}',
  '{"sets":["90000-1"],"Minifigs":["a"]}', '{"sets":["90000-1"],}', '{"sets":["90000-1"]', `{'sets':['90000-1']}`,
  '{"sets":["90000-1"]}}', '{"sets":[1e999]}', '{"__proto__":{"x":1},"sets":["90000-1"]}',
  '{"constructor":{"prototype":{"x":1}},"sets":["90000-1"]}', '{"sets":["a\\u0000b"]}', '['.repeat(NESTING_DEPTH),
  `{"sets":${'['.repeat(NESTING_DEPTH)}${']'.repeat(NESTING_DEPTH)}}`, `{"sets":["${'x'.repeat(65)}"]}`,
  `{"sets":["${'x'.repeat(70_000)}"]}`,
  Buffer.from([0xff, 0xfe, 0x7b, 0x7d]), Buffer.from('{"sets":["90000-1"]}', 'utf16le'), Buffer.alloc(200_000, 0x20),
  '\0',
]
const AMBIGUOUS_BODIES: (string | Buffer)[] = [
  '\ufeff{"sets":["90000-1"]}',
  Buffer.from([0x7b, 0x22, 0x73, 0x65, 0x74, 0x73, 0x22, 0x3a, 0x5b, 0x22, 0xff, 0x22, 0x5d, 0x7d]),
  '{"sets":["x"],"sets":["90000-1"]}',
]

const malformedBodies: fc.Arbitrary<Body> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...INVALID_BODIES).map((bytes): Body => ({ bytes, verdict: 'bad' })) },
  { weight: 1, arbitrary: fc.constantFrom(...AMBIGUOUS_BODIES).map((bytes): Body => ({ bytes, verdict: 'either' })) },
  {
    weight: 2,
    arbitrary: fc
      .json()
      .filter((text) => !text.includes('"sets"'))
      .map((bytes): Body => ({ bytes, verdict: 'bad' })),
  },
)

type Item = { given: string; record: Json | undefined }

function outcomeOf(testData: TestData, lists: Lists | undefined): ExpectedResponse {
  if (!lists) return { status: 200 }
  const sets = uniqueSets(testData, lists.sets)
  const minifigs = uniqueMinifigs(testData, lists.minifigs)
  const items = [...sets, ...minifigs]
  const expected = {
    sets: sets.map(({ given, record }) => (record ? { ...record, found: true } : { set_number: given, found: false })),
    minifigs: minifigs.map(({ given, record }) =>
      record ? sorted({ ...record, found: true }) : { minifig_number: given, found: false },
    ),
    summary: { requested: items.length, found: items.filter((item) => item.record).length },
  }
  return {
    status: 200,
    check(data) {
      const batch = data as { minifigs: Json[] }
      return findDifference({ ...batch, minifigs: batch.minifigs.map(sorted) }, expected)
    },
  }
}

/** Sorts the sets of a minifig, because the contract doesn't define their order. */
function sorted(minifig: Json): Json {
  return 'sets' in minifig ? { ...minifig, sets: (minifig['sets'] as string[]).toSorted() } : minifig
}

function uniqueSets({ oracle }: TestData, numbers: string[]): Item[] {
  return unique(
    numbers,
    (number) => findSet(oracle, number),
    (number) => number.replace(/-1$/, ''),
  )
}

function uniqueMinifigs({ oracle }: TestData, numbers: string[]): Item[] {
  return unique(
    numbers,
    (number) => findMinifig(oracle, number),
    (number) => number.toLowerCase(),
  )
}

/**
 * Trims the numbers and returns each item once, in order of first appearance; different spellings of a number are one
 * item.
 */
function unique(
  numbers: string[],
  find: (number: string) => Json | undefined,
  normalize: (number: string) => string,
): Item[] {
  const items = new Map<unknown, Item>()
  for (const given of numbers.map((number) => number.trim())) {
    const record = find(given)
    const key = record ?? normalize(given)
    if (!items.has(key)) items.set(key, { given, record })
  }
  return [...items.values()]
}
