import type pg from 'pg'
import { unpackIntegers } from '../primitives/int32.ts'
import type { KeyIdentity } from './api-key.ts'

/** Equal calls of one key that one statement charges together. */
export type ChargeGroup = { key: KeyIdentity; price: number; calls: number }

/** What the database decided about a group: how many of its calls are granted, and where the day stands after them. */
export type ChargeResult = {
  verdict: 'open' | 'exhausted' | 'no_plan' | 'invalid_key'
  granted: number
  used: number
  limit: number
  askedAt: Date
  resetsAt: Date
  /** The same as text, which every answer shows: written once for all of a statement. */
  reset: string
}

const VERDICTS = ['open', 'exhausted', 'no_plan', 'invalid_key'] as const

/** One row for all groups, four integers each, packed: taking rows and arrays apart value by value cost more than the rest. */
const CHARGE = {
  name: 'charge',
  text: `
    select asked_at, resets_at, string_agg(
             int4send(array_position(array['open', 'exhausted', 'no_plan', 'invalid_key'], verdict) - 1)
             || int4send(granted) || int4send(used) || int4send(coalesce(daily_limit, 0)), ''::bytea order by place) as packed
      from account.charge($1, $2, $3, $4)
     group by asked_at, resets_at`,
}

/** Charges every group in one statement, all of it committed when this returns. A key must not appear twice. */
export async function charge(client: pg.ClientBase, groups: ChargeGroup[]): Promise<ChargeResult[]> {
  const { rows } = await client.query<{ asked_at: Date; resets_at: Date; packed: Buffer }>({
    ...CHARGE,
    values: [
      arrayText(groups, (group) => group.key.accountId),
      arrayText(groups, (group) => group.key.keyId),
      arrayText(groups, (group) => group.price),
      arrayText(groups, (group) => group.calls),
    ],
  })
  const { asked_at: askedAt, resets_at: resetsAt, packed } = rows[0]!
  const reset = resetsAt.toISOString()
  const integers = unpackIntegers(packed)
  if (integers.length !== groups.length * 4) throw new Error('not every group came back from the charge')
  return groups.map((_, place) => {
    const at = place * 4
    return {
      verdict: VERDICTS[integers[at]!]!,
      granted: integers[at + 1]!,
      used: integers[at + 2]!,
      limit: integers[at + 3]!,
      askedAt,
      resetsAt,
      reset,
    }
  })
}

function arrayText(groups: ChargeGroup[], numberOf: (group: ChargeGroup) => number): string {
  return `{${groups.map(numberOf).join(',')}}`
}
