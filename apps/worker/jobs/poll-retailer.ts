import type { Connector } from '@brickmark/core/source/connectors/retail-source'
import { findWantedSets } from '@brickmark/core/portfolio/wanted-set-queries'
import { runRetailPoll } from '@brickmark/core/source/retail-poll-commands'
import type { Job } from './job.ts'

export const pollJobName = ({ source }: Connector) => `poll-${source.sourceId}`

/** Polls all products of a retailer every 15 minutes. A round that takes longer is not started twice. */
export function pollRetailerJob(connector: Connector, signal: AbortSignal): Job {
  return {
    name: pollJobName(connector),
    cron: '*/15 * * * *',
    run: async (context) => runRetailPoll(context, connector, signal, await findWantedSets(context.db)),
  }
}
