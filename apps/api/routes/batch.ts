import { z } from 'zod'
import type { Catalog } from '../catalog/catalog.ts'
import { badRequest } from '../errors.ts'
import { defineEndpoint } from '../endpoint.ts'
import { exampleMinifig, exampleSet } from '../schemas/examples.ts'
import { stringField } from '../schemas/fields.ts'
import { MinifigSchema, serializeMinifig } from '../schemas/minifig.ts'
import { MinifigNumber, EmptyParams, MAX_NUMBER_LENGTH, SetNumber } from '../schemas/parameters.ts'
import { SetSchema, setJson } from '../schemas/set.ts'
import { joinChunks, PreserializedJson } from '../schemas/preserialized-json.ts'

const MAX_ITEMS = 100

const found = z.literal(true).meta({ description: 'Whether it was found.' })
const missing = z.literal(false).meta({ description: 'Whether it was found.' })

const BatchSetSchema = z.union([
  z.strictObject({ ...SetSchema.shape, found }).meta({ id: 'FoundSet', description: 'A set that was found.' }),
  z
    .strictObject({ set_number: stringField('The number as requested.', '1'), found: missing })
    .meta({ id: 'MissingSet', description: 'A set that was not found.' }),
])

const BatchMinifigSchema = z.union([
  z
    .strictObject({ ...MinifigSchema.shape, found })
    .meta({ id: 'FoundMinifig', description: 'A minifig that was found.' }),
  z
    .strictObject({ minifig_number: stringField('The number as requested.', 'xyz9'), found: missing })
    .meta({ id: 'MissingMinifig', description: 'A minifig that was not found.' }),
])

const numberList = (number: z.ZodString) =>
  z
    .array(
      z
        .string('must be a string')
        .trim()
        .pipe(number)
        .meta({ openapi: { type: 'string', minLength: 1, maxLength: MAX_NUMBER_LENGTH } }),
      'must be an array of strings',
    )
    .default([])

const BatchBody = z
  .strictObject(
    {
      sets: numberList(SetNumber).meta({ description: 'Set numbers.', examples: [['90001-1', '90002-1']] }),
      minifigs: numberList(MinifigNumber).meta({ description: 'Minifig numbers.', examples: [['hbr001']] }),
    },
    {
      error: (issue) =>
        issue.code === 'invalid_type' ? 'must be a JSON object with `sets`, `minifigs` or both' : undefined,
    },
  )
  .meta({ id: 'BatchRequest', description: '1 to 100 unique numbers in total.' })

/** POST /catalog/batch: up to 100 items for one credit each; missing items don't fail the rest. */
export const batch = defineEndpoint({
  method: 'POST',
  path: '/catalog/batch',
  operationId: 'getBatch',
  tag: 'Catalog',
  summary: 'Get sets and minifigs in bulk',
  description:
    "Returns up to 100 sets and minifigs. Costs 1 credit per unique number, found or not. If you don't have enough credits for the whole batch, it fails with 429 and nothing is charged.",
  cost: ({ catalog }, { body }) => countItems(dedupeItems(catalog, body)),
  params: EmptyParams,
  query: EmptyParams,
  body: BatchBody,
  data: z
    .strictObject({
      sets: z.array(BatchSetSchema).meta({ description: 'In request order, without duplicates.' }),
      minifigs: z.array(BatchMinifigSchema).meta({ description: 'In request order, without duplicates.' }),
      summary: z
        .strictObject({
          requested: z
            .int()
            .min(1)
            .max(MAX_ITEMS)
            .meta({ description: 'Number of unique items requested.', example: 2 }),
          found: z.int().min(0).max(MAX_ITEMS).meta({ description: 'Number of items found.', example: 2 }),
        })
        .meta({ id: 'BatchSummary', description: 'Batch summary.' }),
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
    const items = dedupeItems(catalog, body)
    const sets = items.sets.map(({ rawNumber, record }) =>
      record ? withFoundFlag(setJson(record, now)) : [JSON.stringify({ set_number: rawNumber, found: false })],
    )
    const minifigs = items.minifigs.map(({ rawNumber, record }) => [
      JSON.stringify(
        record ? { ...serializeMinifig(record, catalog), found: true } : { minifig_number: rawNumber, found: false },
      ),
    ])
    const found = [...items.sets, ...items.minifigs].filter(({ record }) => record !== undefined).length
    const summary = JSON.stringify({ requested: countItems(items), found })
    return new PreserializedJson(
      '{"sets":[',
      ...joinChunks(sets),
      '],"minifigs":[',
      ...joinChunks(minifigs),
      `],"summary":${summary}}`,
    )
  },
})

/** Appends `found: true` to a JSON object, as chunks. */
function withFoundFlag(text: string): string[] {
  return [text.slice(0, -1), ',"found":true}']
}

/**
 * Returns each item once, in order of first appearance. Aliases of a set are one item, even if the catalog doesn't have
 * it.
 */
function dedupeItems(catalog: Catalog, body: z.output<typeof BatchBody>) {
  const sets = dedupe(
    body.sets,
    (number) => catalog.set(number),
    (number) => number.replace(/-1$/, ''),
  )
  const minifigs = dedupe(
    body.minifigs,
    (number) => catalog.minifig(number),
    (number) => number.toLowerCase(),
  )
  const items = { sets, minifigs }
  const count = countItems(items)
  if (count === 0) badRequest('Provide at least one number in `sets` or `minifigs`.')
  if (count > MAX_ITEMS) badRequest(`Too many items: ${count}. A batch can contain up to ${MAX_ITEMS} unique numbers.`)
  return items
}

function countItems(items: { sets: unknown[]; minifigs: unknown[] }): number {
  return items.sets.length + items.minifigs.length
}

function dedupe<T>(
  numbers: string[],
  find: (number: string) => T | undefined,
  canonicalize: (number: string) => string,
): { rawNumber: string; record: T | undefined }[] {
  const items = new Map<T | string, { rawNumber: string; record: T | undefined }>()
  for (const rawNumber of numbers) {
    const record = find(rawNumber)
    const key = record ?? canonicalize(rawNumber)
    if (!items.has(key)) items.set(key, { rawNumber, record })
  }
  return [...items.values()]
}
