import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { exampleMinifigSearchResult } from '../schemas/examples.ts'
import { MinifigSearchResultShape, presentMinifigSearchResult } from '../schemas/minifig.ts'
import { PaginationShape, presentPagination } from '../schemas/pagination.ts'
import { NoParameters, paging, SearchTerm } from '../schemas/parameters.ts'

/** GET /catalog/minifigs/search: identity only, no values. */
export const minifigSearch = endpoint({
  method: 'GET',
  path: '/catalog/minifigs/search',
  operationId: 'searchMinifigs',
  tag: 'Catalog',
  summary: 'Find minifigs by number or name',
  description: 'The exact number first, then numbers and names that begin with the query, then the rest. No values.',
  price: 1,
  params: NoParameters,
  query: z.strictObject({ q: SearchTerm, ...paging }),
  data: z
    .strictObject({
      results: z.array(MinifigSearchResultShape).meta({ description: 'The best match first.' }),
      pagination: PaginationShape,
    })
    .meta({ id: 'MinifigSearchData', description: 'One page of minifigs.' }),
  example: { results: [exampleMinifigSearchResult], pagination: { total: 1, limit: 50, offset: 0, has_more: false } },
  handle({ catalog }, { query }) {
    const { items, total } = catalog.searchMinifigs(query.q, query.offset, query.limit)
    return { results: items.map(presentMinifigSearchResult), pagination: presentPagination(total, query) }
  },
})
