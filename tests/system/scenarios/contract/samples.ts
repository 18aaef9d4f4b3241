import fc from 'fast-check'
import { operations } from '../../../support/openapi-contract.ts'

/** A parameter value, and whether the document allows it. `either`: the document leaves it open. */
export type ParameterSample = { text: string; validity: 'ok' | 'bad' | 'either' }

type ParameterSchema = {
  type: 'string' | 'integer'
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  enum?: string[]
  pattern?: string
  format?: string
}
export type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: ParameterSchema }

/** Returns the parameters of an operation in the committed document. */
export function parametersOf(operation: (typeof operations)[number]): Parameter[] {
  return (operation.operation as { parameters?: Parameter[] }).parameters ?? []
}

// prettier-ignore
const ADVERSARIAL_STRINGS = [
  `' OR 1=1--`, `"; drop table catalog.set; --`, '../../etc/passwd', '..', '.', '${7*7}', '{{7*7}}',
  '<script>alert(1)</script>', '%', '_', '%00', '%25', '\\', '\0', 'a\0b', '\r\nX-Injected: 1', '\u202e90001', '😀',
  'é', 'e\u0301', 'ß', 'İ', 'ﬁ', '\ufeff', '\u2028', '"', '`', '|cat', '*', '?', '#', '/', 'a/b', ';', '&', '=', '+',
  ' ', '\t', 'null', 'undefined', 'true', 'NaN', '__proto__', 'constructor', '0', '-0', '-1', '1e309',
  '[object Object]', '٣', '０１', 'K', '\u0301\u0301', '90001-1-1', '-1', '--', 'A,B,,', ',',
]
const LONG_LENGTHS = [63, 64, 65, 199, 200, 201, 999, 1000, 3999, 4000, 4001, 7999, 8000, 8001]

/** Arbitrary text: known problematic strings, long strings, and random Unicode. */
export const adversarialStrings: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ADVERSARIAL_STRINGS) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('x', '9', '%', 'é', '😀'), fc.constantFrom(...LONG_LENGTHS))
      .map(([unit, length]) => unit.repeat(Math.ceil(length / unit.length))),
  },
  { weight: 2, arbitrary: fc.string({ maxLength: 24 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.toWellFormed()) },
)

/**
 * Returns values for a parameter: mostly valid ones from `pool`, then values at and beyond every bound, then arbitrary
 * text.
 */
export function samplesFor({ name, schema }: Parameter, pool: fc.Arbitrary<string>): fc.Arbitrary<ParameterSample> {
  const withValidity = (texts: fc.Arbitrary<string>) =>
    texts.map((text) => ({ text, validity: validityOf(name, schema, text) }))
  return fc.oneof(
    { weight: 12, arbitrary: withValidity(pool) },
    { weight: 2, arbitrary: withValidity(boundaries(schema)) },
    { weight: 1, arbitrary: withValidity(adversarialStrings) },
  )
}

function boundaries(schema: ParameterSchema): fc.Arbitrary<string> {
  if (schema.enum) return fc.constantFrom(...schema.enum.flatMap((word) => [word, word.toUpperCase(), `${word} `, '']))
  if (schema.type === 'integer') {
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema
    const near = [minimum - 1, minimum, minimum + 1, maximum - 1, maximum].map(String)
    const malformedIntegers = ['', ' 5', '5 ', '+5', '-5', '5.0', '1e2', '0x10', '007', '٣', '5,5', 'five', '1_000']
    return fc.constantFrom(
      ...near,
      String(BigInt(maximum) + 1n),
      '9'.repeat(16),
      '9'.repeat(17),
      '9'.repeat(400),
      ...malformedIntegers,
    )
  }
  if (schema.format === 'date-time') {
    const invalid = [
      '',
      '2026-06-27',
      'yesterday',
      '2026-13-01T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '1750000000',
      '2026-06-27T25:00:00Z',
    ]
    const ambiguous = ['2026-06-27T00:00Z', '2026-06-27t00:00:00z', '2026-06-27T00:00:60Z', '2026-06-27 00:00:00Z']
    return fc.constantFrom(...invalid, ...ambiguous, '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z')
  }
  if (schema.pattern !== undefined) {
    return fc.constantFrom(
      '0m',
      '00030m',
      `${'9'.repeat(1000)}d`,
      '24',
      'h',
      '1w',
      '1.5h',
      '-1h',
      '1H',
      '24h ',
      '',
      '1h\n',
    )
  }
  const { minLength = 0, maxLength = 200 } = schema
  const lengths = [0, minLength - 1, minLength, maxLength - 1, maxLength, maxLength + 1].filter((length) => length >= 0)
  return fc.constantFrom(...lengths.map((length) => 'x'.repeat(length)), ' '.repeat(minLength + 1))
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** Decides whether the document allows a value, independently of the implementation. */
function validityOf(name: string, schema: ParameterSchema, value: string): ParameterSample['validity'] {
  if (schema.enum) return schema.enum.includes(value) ? 'ok' : 'bad'
  if (schema.type === 'integer') return judgeInteger(schema, value)
  if (schema.format === 'date-time') return judgeInstant(value)
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(value)) return 'bad'
  const text = name === 'q' ? value.trim() : value
  if (value.includes('\0')) return 'bad'
  const { minLength = 0, maxLength = Infinity } = schema
  const fits = (length: number, rawLength: number) => length >= minLength && rawLength <= maxLength
  // JSON Schema counts code points, JavaScript counts UTF-16 units.
  const verdicts = [fits(text.length, value.length), fits(codePoints(text), codePoints(value))]
  return verdicts[0] === verdicts[1] ? (verdicts[0] ? 'ok' : 'bad') : 'either'
}

export function codePoints(text: string): number {
  return Array.from(text).length
}

function judgeInteger(
  { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: ParameterSchema,
  text: string,
): ParameterSample['validity'] {
  if (!/^\d+$/.test(text)) return 'bad'
  const value = BigInt(text)
  if (value < BigInt(minimum) || value > BigInt(maximum)) return 'bad'
  return text.length > 16 ? 'either' : 'ok'
}

function judgeInstant(text: string): ParameterSample['validity'] {
  const parsed = Date.parse(text)
  if (!INSTANT.test(text)) return /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/.test(text) ? 'either' : 'bad'
  if (Number.isNaN(parsed)) return text.includes(':60') ? 'either' : 'bad'
  // Catches days that don't exist, such as February 30, which Date moves into March.
  const day = Number(text.slice(8, 10))
  return new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === day ? 'ok' : 'bad'
}
