import type { Connector } from '@brickmark/core/source/connectors/retail-source'
import { searchProducts } from '@brickmark/core/source/product-search-commands'
import type { Job } from './job.ts'
import { pollJobName } from './poll-retailer.ts'

export const searchJobName = ({ source }: Connector) => `search-products-${source.sourceId}`

/** Finds the products of sets at a retailer, a third of the time until none is missing. */
export function searchProductsJob(connector: Connector, signal: AbortSignal): Job {
  return {
    name: searchJobName(connector),
    cron: '7,22,37,52 * * * *',
    reads: connector.source.sourceId,
    followedBy: [pollJobName(connector)],
    run: (context) => searchProducts(context, connector, signal),
  }
}
