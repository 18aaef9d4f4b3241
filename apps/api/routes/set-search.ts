import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { exampleSetSearchResult } from '../schemas/examples.ts'
import { PaginationSchema, serializePagination } from '../schemas/pagination.ts'
import { EmptyParams, paginationParams, SearchQuery } from '../schemas/parameters.ts'
import { SetSearchResultSchema, setSearchResultJson } from '../schemas/set.ts'
import { joinChunks, PreserializedJson } from '../schemas/preserialized-json.ts'

/** GET /catalog/sets/search: identity only, no values. */
export const setSearch = defineEndpoint({
  method: 'GET',
  path: '/catalog/sets/search',
  operationId: 'searchSets',
  tag: 'Catalog',
  summary: 'Search sets',
  description:
    'Searches by number and name. Exact matches come first, then prefix matches, then the rest. Values are not included.',
  cost: 1,
  params: EmptyParams,
  query: z.strictObject({ q: SearchQuery, ...paginationParams }),
  data: z
    .strictObject({
      results: z.array(SetSearchResultSchema).meta({ description: 'Best match first.' }),
      pagination: PaginationSchema,
    })
    .meta({ id: 'SetSearchData', description: 'A page of sets.' }),
  example: { results: [exampleSetSearchResult], pagination: { total: 1, limit: 50, offset: 0, has_more: false } },
  handle({ catalog }, { query, now }) {
    const { items, total } = catalog.searchSets(query.q, query.offset, query.limit)
    const results = items.map((set) => [setSearchResultJson(set, now)])
    const pagination = JSON.stringify(serializePagination(total, query))
    return new PreserializedJson('{"results":[', ...joinChunks(results), `],"pagination":${pagination}}`)
  },
})
