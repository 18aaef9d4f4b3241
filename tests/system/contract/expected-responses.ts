import { findDifference } from './diff.ts'
import type { AccountOracle } from './account-oracle.ts'
import { referenceSearch } from './search-oracle.ts'
import type { Json, Oracle } from './oracle.ts'

/** The expected response to a valid request: 404, or data in which `check` finds no difference. */
export type ExpectedResponse = { status: 200 | 404; check?: (data: unknown) => string[] }

type Args = Record<string, string>
type Expected = { truth: Oracle; own: AccountOracle }

const MISSING: ExpectedResponse = { status: 404 }

/** Computes the expected response of each GET operation for valid parameters, by path. */
export const EXPECTED_RESPONSES: Record<string, (oracle: Expected, args: Args) => ExpectedResponse> = {
  '/set/{number}': ({ truth }, { number = '' }) => found(findSet(truth, number)),
  '/minifig/{number}': ({ truth }, { number = '' }) => {
    const minifig = findMinifig(truth, number)
    return minifig ? { status: 200, check: (data) => minifigDifference(data, minifig) } : MISSING
  },
  '/catalog/sets/search': ({ truth }, args) => expectedSearch(truth.setSearch, 'set_number', 'title', args),
  '/catalog/minifigs/search': ({ truth }, args) => expectedSearch(truth.minifigSearch, 'minifig_number', 'name', args),
  '/catalog/themes': ({ truth }) => found({ themes: truth.themes }),
  '/set/{number}/history': ({ truth }, { number = '', condition = 'sealed' }) => {
    const set = findSet(truth, number)
    if (!set) return MISSING
    const set_number = String(set['set_number'])
    return found({ set_number, condition, history: truth.history.get(`${condition} ${set_number}`) ?? [] })
  },
  '/set/{number}/retail-prices': (oracle, { number = '' }) => found(retailRow(oracle, findSet(oracle.truth, number))),
  '/retail-prices': (oracle, args) => found(retailRow(oracle, sameSet(oracle.truth, args))),
  '/brickfolio/retail-watch': (oracle, args) => ({ status: 200, check: (data) => watchDifference(oracle, args, data) }),
  '/brickfolio': ({ own }) => found({ brickfolios: own.brickfolios, monthly_periods: own.monthlyPeriods }),
  '/brickfolio/analytics': ({ own }, { period = '1y' }) => ({
    status: 200,
    check: (data) => analyticsDifference(own, period, data),
  }),
  '/brickfolio/entries': ({ own }, args) => {
    const id = args['brickfolio_id']
    if (id === undefined) return expectedPage('entries', own.entries, args)
    if (!own.brickfolios.some((brickfolio) => brickfolio['id'] === Number(id))) return MISSING
    return expectedPage(
      'entries',
      own.entries.filter((entry) => entry['brickfolio_id'] === Number(id)),
      args,
    )
  },
  '/salesledger': ({ own }, args) => expectedPage('sales', own.sales, args),
}

function found(expected: unknown): ExpectedResponse {
  return expected === undefined ? MISSING : { status: 200, check: (data) => findDifference(data, expected) }
}

/** Looks a set up as given, then with `-1` if it has no variant, then without `-1`. */
export function findSet(truth: Oracle, number: string): Json | undefined {
  const hasVariant = /-\d+$/.test(number)
  return (
    truth.sets.get(number) ??
    (hasVariant ? undefined : truth.sets.get(`${number}-1`)) ??
    (number.endsWith('-1') ? truth.sets.get(number.slice(0, -2)) : undefined)
  )
}

export function findMinifig(truth: Oracle, number: string): Json | undefined {
  const lowerCase = number.toLowerCase()
  return (
    truth.minifigs.get(number) ??
    truth.minifigs.values().find((minifig) => lower(minifig['minifig_number']) === lowerCase)
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

function retailRow({ truth, own }: Expected, set: Json | undefined): Json | null {
  const number = String(set?.['set_number'])
  const row = truth.retail.get(number)
  const paid = own.paid.get(number)
  if (!row) return null
  return paid === undefined ? row : { ...row, paid }
}

/** Returns the set that all given identifiers refer to. */
function sameSet(truth: Oracle, { set, asin, upc }: Args): Json | undefined {
  const matches = [
    ...(set === undefined ? [] : [findSet(truth, set)?.['set_number'] as string | undefined]),
    ...(asin === undefined ? [] : [truth.codes.find((code) => code.asin === asin.toUpperCase())?.number]),
    ...(upc === undefined ? [] : [truth.codes.find((code) => hasCode(code, upc))?.number]),
  ]
  return new Set(matches).size === 1 && matches[0] !== undefined ? truth.sets.get(matches[0]) : undefined
}

function hasCode({ upc, ean }: { upc: string | null; ean: string | null }, code: string): boolean {
  if (!/^\d{8,13}$/.test(code)) return false
  return [upc, ean].some((own) => own?.padStart(13, '0') === code.padStart(13, '0'))
}

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
/** The API's clock reading and ours differ by the duration of the request. */
const CLOCK_SLACK_MS = 5000

function watchDifference(oracle: Expected, args: Args, data: unknown): string[] {
  const rows = Array.from(oracle.own.paid.keys(), (number) => retailRow(oracle, oracle.truth.sets.get(number))).filter(
    (row) => row !== null,
  )
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

function analyticsDifference(own: AccountOracle, period: string, data: unknown): string[] {
  const analytics = data as { period: string; summary: Json; value_history: Json[] }
  const { top_gainer: _gainer, top_loser: _loser, ...summary } = analytics.summary
  const last = analytics.value_history.at(-1)
  const now = { value: own.summary['total_current_value_usd'], cost: own.summary['total_cost_basis_usd'] }
  return [
    ...findDifference(analytics.period, period, 'data.period'),
    ...findDifference(summary, own.summary, 'data.summary'),
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
