import { sql, type RawBuilder } from 'kysely'
import { accountFunction, callAs, type Database } from '../db/database.ts'
import type { Platform } from '../market/fees/platform.ts'
import { formatDay } from '../primitives/calendar.ts'
import { decodeDay, readInt64 } from '../primitives/packed.ts'
import type { RecordedSale, SaleTotals } from './sale.ts'

const SALE_COLUMNS = sql`sale.id, sale.item, sale.title, sale.platform, sale.sale_date, sale.quantity, sale.gross_proceeds_cents,
  sale.platform_fees_cents, sale.payment_fees_cents, sale.shipping_cost_cents, sale.cost_cents`

type SaleRow = {
  id: number
  item: string
  title: string
  platform: Platform
  sale_date: string
  quantity: number
  gross_proceeds_cents: number
  platform_fees_cents: number
  payment_fees_cents: number
  shipping_cost_cents: number
  cost_cents: number | null
}

function toRecordedSale(row: SaleRow): RecordedSale & { title: string } {
  return {
    id: row.id,
    item: row.item,
    title: row.title,
    platform: row.platform,
    date: row.sale_date,
    quantity: row.quantity,
    gross: row.gross_proceeds_cents,
    platformFees: row.platform_fees_cents,
    paymentFees: row.payment_fees_cents,
    shipping: row.shipping_cost_cents,
    cost: row.cost_cents,
  }
}

const READ_SALES = accountFunction('portfolio.read_sales', 3)

const PACKED_BYTES = 56

/** Returns one page of an account's sales of sets, newest first, and the total. */
export async function findSales(
  db: Database,
  accountId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ sales: RecordedSale[]; total: number }> {
  const { total, set_numbers, platforms, packed } = await callAs<{
    total: number
    set_numbers: string | null
    platforms: string | null
    packed: Buffer | null
  }>(db, accountId, READ_SALES, limit, offset)
  if (set_numbers === null || platforms === null || packed === null) return { sales: [], total }
  const platformOf = platforms.split(',') as Platform[]
  const sales = set_numbers.split(',').map((item, index) => {
    const offset = index * PACKED_BYTES
    const cost = readInt64(packed, offset + 40)
    return {
      id: readInt64(packed, offset),
      item,
      platform: platformOf[index]!,
      date: formatDay(decodeDay(packed.readInt32BE(offset + 48))!),
      quantity: packed.readInt32BE(offset + 52),
      gross: readInt64(packed, offset + 8),
      platformFees: readInt64(packed, offset + 16),
      paymentFees: readInt64(packed, offset + 24),
      shipping: readInt64(packed, offset + 32),
      cost: cost === -1 ? null : cost,
    }
  })
  return { sales, total }
}

/** Filter for sales; omitted fields match all sales. */
export type SaleFilter = {
  year?: number | undefined
  /** First and last day, 'YYYY-MM-DD'. */
  from?: string | undefined
  to?: string | undefined
  platform?: Platform | undefined
  setNumber?: string | undefined
  /** Leaves out sales of anything but sets. */
  onlySets?: boolean | undefined
  text?: string | undefined
}

/** Returns matching sales with the titles of what was sold, newest first; `limit: null` returns all, for an export. */
export async function searchSales(
  db: Database,
  accountId: number,
  filter: SaleFilter,
  { limit, offset }: { limit: number | null; offset: number },
): Promise<(RecordedSale & { title: string })[]> {
  const { rows } = await sql<SaleRow>`
    select ${SALE_COLUMNS}
      from portfolio.sale_item sale
     where ${saleConditions(accountId, filter)}
     order by sale.sale_date desc, sale.id desc
     limit ${limit} offset ${offset}`.execute(db)
  return rows.map(toRecordedSale)
}

/** Returns the number of matching sales. */
export async function countSales(db: Database, accountId: number, filter: SaleFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from portfolio.sale_item sale
     where ${saleConditions(accountId, filter)}`.execute(db)
  return rows[0]!.count
}

/** Returns a condition on `portfolio.sale_item sale`. */
function saleConditions(
  accountId: number,
  { year, from, to, platform, setNumber, onlySets, text }: SaleFilter,
): RawBuilder<boolean> {
  const parts = [sql`sale.account_id = ${accountId}`]
  if (year !== undefined) {
    parts.push(sql`sale.sale_date >= make_date(${year}, 1, 1) and sale.sale_date < make_date(${year} + 1, 1, 1)`)
  }
  if (from !== undefined) parts.push(sql`sale.sale_date >= ${from}::date`)
  if (to !== undefined) parts.push(sql`sale.sale_date <= ${to}::date`)
  if (platform !== undefined) parts.push(sql`sale.platform = ${platform}`)
  if (setNumber !== undefined) parts.push(sql`sale.set_number = ${setNumber}`)
  if (onlySets) parts.push(sql`sale.set_number is not null`)
  if (text !== undefined) {
    parts.push(
      sql`(starts_with(lower(sale.set_number), lower(${text})) or strpos(lower(sale.title), lower(${text})) > 0)`,
    )
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
    gross_cents: number
    fees_cents: number
    shipping_cents: number
    cost_cents: number
    sales_without_cost: number
    net_without_cost_cents: number
  }>`
    select to_char(sale.sale_date, 'YYYY-MM') as month, count(*) as sales, sum(sale.quantity) as units,
           sum(sale.gross_proceeds_cents)::bigint as gross_cents,
           sum(sale.platform_fees_cents + sale.payment_fees_cents)::bigint as fees_cents,
           sum(sale.shipping_cost_cents)::bigint as shipping_cents, coalesce(sum(sale.cost_cents), 0)::bigint as cost_cents,
           count(*) filter (where sale.cost_cents is null) as sales_without_cost,
           coalesce(sum(sale.gross_proceeds_cents - sale.platform_fees_cents - sale.payment_fees_cents - sale.shipping_cost_cents)
             filter (where sale.cost_cents is null), 0)::bigint as net_without_cost_cents
      from portfolio.sale_item sale
     where ${saleConditions(accountId, filter)}
     group by 1 order by 1`.execute(db)
  return rows.map((row) => ({
    month: row.month,
    sales: row.sales,
    units: row.units,
    gross: row.gross_cents,
    fees: row.fees_cents,
    shipping: row.shipping_cents,
    cost: row.cost_cents,
    salesWithoutCost: row.sales_without_cost,
    netWithoutCost: row.net_without_cost_cents,
  }))
}

/** Returns the years with sales, latest first. */
export async function findSaleYears(db: Database, accountId: number): Promise<number[]> {
  const { rows } = await sql<{ year: number }>`
    select distinct extract(year from sale_date)::integer as year from portfolio.sale
     where account_id = ${accountId} order by 1 desc`.execute(db)
  return rows.map(({ year }) => year)
}

/** Returns a sale with the title of what was sold and the ids of the lots it was taken from. */
export async function findSale(db: Database, accountId: number, saleId: number) {
  const { rows } = await sql<SaleRow & { version: string }>`
    select ${SALE_COLUMNS}, sale.version from portfolio.sale_item sale
     where account_id = ${accountId} and id = ${saleId}`.execute(db)
  const sale = rows[0]
  if (!sale) return undefined
  const lots = await db
    .selectFrom('portfolio.sale_lot')
    .select('lot_id')
    .where('account_id', '=', accountId)
    .where('sale_id', '=', saleId)
    .orderBy('lot_id')
    .execute()
  return { ...toRecordedSale(sale), version: sale.version, lots: lots.map(({ lot_id }) => lot_id) }
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
