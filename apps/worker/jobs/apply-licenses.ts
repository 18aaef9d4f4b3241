import { deleteExpiredRetailStates } from '@brickmark/core/market/retail/retail-state-commands'
import { applyTimeLimits } from '@brickmark/core/source/time-limit-commands'
import type { Job } from './job.ts'

/** Hides retail prices that are older than their license allows. */
export const hideExpiredPricesJob: Job = {
  name: 'hide-expired-prices',
  cron: '* * * * *',
  run: async ({ db, now }) => ({ hidden: await deleteExpiredRetailStates(db, now()) }),
}

/** Hides catalog attributes that are older than their license allows, and deletes rows that may not be kept any longer. */
export const applyTimeLimitsJob: Job = {
  name: 'apply-time-limits',
  cron: '20 0 * * *',
  run: ({ pool, now }) => applyTimeLimits(pool, now()),
}
