import { z } from 'zod'
import { readBatchAs } from '@brickmark/core/db/database'
import { ownsBrickfolio } from '@brickmark/core/portfolio/collection-queries'
import { findHoldings } from '@brickmark/core/portfolio/lot-queries'
import { notFound } from '../errors.ts'
import { defineEndpoint } from '../endpoint.ts'
import { exampleHolding } from '../schemas/examples.ts'
import { HoldingSchema, serializeHolding } from '../schemas/holding.ts'
import { PaginationSchema, serializePagination } from '../schemas/pagination.ts'
import { EmptyParams, paginationParams, integerParam } from '../schemas/parameters.ts'

const Query = z.strictObject({
  brickfolio_id: integerParam({
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Only this collection.',
    example: 7,
  }).optional(),
  ...paginationParams,
})

/** GET /brickfolio/entries: valued holdings, up to 250 for one credit; other accounts' collections get a 404. */
export const brickfolioEntries = defineEndpoint({
  method: 'GET',
  path: '/brickfolio/entries',
  operationId: 'listEntries',
  tag: 'Portfolio',
  readsAccountData: true,
  summary: 'Your holdings, valued',
  description: 'Up to 250 holdings with their current value for one unit: the cheapest way to value a collection.',
  cost: 1,
  params: EmptyParams,
  query: Query,
  data: z
    .strictObject({
      entries: z.array(HoldingSchema).meta({ description: 'By collection, then in the order they were recorded.' }),
      pagination: PaginationSchema,
    })
    .meta({ id: 'EntriesData', description: 'One page of holdings.' }),
  canReturn404: true,
  example: { entries: [exampleHolding], pagination: { total: 1, limit: 50, offset: 0, has_more: false } },
  async handle({ catalog, db }, { query, accountId }) {
    const { brickfolio_id: brickfolioId, limit, offset } = query
    const [owned, { holdings, total }] = await readBatchAs(db, accountId, (tx) =>
      Promise.all([
        brickfolioId === undefined || ownsBrickfolio(tx, accountId, brickfolioId),
        findHoldings(tx, accountId, { brickfolioId, limit, offset }),
      ]),
    )
    if (!owned) notFound(`You have no collection ${brickfolioId}. \`GET /brickfolio\` lists yours.`)
    return {
      entries: holdings.map((lot) => serializeHolding(lot, catalog)),
      pagination: serializePagination(total, query),
    }
  },
})
