import { deleteOldAlerts } from '@brickmark/core/alert/alert-commands'
import { deleteOrphans } from '@brickmark/core/account/account-commands'
import { maintainPartitions } from '@brickmark/core/db/partition-commands'
import { deleteOldEvents } from '@brickmark/core/webhook/delivery-commands'
import type { Job } from './job.ts'

/** Creates partitions before it deletes anything: without them, rows pile up in the default partition. */
export const maintainPartitionsJob: Job = {
  name: 'maintain-partitions',
  cron: '5 0 * * *',
  run: async ({ db }) => ({
    ...(await maintainPartitions(db)),
    orphanedAccounts: await deleteOrphans(db),
    oldAlerts: await deleteOldAlerts(db),
    oldWebhookEvents: await deleteOldEvents(db),
  }),
}
