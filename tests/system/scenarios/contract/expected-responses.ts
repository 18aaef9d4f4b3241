import { findDifference } from './diff.ts'
import type { AccountOracle } from './account-oracle.ts'
import { referenceSearch } from './search-oracle.ts'
import type { Json, Oracle } from './oracle.ts'

/** The expected response to a valid request: 404, or data in which `check` finds no difference. */
export type ExpectedResponse = { status: 200 | 404; check?: (data: unknown) => string[] }

type Args = Record<string, string>
type Expected = { oracle: Oracle; accountOracle: AccountOracle }

const MISSING_RESPONSE: ExpectedResponse = { status: 404 }

/** Computes the expected response of each GET operation for valid parameters, by path. */
export const EXPECTED_RESPONSES: Record<string, (expected: Expected, args: Args) => ExpectedResponse> = {
  '/set/{number}': ({ oracle }, { number = '' }) => found(findSet(oracle, number)),
  '/minifig/{number}': ({ oracle }, { number = '' }) => {
    const minifig = findMinifig(oracle, number)
    return minifig ? { status: 200, check: (data) => minifigDifference(data, minifig) } : MISSING_RESPONSE
  },
  '/catalog/sets/search': ({ oracle }, args) => expectedSearch(oracle.setSearch, 'set_number', 'title', args),
  '/catalog/minifigs/search': ({ oracle }, args) =>
    expectedSearch(oracle.minifigSearch, 'minifig_number', 'name', args),
  '/catalog/themes': ({ oracle }) => found({ themes: oracle.themes }),
  '/set/{number}/history': ({ oracle }, { number = '', condition = 'sealed' }) => {
    const set = findSet(oracle, number)
    if (!set) return MISSING_RESPONSE
    const set_number = String(set['set_number'])
    return found({ set_number, condition, history: oracle.history.get(`${condition} ${set_number}`) ?? [] })
  },
  '/set/{number}/retail-prices': (oracle, { number = '' }) => found(retailRow(oracle, findSet(oracle.oracle, number))),
  '/retail-prices': (oracle, args) => found(retailRow(oracle, sameSet(oracle.oracle, args))),
  '/brickfolio/retail-watch': (oracle, args) => ({ status: 200, check: (data) => watchDifference(oracle, args, data) }),
  '/brickfolio': ({ accountOracle }) =>
    found({ brickfolios: accountOracle.brickfolios, monthly_periods: accountOracle.monthlyPeriods }),
  '/brickfolio/analytics': ({ accountOracle }, { period = '1y' }) => ({
    status: 200,
    check: (data) => analyticsDifference(accountOracle, period, data),
  }),
  '/brickfolio/entries': ({ accountOracle }, args) => {
    const id = args['brickfolio_id']
    if (id === undefined) return expectedPage('entries', accountOracle.entries, args)
    if (!accountOracle.brickfolios.some((brickfolio) => brickfolio['id'] === Number(id))) return MISSING_RESPONSE
    return expectedPage(
      'entries',
      accountOracle.entries.filter((entry) => entry['brickfolio_id'] === Number(id)),
      args,
    )
  },
  '/salesledger': ({ accountOracle }, args) => expectedPage('sales', accountOracle.sales, args),
}

function found(expected: unknown): ExpectedResponse {
  return expected === undefined ? MISSING_RESPONSE : { status: 200, check: (data) => findDifference(data, expected) }
}

/** Looks a set up as given, then with `-1` if it has no variant, then without `-1`. */
export function findSet(oracle: Oracle, number: string): Json | undefined {
  const hasVariant = /-\d+$/.test(number)
  return (
    oracle.sets.get(number) ??
    (hasVariant ? undefined : oracle.sets.get(`${number}-1`)) ??
    (number.endsWith('-1') ? oracle.sets.get(number.slice(0, -2)) : undefined)
  )
}

export function findMinifig(oracle: Oracle, number: string): Json | undefined {
  const lowerCase = number.toLowerCase()
  return (
    oracle.minifigs.get(number) ??
    oracle.minifigs.values().find((minifig) => lower(minifig['minifig_number']) === lowerCase)
  )
}

/** Compares minifigs regardless of the order of their sets, which the contract doesn't define. */
function minifigDifference(data: unknown, expected: Json): string[] {
  const sorted = (minifig: Json) => ({ ...minifig, sets: (minifig['sets'] as string[]).toSorted() })
  return findDifference(sorted(data as Json), sorted(expected))
}

function expectedSearch(entries: Json[], numberField: string, nameField: string, args: Args): ExpectedResponse {
  const all = referenceSearch(entries, numberField, nameField, args['q'] ?? '')
  return all ? expectedPage('results', all, args) : { status: 200 }
}

function expectedPage(name: string, all: unknown[], args: Args): ExpectedResponse {
  const limit = Number(args['limit'] ?? 50)
  const offset = Number(args['offset'] ?? 0)
  const pagination = { total: all.length, limit, offset, has_more: offset + limit < all.length }
  return found({ [name]: all.slice(offset, offset + limit), pagination })
}

