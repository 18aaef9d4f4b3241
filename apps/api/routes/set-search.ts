import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { exampleSetSearchResult } from '../schemas/examples.ts'
import { PaginationShape, presentPagination } from '../schemas/pagination.ts'
import { NoParameters, paging, SearchTerm } from '../schemas/parameters.ts'
import { SetSearchResultShape, writeSetSearchResult } from '../schemas/set.ts'
import { listOf, Written } from '../schemas/preserialized-json.ts'

/** GET /catalog/sets/search: identity only, no values. */
export const setSearch = endpoint({
  method: 'GET',
  path: '/catalog/sets/search',
  operationId: 'searchSets',
  tag: 'Catalog',
  summary: 'Find sets by number or name',
  description: 'The exact number first, then numbers and names that begin with the query, then the rest. No values.',
  price: 1,
  params: NoParameters,
  query: z.strictObject({ q: SearchTerm, ...paging }),
  data: z
    .strictObject({
      results: z.array(SetSearchResultShape).meta({ description: 'The best match first.' }),
      pagination: PaginationShape,
    })
    .meta({ id: 'SetSearchData', description: 'One page of sets.' }),
  example: { results: [exampleSetSearchResult], pagination: { total: 1, limit: 50, offset: 0, has_more: false } },
  handle({ catalog }, { query, now }) {
    const { items, total } = catalog.searchSets(query.q, query.offset, query.limit)
    const results = items.map((set) => [writeSetSearchResult(set, now)])
    const pagination = JSON.stringify(presentPagination(total, query))
    return new Written('{"results":[', ...listOf(results), `],"pagination":${pagination}}`)
  },
})
