import type pg from 'pg'
import type { KeyIdentity } from './identify.ts'

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
}

/** Charges every group in one statement, all of it committed when this returns. A key must not appear twice. */
export async function charge(client: pg.ClientBase, groups: ChargeGroup[]): Promise<ChargeResult[]> {
  const { rows } = await client.query<ChargeRow>({
    name: 'charge',
    text: 'select * from account.charge($1, $2, $3, $4)',
    values: [
      groups.map((group) => group.key.accountId),
      groups.map((group) => group.key.keyId),
      groups.map((group) => group.price),
      groups.map((group) => group.calls),
    ],
  })
  const results: ChargeResult[] = []
  for (const row of rows) {
    results[row.place - 1] = {
      verdict: row.verdict,
      granted: row.granted,
      used: row.used,
      limit: row.daily_limit,
      askedAt: row.asked_at,
      resetsAt: row.resets_at,
    }
  }
  return results
}

type ChargeRow = {
  place: number
  verdict: ChargeResult['verdict']
  granted: number
  used: number
  daily_limit: number
  asked_at: Date
  resets_at: Date
}
