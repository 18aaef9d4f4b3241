import type { Database } from '../../db/database.ts'
import { PLATFORMS } from './platform.ts'
import type { SellingFeeSchedule } from './selling-fees.ts'

/** Returns every version of a platform's fees, oldest first. */
export async function findFeeSchedules(db: Database, platform: string): Promise<unknown[]> {
  const rows = await db
    .selectFrom('market.fee_schedule')
    .select('schedule')
    .where('platform', '=', platform)
    .orderBy('valid_from')
    .execute()
  return rows.map((row) => row.schedule)
}

/** Returns every version of the selling fees of all sales platforms, used to prefill fees. */
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
