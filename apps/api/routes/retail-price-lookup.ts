import { z } from 'zod'
import { readBatchAs } from '@brickmark/core/db/database'
import { badRequest } from '../errors.ts'
import { defineEndpoint } from '../endpoint.ts'
import { findAverageCosts } from '@brickmark/core/portfolio/portfolio-queries'
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
  summary: 'Live prices by any identifier',
  description:
    'Give at least one identifier; if several are given they must all mean the same set, otherwise the answer is null. Null also when nothing matches.',
  cost: 1,
  params: EmptyParams,
  query: z.strictObject({
    set: SetNumber.optional(),
    asin: stringParam('Product identifier at retailer_a.', 64).meta({ example: 'B0ABCD1234' }).optional(),
    upc: stringParam('UPC or EAN; leading zeros may be missing.', 64).meta({ example: '036000291452' }).optional(),
  }),
  data: RetailWatchRowSchema.nullable(),
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
    const paid = await readBatchAs(db, accountId, (tx) => findAverageCosts(tx, accountId, set.set_number))
    return serializeRetailRow(set, paid.get(set.set_number))
  },
})
