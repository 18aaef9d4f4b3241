import { dayOf } from '@brickmark/core/primitives/calendar'
import { inventCatalog } from './catalog.ts'
import { inventRetailObservations, inventSaleObservations } from './observations.ts'
import { inventRetail, RETAILERS } from './retail.ts'
import type { DemoMarket } from './types.ts'
import { inventPaths } from './value-path.ts'
import { inventValues } from './values.ts'

export { catalogFeed, retailFeed, salesFeeds } from './feeds.ts'
export { inventPortfolio, type PortfolioName } from './portfolios.ts'
export type { DemoMarket, DemoPortfolio } from './types.ts'
export { writeMarket, writePortfolio } from './insert-market.ts'

/** The whole invented market as of `today`: the same for the same seed and instant, to the last byte. */
export function inventMarket(seed: number, today: Date): DemoMarket {
  const catalog = inventCatalog(seed, today)
  const paths = inventPaths(seed, catalog, dayOf(today))
  const retail = inventRetail(seed, catalog, paths, today)
  return {
    ...catalog,
    ...inventValues(seed, catalog, paths, today),
    ...retail,
    retailers: RETAILERS,
    paths,
    saleObservations: inventSaleObservations(seed, catalog.sets, paths, today),
    retailObservations: inventRetailObservations(seed, retail.retailStates),
  }
}
