import type { Database } from '../database.ts'

/** One page of an account's sales, newest first, and how many there are. */
export async function findSales(db: Database, accountId: number, { limit, offset }: { limit: number; offset: number }) {
  const own = db.selectFrom('portfolio.sale').where('account_id', '=', accountId)
  const counted = own.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const page = own
    .select(['id', 'set_number', 'platform', 'sale_date', 'quantity', 'gross_proceeds_usd', 'platform_fees_usd'])
    .select(['payment_fees_usd', 'shipping_cost_usd', 'cost_usd'])
    .orderBy('sale_date', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const [{ total }, sales] = await Promise.all([counted, page])
  return { sales, total }
}
