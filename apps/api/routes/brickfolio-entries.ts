import { z } from 'zod'
import { readAtOnceAs } from '@brickmark/core/db/database'
import { ownsBrickfolio } from '@brickmark/core/portfolio/collection-queries'
import { findHoldings } from '@brickmark/core/portfolio/lot-queries'
import { notFound } from '../errors.ts'
import { endpoint } from '../endpoint.ts'
import { exampleHolding } from '../schemas/examples.ts'
import { HoldingShape, presentHolding } from '../schemas/holding.ts'
import { PaginationShape, presentPagination } from '../schemas/pagination.ts'
import { NoParameters, paging, wholeNumber } from '../schemas/parameters.ts'

const Query = z.strictObject({
  brickfolio_id: wholeNumber({
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Only this collection.',
    example: 7,
  }).optional(),
  ...paging,
})

/** GET /brickfolio/entries: valued holdings, 250 for one unit; a foreign collection does not exist. */
export const brickfolioEntries = endpoint({
  method: 'GET',
  path: '/brickfolio/entries',
  operationId: 'listEntries',
  tag: 'Portfolio',
  summary: 'Your holdings, valued',
  description: 'Up to 250 holdings with their current value for one unit: the cheapest way to value a collection.',
  price: 1,
  params: NoParameters,
  query: Query,
  data: z
    .strictObject({
      entries: z.array(HoldingShape).meta({ description: 'By collection, then in the order they were recorded.' }),
      pagination: PaginationShape,
    })
    .meta({ id: 'EntriesData', description: 'One page of holdings.' }),
  mayBeMissing: true,
  example: { entries: [exampleHolding], pagination: { total: 1, limit: 50, offset: 0, has_more: false } },
  async handle({ catalog, db }, { query, accountId }) {
    const { brickfolio_id: brickfolioId, limit, offset } = query
    const [owned, { holdings, total }] = await readAtOnceAs(db, accountId, (as) =>
      Promise.all([
        brickfolioId === undefined || ownsBrickfolio(as, accountId, brickfolioId),
        findHoldings(as, accountId, { brickfolioId, limit, offset }),
      ]),
    )
    if (!owned) notFound(`You have no collection ${brickfolioId}. \`GET /brickfolio\` lists yours.`)
    return {
      entries: holdings.map((lot) => presentHolding(lot, catalog)),
      pagination: presentPagination(total, query),
    }
  },
})
