import type { AnyEndpoint } from '../endpoint.ts'
import { batch } from './batch.ts'
import { brickfolioAnalytics } from './brickfolio-analytics.ts'
import { brickfolioEntries } from './brickfolio-entries.ts'
import { brickfolioRetailWatch } from './brickfolio-retail-watch.ts'
import { brickfolio } from './brickfolio.ts'
import { minifigSearch } from './minifig-search.ts'
import { minifig } from './minifig.ts'
import { retailPrice } from './retail-price-lookup.ts'
import { salesLedger } from './sales-ledger.ts'
import { setHistory } from './set-history.ts'
import { setRetailPrice } from './set-retail-price.ts'
import { setSearch } from './set-search.ts'
import { set } from './set.ts'
import { themes } from './themes.ts'

export const V1_PREFIX = '/api/v1'

/** Every endpoint under /api/v1, in the order of the contract. */
export const routes: AnyEndpoint[] = [
  set,
  minifig,
  setSearch,
  minifigSearch,
  themes,
  batch,
  setHistory,
  setRetailPrice,
  retailPrice,
  brickfolioRetailWatch,
  brickfolio,
  brickfolioAnalytics,
  brickfolioEntries,
  salesLedger,
]
