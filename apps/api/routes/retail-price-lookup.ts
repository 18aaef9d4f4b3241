import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { findAverageCosts } from '@brickmark/core/portfolio/held-lot-queries'
import { exampleRetailRow } from '../schemas/examples.ts'
import { EmptyParams, SetNumber, stringParam } from '../schemas/parameters.ts'
import { serializeRetailRow, RetailWatchRowSchema } from '../schemas/retail-price.ts'

/** GET /retail-prices: by set number, ASIN or barcode; several identifiers must match the same set. */
export const retailPrice = defineEndpoint({
  method: 'GET',
  path: '/retail-prices',
  operationId: 'findRetailPrices',
  tag: 'Retail prices',
  readsAccountData: true,
  summary: 'Find retail prices',
  description:
    'Looks up live prices by set number, ASIN or barcode. If you pass several identifiers, they must match the same set. Returns null if nothing matches.',
  cost: 1,
  params: EmptyParams,
  query: z
    .strictObject({
      set: SetNumber.optional(),
      asin: stringParam('ASIN (product ID at retailer_a).', 64).meta({ example: 'B0ABCD1234' }).optional(),
      upc: stringParam('UPC or EAN. Leading zeros are optional.', 64).meta({ example: '036000291452' }).optional(),
    })
    .refine((query) => Object.keys(query).length > 0, 'Provide at least one of `set`, `asin` or `upc`.'),
  data: RetailWatchRowSchema.nullable(),
  example: exampleRetailRow,
  async handle({ catalog, db }, { query, accountId }) {
    const candidates = [
      ...(query.set === undefined ? [] : [catalog.set(query.set)]),
      ...(query.asin === undefined ? [] : [catalog.setByAsin(query.asin)]),
      ...(query.upc === undefined ? [] : [catalog.setByBarcode(query.upc)]),
    ]
    const [set] = candidates
    if (!set || candidates.some((other) => other !== set)) return null
    const paid = await findAverageCosts(db, accountId, set.set_number)
    return serializeRetailRow(set, paid.get(set.set_number))
  },
})
