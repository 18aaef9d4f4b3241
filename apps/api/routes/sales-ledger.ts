import { z } from 'zod'
import { readAtOnceAs } from '@brickmark/core/db/database'
import { findSales } from '@brickmark/core/portfolio/ledger-sale-queries'
import { endpoint } from '../endpoint.ts'
import { exampleSale } from '../schemas/examples.ts'
import { PaginationShape, presentPagination } from '../schemas/pagination.ts'
import { NoParameters, paging } from '../schemas/parameters.ts'
import { presentSale, SaleShape } from '../schemas/sale.ts'

/** GET /salesledger: the caller's recorded sales, newest first. */
export const salesLedger = endpoint({
  method: 'GET',
  path: '/salesledger',
  operationId: 'listSales',
  tag: 'Portfolio',
  summary: 'Your sales',
  description: 'Recorded sales with fees, net proceeds, profit and return, newest first.',
  price: 1,
  params: NoParameters,
  query: z.strictObject({ ...paging }),
  data: z
    .strictObject({
      sales: z.array(SaleShape).meta({ description: 'The newest first.' }),
      pagination: PaginationShape,
    })
    .meta({ id: 'SalesData', description: 'One page of sales.' }),
  example: { sales: [exampleSale], pagination: { total: 1, limit: 50, offset: 0, has_more: false } },
  async handle({ catalog, db }, { query, accountId }) {
    const { sales, total } = await readAtOnceAs(db, accountId, (as) => findSales(as, accountId, query))
    return { sales: sales.map((sale) => presentSale(sale, catalog)), pagination: presentPagination(total, query) }
  },
})