function retailRow({ oracle, accountOracle }: Expected, set: Json | undefined): Json | null {
  const number = String(set?.['set_number'])
  const row = oracle.retail.get(number)
  const paid = accountOracle.paid.get(number)
  if (!row) return null
  return paid === undefined ? row : { ...row, paid }
}

/** Returns the set that all given identifiers refer to. */
function sameSet(oracle: Oracle, { set, asin, upc }: Args): Json | undefined {
  const matches = [
    ...(set === undefined ? [] : [findSet(oracle, set)?.['set_number'] as string | undefined]),
    ...(asin === undefined ? [] : [oracle.codes.find((code) => code.asin === asin.toUpperCase())?.number]),
    ...(upc === undefined ? [] : [oracle.codes.find((code) => hasCode(code, upc))?.number]),
  ]
  return new Set(matches).size === 1 && matches[0] !== undefined ? oracle.sets.get(matches[0]) : undefined
}

function hasCode({ upc, ean }: { upc: string | null; ean: string | null }, code: string): boolean {
  if (!/^\d{8,13}$/.test(code)) return false
  return [upc, ean].some((own) => own?.padStart(13, '0') === code.padStart(13, '0'))
}

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
/** The API's clock reading and ours differ by the duration of the request. */
const CLOCK_SLACK_MS = 5000

function watchDifference(expected: Expected, args: Args, data: unknown): string[] {
  const rows = Array.from(expected.accountOracle.paid.keys(), (number) =>
    retailRow(expected, expected.oracle.sets.get(number)),
  ).filter((row) => row !== null)
  const matching = rows.filter((row) => matchesCodes(row, args)).toSorted((a, b) => byNumber(a, b))
  const mustInclude = matching.filter((row) => changedLater(row, args, CLOCK_SLACK_MS))
  const mayInclude = new Set(matching.filter((row) => changedLater(row, args, -CLOCK_SLACK_MS)).map(numberOf))
  const shown = new Set((data as Json[]).map(numberOf))
  const omitted = mustInclude.find((row) => !shown.has(numberOf(row)))
  if (omitted) return [`row ${numberOf(omitted)} is missing`]
  const extra = [...shown].find((number) => !mayInclude.has(number))
  if (extra !== undefined) return [`row ${extra} is unexpected`]
  return findDifference(
    data,
    matching.filter((row) => shown.has(numberOf(row))),
  )
}

function matchesCodes(row: Json, { asin, upc }: Args): boolean {
  const list = (text: string) => text.split(',').map((item) => item.trim())
  const codes = row as { asin: string; upc: string; ean: string | null }
  if (asin !== undefined && !list(asin).some((code) => code.toUpperCase() === codes.asin)) return false
  return upc === undefined || list(upc).some((code) => hasCode(codes, code))
}

function changedLater(row: Json, { changed_within, since }: Args, slack: number): boolean {
  if (changed_within === undefined && since === undefined) return true
  const window = changed_within && Number(changed_within.slice(0, -1)) * UNIT_MS[changed_within.slice(-1)]!
  const cutoff = Math.max(
    window === undefined ? -Infinity : Math.max(0, Date.now() - Number(window) + slack),
    // A leap second counts as the last moment of its minute.
    since === undefined ? -Infinity : Date.parse(since.replace(/:60(?=Z$)/i, ':59.999')),
  )
  return ['retailer_a', 'retailer_b'].some((retailer) => {
    const { changedAt } = row[retailer] as { changedAt: string | null }
    return changedAt !== null && Date.parse(changedAt) >= cutoff
  })
}

const POINTS: Record<string, number> = { '30d': 31, '90d': 91, '1y': 54 }

function analyticsDifference(accountOracle: AccountOracle, period: string, data: unknown): string[] {
  const analytics = data as { period: string; summary: Json; value_history: Json[] }
  const { top_gainer: _gainer, top_loser: _loser, ...summary } = analytics.summary
  const last = analytics.value_history.at(-1)
  const now = {
    value: accountOracle.summary['total_current_value_usd'],
    cost: accountOracle.summary['total_cost_basis_usd'],
  }
  return [
    ...findDifference(analytics.period, period, 'data.period'),
    ...findDifference(summary, accountOracle.summary, 'data.summary'),
    ...findDifference(analytics.value_history.length, POINTS[period], 'points of value_history'),
    ...findDifference(
      { value: last?.['total_value_usd'], cost: last?.['cost_basis_usd'] },
      now,
      'last point of value_history',
    ),
  ]
}

const natural = new Intl.Collator('en', { numeric: true })

function byNumber(a: Json, b: Json): number {
  return natural.compare(numberOf(a), numberOf(b))
}

function numberOf(row: Json): string {
  return String(row['setNumber'])
}

function lower(value: unknown): string {
  return String(value).toLowerCase()
}
