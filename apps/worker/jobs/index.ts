import { sql } from 'kysely'
import type { MarketContext } from '@brickmark/core/db/context'
import { markAllItemsDirty } from '@brickmark/core/market/dirty-item-commands'
import { finalizeDueMonths } from '@brickmark/core/market/month-finalization-commands'
import type { Connector } from '@brickmark/core/source/connectors/retail-source'
import { runRetailPoll } from '@brickmark/core/source/retail-poll-commands'

export type Job = { name: string; cron: string; run: (engine: MarketContext) => Promise<object> }

/** What happens on a schedule. Each may run at any time, again and after a missed night: it does what is left to do. */
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

/** One round over the products of a retailer, every quarter of an hour; a round that takes longer is not begun twice. */
export function createPollJob(connector: Connector, signal: AbortSignal): Job {
  return {
    name: `poll-${connector.source.sourceId}`,
    cron: '*/15 * * * *',
    run: (engine) => runRetailPoll(engine, connector, signal),
  }
}
