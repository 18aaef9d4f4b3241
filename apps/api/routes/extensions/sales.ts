import { z } from 'zod'
import { readAs } from '@brickmark/core/db/database'
import { PLATFORMS } from '@brickmark/core/market/fees/platform'
import { countSales, searchSales } from '@brickmark/core/portfolio/sale-queries'
import { defineEndpoint } from '../../endpoint.ts'
import { exampleSale } from '../../schemas/examples.ts'
import { PaginationSchema, serializePagination } from '../../schemas/pagination.ts'
import { EmptyParams, paginationParams, SetNumber } from '../../schemas/parameters.ts'
import { SaleSchema, serializeSale } from '../../schemas/sale.ts'

const dateParam = (description: string, example: string) =>
  z.iso.date('must be a date, e.g. 2026-06-27').meta({ description, example }).optional()

/** GET /sales: the caller's sales by date, set and platform, which `GET /salesledger` of v1 can't filter. */
export const sales = defineEndpoint({
  method: 'GET',
  path: '/sales',
  operationId: 'findSales',
  tag: 'Portfolio',
  readsAccountData: true,
  summary: 'Find sales',
  description: 'Lists your sales by date, set and platform, newest first.',
  cost: 1,
  params: EmptyParams,
  query: z
    .strictObject({
      from: dateParam('First sale date.', '2026-01-01'),
      to: dateParam('Last sale date.', '2026-06-30'),
      set_number: SetNumber.optional(),
      platform: z.enum(PLATFORMS).meta({ description: 'Limit to one platform.', example: 'ebay' }).optional(),
      ...paginationParams,
    })
    .refine(({ from, to }) => from === undefined || to === undefined || from <= to, '`from` must not be after `to`.'),
  data: z
    .strictObject({
      sales: z.array(SaleSchema).meta({ description: 'Newest first.' }),
      pagination: PaginationSchema,
    })
    .meta({ id: 'FoundSalesData', description: 'A page of sales.' }),
  example: { sales: [exampleSale], pagination: { total: 1, limit: 50, offset: 0, has_more: false } },
  async handle({ catalog, db }, { query, accountId }) {
    const { from, to, platform, set_number: number } = query
    const setNumber = number && catalog.canonicalNumber(number)
    const filter = { from, to, platform, setNumber, onlySets: true }
    const { found, total } = await readAs(db, accountId, async (transaction) => {
      const [found, total] = await Promise.all([
        searchSales(transaction, accountId, filter, query),
        countSales(transaction, accountId, filter),
      ])
      return { found, total }
    })
    return {
      sales: found.map((sale) => serializeSale(sale, catalog)),
      pagination: serializePagination(total, query),
    }
  },
})
