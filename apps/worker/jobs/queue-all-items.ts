import { queueAllItems } from '@brickmark/core/market/values/valuation-queue-commands'
import type { Job } from './job.ts'

/** Recomputes every value once per day: values also change with time. */
export const queueAllItemsJob: Job = {
  name: 'queue-all-items',
  cron: '10 2 * * *',
  run: async ({ db }) => ({ marked: await queueAllItems(db) }),
}
