import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../db/database.ts'
import { rowVersion } from '../db/row-version.ts'
import { cents } from '../primitives/money.ts'
import type { Platform } from '../market/platform.ts'
import type { SaleTotals } from './ledger-sale.ts'

/** Returns one page of an account's sales, newest first, and the total. */
export async function findLedgerSales(
  db: Database,
  accountId: number,
  { limit, offset }: { limit: number; offset: number },
) {
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

/** Filter for sales; omitted fields match all sales. */
export type SaleFilter = { year?: number | undefined; platform?: Platform | undefined; text?: string | undefined }

/** Returns matching sales with their set titles, newest first; `limit: null` returns all, for an export. */
export async function searchLedgerSales(
  db: Database,
  accountId: number,
  filter: SaleFilter,
  { limit, offset }: { limit: number | null; offset: number },
) {
  const { rows } = await sql<{
    id: number
    set_number: string
    title: string
    platform: Platform
    sale_date: string
    quantity: number
    gross_proceeds_usd: string
    platform_fees_usd: string
    payment_fees_usd: string
    shipping_cost_usd: string
    cost_usd: string | null
  }>`
    select l.id, l.set_number, s.title, l.platform, l.sale_date, l.quantity, l.gross_proceeds_usd, l.platform_fees_usd,
           l.payment_fees_usd, l.shipping_cost_usd, l.cost_usd
      from portfolio.sale l join catalog.set s using (set_number)
     where ${saleConditions(accountId, filter)}
     order by l.sale_date desc, l.id desc
     limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Returns a condition on `portfolio.sale l` joined with `catalog.set s`. */
function saleConditions(accountId: number, { year, platform, text }: SaleFilter): RawBuilder<boolean> {
  const parts = [sql`l.account_id = ${accountId}`]
  if (year !== undefined) {
    parts.push(sql`l.sale_date >= make_date(${year}, 1, 1) and l.sale_date < make_date(${year} + 1, 1, 1)`)
  }
  if (platform !== undefined) parts.push(sql`l.platform = ${platform}`)
  if (text !== undefined) {
    parts.push(sql`(starts_with(lower(l.set_number), lower(${text})) or strpos(lower(s.title), lower(${text})) > 0)`)
  }
  return sql<boolean>`${sql.join(parts, sql` and `)}`
}

/** Returns the totals of matching sales by month, oldest first. Months without sales are omitted. */
export async function sumSalesByMonth(
  db: Database,
  accountId: number,
  filter: SaleFilter,
): Promise<(SaleTotals & { month: string })[]> {
  const { rows } = await sql<{
    month: string
    sales: number
    units: number
    gross_usd: string
    fees_usd: string
    shipping_usd: string
    cost_usd: string
    known_net_usd: string
    unknown: number
  }>`
    select to_char(l.sale_date, 'YYYY-MM') as month, count(*) as sales, sum(l.quantity) as units,
           sum(l.gross_proceeds_usd) as gross_usd, sum(l.platform_fees_usd + l.payment_fees_usd) as fees_usd,
           sum(l.shipping_cost_usd) as shipping_usd, coalesce(sum(l.cost_usd), 0) as cost_usd,
           coalesce(sum(l.gross_proceeds_usd - l.platform_fees_usd - l.payment_fees_usd - l.shipping_cost_usd)
             filter (where l.cost_usd is not null), 0) as known_net_usd,
           count(*) filter (where l.cost_usd is null) as unknown
      from portfolio.sale l join catalog.set s using (set_number)
     where ${saleConditions(accountId, filter)}
     group by 1 order by 1`.execute(db)
  return rows.map((row) => ({
    month: row.month,
    sales: row.sales,
    units: row.units,
    gross: cents(row.gross_usd),
    fees: cents(row.fees_usd),
    shipping: cents(row.shipping_usd),
    cost: cents(row.cost_usd),
    netWithKnownCost: cents(row.known_net_usd),
    unknownCostCount: row.unknown,
  }))
}

/** Returns the years with sales, latest first. */
export async function findSaleYears(db: Database, accountId: number): Promise<number[]> {
  const { rows } = await sql<{ year: number }>`
    select distinct extract(year from sale_date)::integer as year from portfolio.sale
     where account_id = ${accountId} order by 1 desc`.execute(db)
  return rows.map(({ year }) => year)
}

/** Returns a sale with its set title and the ids of the lots it was taken from. */
export async function findLedgerSale(db: Database, accountId: number, saleId: number) {
  const sale = await db
    .selectFrom('portfolio.sale as l')
    .innerJoin('catalog.set as s', 's.set_number', 'l.set_number')
    .select(['l.id', 'l.set_number', 's.title', 'l.platform', 'l.sale_date', 'l.quantity', 'l.gross_proceeds_usd'])
    .select(['l.platform_fees_usd', 'l.payment_fees_usd', 'l.shipping_cost_usd', 'l.cost_usd'])
    .select(rowVersion('l').as('version'))
    .where('l.account_id', '=', accountId)
    .where('l.id', '=', saleId)
    .executeTakeFirst()
  if (!sale) return undefined
  const lots = await db
    .selectFrom('portfolio.sale_lot')
    .select('holding_id')
    .where('account_id', '=', accountId)
    .where('sale_id', '=', saleId)
    .orderBy('holding_id')
    .execute()
  return { ...sale, lots: lots.map(({ holding_id }) => holding_id) }
}

/** Returns which lines of these platform orders the account has already imported. */
export async function findImportedOrderLines(
  db: Database,
  accountId: number,
  platform: Platform,
  orders: string[],
): Promise<{ order: string; line: string }[]> {
  const { rows } = await sql<{ order: string; line: string }>`
    select order_number as "order", line from portfolio.sale_order
     where account_id = ${accountId} and platform = ${platform} and order_number = any(${orders}::text[])`.execute(db)
  return rows
}
