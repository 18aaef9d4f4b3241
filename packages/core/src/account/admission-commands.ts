import type pg from 'pg'
import { toJsonb } from '../primitives/jsonb.ts'
import { decodeInt32s } from '../primitives/packed.ts'
import type { KeyIdentity } from './api-key.ts'

/** Requests by one key with equal cost, charged together in one statement. */
export type ChargeRequest = { key: KeyIdentity; cost: number; count: number }

/** Outcome of a charge: how many of its requests are granted, and the key's daily usage after them. */
export type ChargeResult = {
  verdict: 'open' | 'exhausted' | 'no_plan' | 'invalid_key'
  granted: number
  used: number
  limit: number
  chargedAt: Date
  /** End of the UTC day that was charged. */
  resetsAt: Date
  /** `resetsAt` as ISO 8601 text, which every response includes; formatted once per statement. */
  reset: string
  /** Whether another process charged the key at the same time. */
  contended: boolean
}

const VERDICTS = ['open', 'exhausted', 'no_plan', 'invalid_key'] as const

/**
 * Returns one row for all groups, with six packed integers per group: decoding rows and arrays value by value cost
 * more than the rest of the charge.
 */
const CHARGE_QUERY = {
  name: 'charge',
  text: `
    select charged_at, string_agg(
             int4send(array_position(array['open', 'exhausted', 'no_plan', 'invalid_key'], verdict) - 1)
             || int4send(granted) || int4send(used) || int4send(coalesce(daily_limit, 0))
             || int4send(day - date '1970-01-01') || int4send(contended::integer), ''::bytea order by ordinal) as packed
      from account.charge($1, $2, $3, $4)
     group by charged_at`,
}

/** Charges all groups in one statement, which is committed when this returns. A key must not appear twice. */
export async function charge(client: pg.ClientBase, groups: ChargeRequest[]): Promise<ChargeResult[]> {
  const { rows } = await client.query<{ charged_at: Date; packed: Buffer }>({
    ...CHARGE_QUERY,
    values: [
      toPgArray(groups, (group) => group.key.accountId),
      toPgArray(groups, (group) => group.key.keyId),
      toPgArray(groups, (group) => group.cost),
      toPgArray(groups, (group) => group.count),
    ],
  })
  const { charged_at: chargedAt, packed } = rows[0]!
  const integers = decodeInt32s(packed)
  if (integers.length !== groups.length * FIELDS)
    throw new Error('the charge query did not return a result for every group')
  const ends = new Map<number, DayEnd>()
  return groups.map((_, index) => {
    const offset = index * FIELDS
    const day = integers[offset + 4]!
    const end = ends.get(day) ?? dayEnd(day)
    ends.set(day, end)
    return {
      verdict: VERDICTS[integers[offset]!]!,
      granted: integers[offset + 1]!,
      used: integers[offset + 2]!,
      limit: integers[offset + 3]!,
      chargedAt,
      ...end,
      contended: integers[offset + 5] === 1,
    }
  })
}

const FIELDS = 6
const DAY_MS = 86_400_000

type DayEnd = Pick<ChargeResult, 'resetsAt' | 'reset'>

function dayEnd(day: number): DayEnd {
  const resetsAt = new Date((day + 1) * DAY_MS)
  return { resetsAt, reset: resetsAt.toISOString() }
}

function toPgArray(groups: ChargeRequest[], pick: (request: ChargeRequest) => number): string {
  return `{${groups.map(pick).join(',')}}`
}

/** Requests of one key with the same status, and the latest of them. */
export type RequestSummary = {
  account_id: number
  api_key_id: number
  status: number
  requests: number
  /** Requests by path template. */
  endpoints: Record<string, number>
  at: Date
  request_id: string
  request: string
  error_code: string | undefined
  error_message: string | undefined
  client: string | undefined
}

/** Adds to the usage counts, and keeps the latest request of each key. */
export async function recordRequests(pool: pg.Pool, summaries: RequestSummary[]): Promise<void> {
  await pool.query({
    name: 'record_requests',
    text: 'select account.record_requests($1)',
    values: [toJsonb(summaries)],
  })
}
