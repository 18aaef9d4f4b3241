import type { Connector } from '@brickmark/core/source/connectors/retail-source'
import { searchProducts } from '@brickmark/core/source/product-search-commands'
import type { Job } from './job.ts'

/** Finds the products of sets at a retailer, every hour until none is missing. */
export function searchProductsJob(connector: Connector, signal: AbortSignal): Job {
  return {
    name: `search-products-${connector.source.sourceId}`,
    cron: '7 * * * *',
    run: (context) => searchProducts(context, connector, signal),
  }
}
