import { z } from 'zod'
import { readAtOnceAs } from '@brickmark/core/db/database'
import { badRequest } from '../errors.ts'
import { endpoint } from '../endpoint.ts'
import { paidFor } from '../average-cost.ts'
import { exampleRetailRow } from '../schemas/examples.ts'
import { NoParameters, SetNumber, text } from '../schemas/parameters.ts'
import { presentRetailRow, RetailWatchRowShape } from '../schemas/retail-price.ts'

/** GET /retail-prices: by set number, ASIN or barcode; several must mean the same set. */
export const retailPrice = endpoint({
  method: 'GET',
  path: '/retail-prices',
  operationId: 'findRetailPrices',
  tag: 'Retail prices',
  summary: 'Live prices by any identifier',
  description:
    'Give at least one identifier; if several are given they must all mean the same set, otherwise the answer is null. Null also when nothing matches.',
  price: 1,
  params: NoParameters,
  query: z.strictObject({
    set: SetNumber.optional(),
    asin: text('Product identifier at retailer_a.', 64).meta({ example: 'B0ABCD1234' }).optional(),
    upc: text('UPC or EAN; leading zeros may be missing.', 64).meta({ example: '036000291452' }).optional(),
  }),
  data: RetailWatchRowShape.nullable(),
  example: exampleRetailRow,
  async handle({ catalog, db }, { query, accountId }) {
    const candidates = [
      ...(query.set === undefined ? [] : [catalog.set(query.set)]),
      ...(query.asin === undefined ? [] : [catalog.setByAsin(query.asin)]),
      ...(query.upc === undefined ? [] : [catalog.setByBarcode(query.upc)]),
    ]
    if (candidates.length === 0) badRequest('Give one of the parameters `set`, `asin` or `upc`.')
    const [set] = candidates
    if (!set || candidates.some((other) => other !== set)) return null
    const paid = await readAtOnceAs(db, accountId, (as) => paidFor(as, accountId, set.set_number))
    return presentRetailRow(set, paid)
  },
})
