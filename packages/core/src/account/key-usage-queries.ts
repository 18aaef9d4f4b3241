import { sql } from 'kysely'
import { readAs, type Database } from '../db/database.ts'

/** The credits and requests of a key on one day ('YYYY-MM-DD'). `failed` counts the requests with a status of 400 or above. */
export type KeyUsageDay = { day: string; used: number; requests: number; failed: number; endpoints: [string, number][] }

/**
 * Returns the daily limit of a key and its usage since `firstDay`, oldest first. Today is always included; other days
 * without usage are omitted.
 */
export async function findKeyUsage(
  db: Database,
  accountId: number,
  keyId: number,
  firstDay: string,
): Promise<{ limit: number; days: KeyUsageDay[] }> {
  const { rows } = await readAs(db, accountId, (transaction) =>
    sql<{
      day: string
      used: number
      daily_limit: number
      endpoints: Record<string, number>[]
      requests: number
      failed: number
    }>`select * from account.read_key_usage(${keyId}, ${firstDay}::date)`.execute(transaction),
  )
  return {
    limit: rows[0]!.daily_limit,
    days: rows.map(({ day, used, requests, failed, endpoints }) => ({
      day,
      used,
      requests,
      failed,
      endpoints: sumCounts(endpoints),
    })),
  }
}

/** Adds up counts by name, the largest first. */
function sumCounts(counts: Record<string, number>[]): [string, number][] {
  const sums = new Map<string, number>()
  for (const [name, count] of counts.flatMap((one) => Object.entries(one)))
    sums.set(name, (sums.get(name) ?? 0) + count)
  return [...sums].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
}
