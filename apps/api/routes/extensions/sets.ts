import { z } from 'zod'
import type { SetRecord } from '@brickmark/core/market/values/set-record'
import { setStatus } from '@brickmark/core/catalog/set-status'
import { formatDay, utcDayOf } from '@brickmark/core/primitives/calendar'
import { defineEndpoint } from '../../endpoint.ts'
import { exampleSetSearchResult } from '../../schemas/examples.ts'
import { PaginationSchema, serializePagination } from '../../schemas/pagination.ts'
import { EmptyParams, integerParam, paginationParams, SearchQuery, stringParam } from '../../schemas/parameters.ts'
import { SetSearchResultSchema, setSearchResultJson } from '../../schemas/set.ts'
import { joinChunks, PreserializedJson } from '../../schemas/preserialized-json.ts'

const yearParam = (description: string, example: number) =>
  integerParam({ min: 1900, max: 2100, description, example }).optional()

/** GET /sets: all sets, or those of a theme, of some years or with a status. */
export const sets = defineEndpoint({
  method: 'GET',
  path: '/sets',
  operationId: 'listSets',
  tag: 'Catalog',
  summary: 'List sets',
  description:
    'Lists sets by theme, year and status, in the order of their numbers; with `q`, the best match first. Values are not included.',
  cost: 1,
  params: EmptyParams,
  query: z.strictObject({
    q: SearchQuery.optional(),
    theme: stringParam('Theme (case-insensitive).').meta({ example: 'Harbor' }).optional(),
    year_from: yearParam('First release year.', 2020),
    year_to: yearParam('Last release year.', 2024),
    status_id: integerParam({
      min: 1,
      max: 5,
      description: '1 upcoming, 2 available, 3 retiring soon, 4 retired, 5 unknown.',
      example: 4,
    }).optional(),
    ...paginationParams,
  }),
  data: z
    .strictObject({
      sets: z.array(SetSearchResultSchema).meta({ description: 'By number, or best match first.' }),
      pagination: PaginationSchema,
    })
    .meta({ id: 'SetsData', description: 'A page of sets.' }),
  example: { sets: [exampleSetSearchResult], pagination: { total: 1, limit: 50, offset: 0, has_more: false } },
  handle({ catalog }, { query, now }) {
    const { q, theme, year_from: first, year_to: last, status_id: status } = query
    const themeName = theme?.toLowerCase()
    const today = formatDay(utcDayOf(now))
    const matches = (set: SetRecord) =>
      (themeName === undefined || set.theme.toLowerCase() === themeName) &&
      (first === undefined || (set.release_year !== null && set.release_year >= first)) &&
      (last === undefined || (set.release_year !== null && set.release_year <= last)) &&
      (status === undefined || setStatus(set, today) === status)
    const { items, total } = catalog.filterSets(q, matches, query)
    const results = items.map((set) => [setSearchResultJson(set, now)])
    const pagination = JSON.stringify(serializePagination(total, query))
    return new PreserializedJson('{"sets":[', ...joinChunks(results), `],"pagination":${pagination}}`)
  },
})
