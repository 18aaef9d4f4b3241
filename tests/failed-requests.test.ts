import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REPOSITORY } from './support/paths.ts'
import { faults, type Fault } from './sdk-faults/server.ts'

/**
 * The API reference, the errors page and the SDKs (by the fault suite that both pass) say the same about every failed
 * request: whether it is retried, and whether it was charged.
 */

type Story = { retry: string; charged: string }
type ErrorResponse = { description: string; headers: object; content: { 'application/json': { examples: object } } }

const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8')
const openapi = JSON.parse(read('apps/api/openapi.json')) as {
  components: { responses: Record<string, ErrorResponse> }
}
const statuses = Object.keys(openapi.components.responses).map((name) => name.replace('Error', ''))

function reference(): Record<string, Story> {
  return Object.fromEntries(
    statuses.map((status) => {
      const { description } = openapi.components.responses[`Error${status}`]!
      const retry = description.includes('after `Retry-After`')
        ? 'after Retry-After'
        : description.includes('Can be retried')
          ? 'yes'
          : 'no'
      const charged = description.includes('unless `X-Charged`')
        ? 'X-Charged'
        : description.includes('Free.')
          ? 'no'
          : 'yes'
      return [status, { retry, charged }]
    }),
  )
}

/** The rows of the table on the errors page; those without a status by what happened. */
function errorsPage(): Record<string, Story> {
  const rows = read('apps/docs/src/content/docs/errors.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (Status|---)/.test(line))
    .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| ?| ?\|$/g, '').trim()))
  return Object.fromEntries(
    rows.map(([status, _code, event = '', retry = '', credits = '']) => [
      status || event,
      {
        retry: retry.toLowerCase().replaceAll('`', '').replace('retry-after', 'Retry-After'),
        charged: credits.includes('X-Charged')
          ? 'X-Charged'
          : credits === '0'
            ? 'no'
            : credits.startsWith('As')
              ? 'yes'
              : 'maybe',
      },
    ]),
  )
}

/** What the SDKs do in a case of the fault suite that ends with an error. */
function outcome({ expect: { requests, attempts = requests, error }, responses }: Fault): Story {
  const waits = responses.at(-1)?.headers?.['retry-after'] !== undefined
  const retry = attempts === 1 ? 'no' : waits ? 'after Retry-After' : 'yes'
  return { retry, charged: error!.maybeCharged ? 'maybe' : 'no' }
}

const failing = faults.filter(({ expect: { error }, options }) => error && options?.maxRetries === undefined)
const byDefault = failing.filter(({ options }) => options?.retryMaybeCharged !== false)

/** Cases in which the API itself responds with this status, and only that. A wait that is too long ends the retries. */
function casesOf(status: string): Fault[] {
  return byDefault.filter(({ responses: [first, ...others], expect: { error } }) => {
    const isTooLong = status === '429' && (error?.retryAfter ?? Infinity) > 60
    return first?.code !== undefined && first.status === Number(status) && others.length === 0 && !isTooLong
  })
}

test('the reference and the errors page agree about every status', () => {
  expect(statuses).toEqual(['400', '401', '403', '404', '429', '500', '503'])
  expect(errorsPage()).toMatchObject(reference())
})

test.each(statuses)('%s: the SDKs do what the reference says', (status) => {
  const { retry } = reference()[status]!
  const outcomes = casesOf(status).map(outcome)
  expect(outcomes.length).toBeGreaterThan(0)
  // A 404 is charged as an answer, not as a failure; and X-Charged has cases of its own.
  for (const found of outcomes) expect(found).toEqual({ retry, charged: 'no' })
})

test.each<[row: string, cases: (fault: Fault) => boolean]>([
  ['Other 5xx', ({ responses: [first] }) => first?.html !== undefined && first.status! >= 500],
  ["The connection couldn't be opened.", ({ unreachable }) => unreachable === true],
  [
    'There was no complete response: a timeout, or the connection was lost.',
    ({ responses: [first, ...others] }) =>
      others.length === 0 && Boolean(first?.hang ?? first?.stall ?? first?.reset ?? first?.close ?? first?.breakOff),
  ],
])('%s: the SDKs do what the errors page says', (row, cases) => {
  const outcomes = byDefault.filter(cases).map(outcome)
  expect(outcomes.length).toBeGreaterThan(0)
  for (const found of outcomes) expect(found).toEqual(errorsPage()[row])
})

test('the option prevents exactly the retries of what may have been charged', () => {
  const prevented = failing.filter(({ options }) => options?.retryMaybeCharged === false)
  expect(prevented.length).toBeGreaterThan(5)
  for (const {
    name,
    expect: { requests, attempts = requests, error },
  } of prevented)
    expect(attempts, name).toBe(error!.maybeCharged ? 1 : 3)
})

test('503 declares X-Charged, which the API sends if a request may have been charged', () => {
  expect(openapi.components.responses['Error503']!.headers).toHaveProperty('X-Charged')
})
