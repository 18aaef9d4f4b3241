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
  const message = `must be a whole number from ${options.min} to ${options.max}`
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
    .string({ error: (issue) => (issue.input === undefined ? missing : 'must be given once, as text') })
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .refine((value) => !value.includes('\0'), 'must not contain a NUL character')
    .meta({ description })
}

/** Maximum length of a set or minifig number. */
export const MAX_NUMBER_LENGTH = 64

export const SetNumber = stringParam(
  'Set number, with or without the variant: `90001` finds `90001-1`.',
  MAX_NUMBER_LENGTH,
).meta({
  example: '90001-1',
})

export const MinifigNumber = stringParam('Minifig number, in any case.', MAX_NUMBER_LENGTH).meta({ example: 'hbr001' })

export const EmptyParams = z.strictObject({})

export const SetNumberParams = z.strictObject({ number: SetNumber })

/** Beyond the end of any list, and small enough for every integer type. */
const MAX_OFFSET = 2_147_483_647

export const paginationParams = {
  limit: integerParam({ min: 1, max: 250, default: 50, description: 'How many to return.', example: 250 }).default(50),
  offset: integerParam({ min: 0, max: MAX_OFFSET, default: 0, description: 'How many to skip.', example: 250 }).default(
    0,
  ),
}

export const SearchQuery = stringParam(
  'Words to look for: each must occur in the number or in the name.',
  200,
  'is required: a number or words of a name, at least 2 characters, like `q=lighthouse`',
)
  .transform((value) => value.trim())
  .pipe(z.string().min(2, 'must have at least 2 characters besides spaces'))
  .meta({
    openapi: {
      type: 'string',
      minLength: 2,
      maxLength: 200,
      example: 'lighthouse',
      description:
        'Words to look for: each must occur in the number or in the name. Case, accents and punctuation are ignored.',
    },
  })
