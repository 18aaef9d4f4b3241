import { z } from 'zod'
import { findSales } from '@brickmark/core/portfolio/sale-queries'
import { defineEndpoint } from '../endpoint.ts'
import { exampleSale } from '../schemas/examples.ts'
import { PaginationSchema, serializePagination } from '../schemas/pagination.ts'
import { EmptyParams, paginationParams } from '../schemas/parameters.ts'
import { SaleSchema, serializeSale } from '../schemas/sale.ts'

/** GET /salesledger: the caller's recorded sales, newest first. */
export const salesLedger = defineEndpoint({
  method: 'GET',
  path: '/salesledger',
  operationId: 'listSales',
  tag: 'Portfolio',
  readsAccountData: true,
  summary: 'List sales',
  description: 'Lists your sales with fees, net proceeds, profit and ROI, newest first.',
  cost: 1,
  params: EmptyParams,
  query: z.strictObject({ ...paginationParams }),
  data: z
    .strictObject({
      sales: z.array(SaleSchema).meta({ description: 'Newest first.' }),
      pagination: PaginationSchema,
    })
    .meta({ id: 'SalesData', description: 'A page of sales.' }),
  example: { sales: [exampleSale], pagination: { total: 1, limit: 50, offset: 0, has_more: false } },
  async handle({ catalog, db }, { query, accountId }) {
    const { sales, total } = await findSales(db, accountId, query)
    return {
      sales: sales.map((sale) => serializeSale(sale, catalog)),
      pagination: serializePagination(total, query),
    }
  },
})
