import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** How many of each an account can have. Far above what people need, so that a script can't fill the database. */
const LIMITS = {
  collections: { table: 'portfolio.collection', max: 500 },
  lots: { table: 'portfolio.lot', max: 100_000 },
  sales: { table: 'portfolio.sale', max: 100_000 },
  'watched items': { table: 'portfolio.watched_item', max: 1000 },
  imports: { table: 'portfolio.import', max: 1000 },
} as const

/**
 * Returns a message for the user if the account would exceed a limit, else undefined. Concurrent requests may exceed it
 * by a little.
 */
export async function describeExceededLimit(
  db: Database,
  accountId: number,
  kind: keyof typeof LIMITS,
  adding: number,
): Promise<string | undefined> {
  const { table, max } = LIMITS[kind]
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select from ${sql.table(table)} where account_id = ${accountId} limit ${max}) counted`.execute(db)
  const { count } = rows[0]!
  if (count + adding <= max) return undefined
  const have = count === max ? 'you already have that many' : `you have ${count.toLocaleString('en-US')}`
  return `Accounts can have up to ${max.toLocaleString('en-US')} ${kind}, and ${have}. Contact us if you need more.`
}
