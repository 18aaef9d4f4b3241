import { utcDayOf } from '@brickmark/core/primitives/calendar'
import { generateCatalog } from './catalog.ts'
import { generateRetailObservations, generateSaleObservations } from './observations.ts'
import { generateRetail, RETAILERS } from './retail.ts'
import type { SyntheticMarket } from './types.ts'
import { generateValuePaths } from './value-path.ts'
import { generateValues } from './values.ts'

export { catalogFeed, retailFeed, salesFeeds } from './feeds.ts'
export { generatePortfolio, type PortfolioName } from './portfolios.ts'
export type { SyntheticMarket, SyntheticPortfolio } from './types.ts'
export { insertMarket, insertPortfolio } from './insert-market.ts'

/** Generates the synthetic market as of `today`; deterministic for a given seed and instant. */
export function generateMarket(seed: number, today: Date): SyntheticMarket {
  const catalog = generateCatalog(seed, today)
  const paths = generateValuePaths(seed, catalog, utcDayOf(today))
  const retail = generateRetail(seed, catalog, paths, today)
  return {
    ...catalog,
    ...generateValues(seed, catalog, paths, today),
    ...retail,
    retailers: RETAILERS,
    paths,
    saleObservations: generateSaleObservations(seed, catalog.sets, paths, today),
    retailObservations: generateRetailObservations(seed, retail.retailStates),
  }
}
