import { sql } from 'kysely'
import type { MarketContext } from '@brickmark/core/db/context'
import { markAllItemsDirty } from '@brickmark/core/market/dirty-item-commands'
import { finalizeDueMonths } from '@brickmark/core/market/month-finalization-commands'
import type { Connector } from '@brickmark/core/source/connectors/retail-source'
import { runRetailPoll } from '@brickmark/core/source/retail-poll-commands'

export type Job = { name: string; cron: string; run: (engine: MarketContext) => Promise<object> }

/** Scheduled jobs. All are idempotent and catch up after missed runs. */
export const SCHEDULED_JOBS: Job[] = [
  {
    name: 'keep-partitions',
    cron: '5 0 * * *',
    async run({ db }) {
      const { rows } = await sql<{ quota: number; source: number }>`
        select account.keep_partitions() as quota, source.keep_partitions() as source`.execute(db)
      return rows[0] ?? {}
    },
  },
  { name: 'finalize-months', cron: '30 0 * * *', run: finalizeDueMonths },
  {
    name: 'mark-all-items',
    cron: '10 2 * * *',
    async run({ db }) {
      return { marked: await markAllItemsDirty(db) }
    },
  },
]

/** Polls all products of a retailer every 15 minutes; a run isn't started while the previous one is still running. */
export function createPollJob(connector: Connector, signal: AbortSignal): Job {
  return {
    name: `poll-${connector.source.sourceId}`,
    cron: '*/15 * * * *',
    run: (engine) => runRetailPoll(engine, connector, signal),
  }
}
