import { defineEndpoint } from '../endpoint.ts'
import { findAverageCosts } from '@brickmark/core/portfolio/held-lot-queries'
import { exampleRetailRow } from '../schemas/examples.ts'
import { EmptyParams, SetNumberParams } from '../schemas/parameters.ts'
import { serializeRetailRow, RetailWatchRowSchema } from '../schemas/retail-price.ts'

/** GET /set/{number}/retail-prices: null, not 404, when no retailer row exists. */
export const setRetailPrice = defineEndpoint({
  method: 'GET',
  path: '/set/{number}/retail-prices',
  operationId: 'getSetRetailPrices',
  tag: 'Retail prices',
  readsAccountData: true,
  summary: 'Get retail prices for a set',
  description:
    "Returns live prices at both retailers, or null if the set isn't tracked. Includes `paid` if you own the set.",
  cost: 1,
  params: SetNumberParams,
  query: EmptyParams,
  data: RetailWatchRowSchema.nullable(),
  example: exampleRetailRow,
  async handle({ catalog, db }, { params, accountId }) {
    const set = catalog.set(params.number)
    if (!set) return null
    const paid = await findAverageCosts(db, accountId, set.set_number)
    return serializeRetailRow(set, paid.get(set.set_number))
  },
})
