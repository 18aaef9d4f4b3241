import { z } from 'zod'

/** Documents a schema that parses query text as the type that the text represents. */
function withOpenApi<S extends z.ZodType>(schema: S, openapi: Record<string, unknown>): S {
  return schema.meta({ openapi })
}

/** Accepts plain decimal digits only; rejects `1e2`, `+5` and ` 5`. */
export function integerParam(options: {
  min: number
  max: number
  default?: number
  description: string
  example: number
}) {
  const message = `must be an integer between ${options.min} and ${options.max}`
  const { min, max, description, example } = options
  const number = z
    .string({ error: message })
    .regex(/^\d{1,16}$/, message)
    .transform(Number)
    .pipe(z.int(message).min(min, message).max(max, message))
  const openapi = { type: 'integer', minimum: min, maximum: max, description, example }
  return options.default === undefined
    ? withOpenApi(number, openapi)
    : withOpenApi(number, { ...openapi, default: options.default })
}

/** Accepts text without NUL, which PostgreSQL cannot store. */
export function stringParam(description: string, max = 200, missing = 'is required') {
  return z
    .string({ error: (issue) => (issue.input === undefined ? missing : 'must be a single string') })
    .min(1, 'must not be empty')
    .max(max, `must be at most ${max} characters`)
    .refine((value) => !value.includes('\0'), 'must not contain a NUL character')
    .meta({ description })
}

/** Maximum length of a set or minifig number. */
export const MAX_NUMBER_LENGTH = 64

export const SetNumber = stringParam(
  'Set number. The variant suffix is optional: `90001` matches `90001-1`.',
  MAX_NUMBER_LENGTH,
).meta({
  example: '90001-1',
})

export const MinifigNumber = stringParam('Minifig number (case-insensitive).', MAX_NUMBER_LENGTH).meta({
  example: 'hbr001',
})

export const EmptyParams = z.strictObject({})

export const SetNumberParams = z.strictObject({ number: SetNumber })

/** Beyond the end of any list, and small enough for every integer type. */
const MAX_OFFSET = 2_147_483_647

export const paginationParams = {
  limit: integerParam({ min: 1, max: 250, default: 50, description: 'Page size.', example: 250 }).default(50),
  offset: integerParam({
    min: 0,
    max: MAX_OFFSET,
    default: 0,
    description: 'Number of results to skip.',
    example: 250,
  }).default(0),
}

export const SearchQuery = stringParam(
  'Search terms. Each must occur in the number or the name.',
  200,
  'is required (at least 2 characters, e.g. `q=lighthouse`)',
)
  .transform((value) => value.trim())
  .pipe(z.string().min(2, 'must contain at least 2 non-space characters'))
  .meta({
    openapi: {
      type: 'string',
      minLength: 2,
      maxLength: 200,
      example: 'lighthouse',
      description:
        'Search terms. Each must occur in the number or the name. Case, accents and punctuation are ignored.',
    },
  })
