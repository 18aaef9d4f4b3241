import type { Database } from '../db/database.ts'

/** Returns all plans, smallest first. */
export function findPlans(db: Database) {
  return db
    .selectFrom('account.plan')
    .select(['plan', 'api_access', 'daily_limit'])
    .orderBy('api_access')
    .orderBy('daily_limit')
    .orderBy('plan')
    .execute()
}
