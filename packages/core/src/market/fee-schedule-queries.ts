import type { Database } from '../db/database.ts'
import { PLATFORMS } from './platform.ts'
import type { SellingFeeSchedule } from './selling-fees.ts'

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

/** Every version of what the platforms of sales keep, for presets. */
export async function findSellingFees(db: Database): Promise<SellingFeeSchedule[]> {
  const rows = await db
    .selectFrom('market.fee_schedule')
    .select('schedule')
    .where('platform', 'in', PLATFORMS)
    .orderBy('platform')
    .orderBy('valid_from')
    .execute()
  return rows.map((row) => row.schedule as unknown as SellingFeeSchedule)
}
