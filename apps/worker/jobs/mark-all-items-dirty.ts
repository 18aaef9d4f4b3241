import { markAllItemsDirty } from '@brickmark/core/market/dirty-item-commands'
import type { Job } from './job.ts'

/** Recomputes every value once per day: values also change with time. */
export const markAllItemsDirtyJob: Job = {
  name: 'mark-all-items-dirty',
  cron: '10 2 * * *',
  run: async ({ db }) => ({ marked: await markAllItemsDirty(db) }),
}
