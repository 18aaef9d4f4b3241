import { z } from 'zod'
import type { Catalog } from '../catalog/catalog.ts'
import { badRequest } from '../errors.ts'
import { endpoint } from '../endpoint.ts'
import { exampleMinifig, exampleSet } from '../schemas/examples.ts'
import { word } from '../schemas/fields.ts'
import { MinifigShape, presentMinifig } from '../schemas/minifig.ts'
import { MinifigNumber, NoParameters, NUMBER_LENGTH, SetNumber } from '../schemas/parameters.ts'
import { SetShape, writeSet } from '../schemas/set.ts'
import { listOf, Written } from '../schemas/preserialized-json.ts'

const MAX_ITEMS = 100

const found = z.literal(true).meta({ description: 'Whether it exists.' })
const missing = z.literal(false).meta({ description: 'Whether it exists.' })

const BatchSetShape = z.union([
  z.strictObject({ ...SetShape.shape, found }).meta({ id: 'FoundSet', description: 'A set that exists.' }),
  z
    .strictObject({ set_number: word('The number as asked for.', '1'), found: missing })
    .meta({ id: 'MissingSet', description: 'A set that does not exist.' }),
])

const BatchMinifigShape = z.union([
  z.strictObject({ ...MinifigShape.shape, found }).meta({ id: 'FoundMinifig', description: 'A minifig that exists.' }),
  z
    .strictObject({ minifig_number: word('The number as asked for.', 'xyz9'), found: missing })
    .meta({ id: 'MissingMinifig', description: 'A minifig that does not exist.' }),
])

const list = (number: z.ZodString) =>
  z
    .array(
      z
        .string('must hold only texts')
        .trim()
        .pipe(number)
        .meta({ openapi: { type: 'string', minLength: 1, maxLength: NUMBER_LENGTH } }),
      'must be a list of numbers',
    )
    .default([])

const Body = z
  .strictObject(
    {
      sets: list(SetNumber).meta({ description: 'Set numbers.', examples: [['90001-1', '90002-1']] }),
      minifigs: list(MinifigNumber).meta({ description: 'Minifig numbers.', examples: [['hbr001']] }),
    },
    {
      error: (issue) =>
        issue.code === 'invalid_type' ? 'must be a JSON object with `sets`, `minifigs` or both' : undefined,
    },
  )
  .meta({ id: 'BatchRequest', description: 'At least one number; at most 100 different ones in all.' })

/** POST /catalog/batch: up to 100 items at one unit each; a missing one does not fail the rest. */
export const batch = endpoint({
  method: 'POST',
  path: '/catalog/batch',
  operationId: 'getBatch',
  tag: 'Catalog',
  summary: 'Many sets and minifigs at once',
  description:
    'Costs one unit for each different number, whether it is found or not. If fewer units are left than the batch costs, it is refused whole with 429 and costs nothing.',
  price: ({ catalog }, { body }) => uniqueCount(uniqueItems(catalog, body)),
  params: NoParameters,
  query: NoParameters,
  body: Body,
  data: z
    .strictObject({
      sets: z.array(BatchSetShape).meta({ description: 'In order of first appearance.' }),
      minifigs: z.array(BatchMinifigShape).meta({ description: 'In order of first appearance.' }),
      summary: z
        .strictObject({
          requested: z.int().min(1).max(MAX_ITEMS).meta({ description: 'Different numbers asked for.', example: 2 }),
          found: z.int().min(0).max(MAX_ITEMS).meta({ description: 'How many of them exist.', example: 2 }),
        })
        .meta({ id: 'BatchSummary', description: 'What was asked for and what was found.' }),
    })
    .meta({ id: 'BatchData', description: 'The items of a batch.' }),
  example: {
    sets: [
      { ...exampleSet, found: true },
      { set_number: '1', found: false },
    ],
    minifigs: [{ ...exampleMinifig, found: true }],
    summary: { requested: 3, found: 2 },
  },
  handle({ catalog }, { body, now }) {
    const items = uniqueItems(catalog, body)
    const sets = items.sets.map(({ given, record }) =>
      record ? asFound(writeSet(record, now)) : [JSON.stringify({ set_number: given, found: false })],
    )
    const minifigs = items.minifigs.map(({ given, record }) => [
      JSON.stringify(
        record ? { ...presentMinifig(record, catalog), found: true } : { minifig_number: given, found: false },
      ),
    ])
    const found = [...items.sets, ...items.minifigs].filter(({ record }) => record !== undefined).length
    const summary = JSON.stringify({ requested: uniqueCount(items), found })
    return new Written('{"sets":[', ...listOf(sets), '],"minifigs":[', ...listOf(minifigs), `],"summary":${summary}}`)
  },
})

/** The text of an object, with `found: true` as its last field. */
function asFound(text: string): string[] {
  return [text.slice(0, -1), ',"found":true}']
}

/** Each item once, in order of first appearance. Two spellings of one set are one item, known to the catalog or not. */
function uniqueItems(catalog: Catalog, body: z.output<typeof Body>) {
  const sets = unique(
    body.sets,
    (number) => catalog.set(number),
    (number) => number.replace(/-1$/, ''),
  )
  const minifigs = unique(
    body.minifigs,
    (number) => catalog.minifig(number),
    (number) => number.toLowerCase(),
  )
  const items = { sets, minifigs }
  const count = uniqueCount(items)
  if (count === 0) badRequest('The body must name at least one number in `sets` or `minifigs`.')
  if (count > MAX_ITEMS) badRequest(`The body names ${count} different numbers; at most ${MAX_ITEMS} are allowed.`)
  return items
}

function uniqueCount(items: { sets: unknown[]; minifigs: unknown[] }): number {
  return items.sets.length + items.minifigs.length
}

function unique<T>(
  numbers: string[],
  find: (number: string) => T | undefined,
  plainSpelling: (number: string) => string,
): { given: string; record: T | undefined }[] {
  const items = new Map<T | string, { given: string; record: T | undefined }>()
  for (const given of numbers) {
    const record = find(given)
    const key = record ?? plainSpelling(given)
    if (!items.has(key)) items.set(key, { given, record })
  }
  return [...items.values()]
}
