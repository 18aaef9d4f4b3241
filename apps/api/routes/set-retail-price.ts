import { readAtOnceAs } from '@brickmark/core/db/database'
import { endpoint } from '../endpoint.ts'
import { paidFor } from '../average-cost.ts'
import { exampleRetailRow } from '../schemas/examples.ts'
import { NoParameters, SetNumberPath } from '../schemas/parameters.ts'
import { presentRetailRow, RetailWatchRowShape } from '../schemas/retail-price.ts'

/** GET /set/{number}/retail-prices: null, not 404, when no retailer row exists. */
export const setRetailPrice = endpoint({
  method: 'GET',
  path: '/set/{number}/retail-prices',
  operationId: 'getSetRetailPrices',
  tag: 'Retail prices',
  summary: 'Live prices of a set',
  description:
    'The prices at both retailers, or null when no retailer row exists. `paid` is there when you hold the set.',
  price: 1,
  params: SetNumberPath,
  query: NoParameters,
  data: RetailWatchRowShape.nullable(),
  example: exampleRetailRow,
  async handle({ catalog, db }, { params, accountId }) {
    const set = catalog.set(params.number)
    if (!set) return null
    const paid = await readAtOnceAs(db, accountId, (as) => paidFor(as, accountId, set.set_number))
    return presentRetailRow(set, paid)
  },
})
