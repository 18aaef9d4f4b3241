import type { Database } from '../database.ts'

/** Every version of a platform's fees, the oldest first. */
export async function findFeeSchedules(db: Database, platform: string): Promise<unknown[]> {
  const rows = await db
    .selectFrom('market.fee_schedule')
    .select('schedule')
    .where('platform', '=', platform)
    .orderBy('valid_from')
    .execute()
  return rows.map((row) => row.schedule)
}
