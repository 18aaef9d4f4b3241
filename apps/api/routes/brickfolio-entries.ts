import { z } from 'zod'
import { findHeldLots } from '@brickmark/core/portfolio/held-lot-queries'
import { notFound } from '../errors.ts'
import { defineEndpoint } from '../endpoint.ts'
import { exampleHolding } from '../schemas/examples.ts'
import { HoldingSchema, holdingJson } from '../schemas/holding.ts'
import { PaginationSchema, serializePagination } from '../schemas/pagination.ts'
import { PreserializedJson } from '../schemas/preserialized-json.ts'
import { EmptyParams, paginationParams, integerParam } from '../schemas/parameters.ts'

const Query = z.strictObject({
  brickfolio_id: integerParam({
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Limit to one collection.',
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
  summary: 'List lots',
  description: 'Lists your lots with current values, up to 250 per credit: the cheapest way to value a collection.',
  cost: 1,
  params: EmptyParams,
  query: Query,
  data: z
    .strictObject({
      entries: z.array(HoldingSchema).meta({ description: 'Ordered by collection, then by creation order.' }),
      pagination: PaginationSchema,
    })
    .meta({ id: 'EntriesData', description: 'A page of lots.' }),
  canReturn404: true,
  example: { entries: [exampleHolding], pagination: { total: 1, limit: 50, offset: 0, has_more: false } },
  async handle({ catalog, db }, { query, accountId }) {
    const { brickfolio_id: collectionId, limit, offset } = query
    const page = await findHeldLots(db, accountId, { collectionId, limit, offset })
    if (!page) notFound(`Collection ${collectionId} not found. Use \`GET /brickfolio\` to list your collections.`)
    const entries = page.lots.map((lot) => holdingJson(lot, catalog))
    const pagination = JSON.stringify(serializePagination(page.total, query))
    return new PreserializedJson(`{"entries":[${entries.join(',')}],"pagination":${pagination}}`)
  },
})
