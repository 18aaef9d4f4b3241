import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { exampleMinifigSearchResult } from '../schemas/examples.ts'
import { MinifigSearchResultSchema, serializeMinifigSearchResult } from '../schemas/minifig.ts'
import { PaginationSchema, serializePagination } from '../schemas/pagination.ts'
import { EmptyParams, paginationParams, SearchQuery } from '../schemas/parameters.ts'

/** GET /catalog/minifigs/search: identity only, no values. */
export const minifigSearch = defineEndpoint({
  method: 'GET',
  path: '/catalog/minifigs/search',
  operationId: 'searchMinifigs',
  tag: 'Catalog',
  summary: 'Search minifigs',
  description:
    'Searches by number and name. Exact matches come first, then prefix matches, then the rest. Values are not included.',
  cost: 1,
  params: EmptyParams,
  query: z.strictObject({ q: SearchQuery, ...paginationParams }),
  data: z
    .strictObject({
      results: z.array(MinifigSearchResultSchema).meta({ description: 'Best match first.' }),
      pagination: PaginationSchema,
    })
    .meta({ id: 'MinifigSearchData', description: 'A page of minifigs.' }),
  example: { results: [exampleMinifigSearchResult], pagination: { total: 1, limit: 50, offset: 0, has_more: false } },
  handle({ catalog }, { query }) {
    const { items, total } = catalog.searchMinifigs(query.q, query.offset, query.limit)
    return { results: items.map(serializeMinifigSearchResult), pagination: serializePagination(total, query) }
  },
})
