import { addCollection, addLot, addSale } from '@brickmark/tests/support/fixtures'
import { createApiKey, formatDay, formatMoney, formatGain, formatPercent } from './collections.ts'
import type { TestUser, TestWeb } from './web.ts'

/** Ledger sale as returned by the API. */
export type ApiSale = {
  id: number
  set_number: string
  title: string
  platform: string
  sale_date: string
  quantity: number
  profit_loss_usd: number | null
  roi_pct: number | null
} & Record<
  'gross_proceeds_usd' | 'platform_fees_usd' | 'payment_fees_usd' | 'shipping_cost_usd' | 'net_proceeds_usd',
  number
>

const NAMES: Record<string, string> = {
  ebay: 'eBay',
  bricklink: 'BrickLink',
  amazon: 'Amazon',
  local: 'Local',
  other: 'Other',
}
const cents = (usd: number) => Math.round(usd * 100)

/** Returns the row the ledger page must show for a sale. */
export function expectedSaleRow(sale: ApiSale): Record<string, string> {
  return {
    Item: `${sale.title}\n${sale.set_number}`,
    Sold: formatDay(sale.sale_date),
    Platform: NAMES[sale.platform]!,
    Qty: String(sale.quantity),
    Gross: formatMoney(sale.gross_proceeds_usd),
    Fees: formatMoney((cents(sale.platform_fees_usd) + cents(sale.payment_fees_usd)) / 100),
    Shipping: formatMoney(sale.shipping_cost_usd),
    Net: formatMoney(sale.net_proceeds_usd),
    Cost: formatMoney(
      sale.profit_loss_usd === null ? null : (cents(sale.net_proceeds_usd) - cents(sale.profit_loss_usd)) / 100,
    ),
    Profit: formatProfit(sale.profit_loss_usd, sale.roi_pct),
    Actions: 'Edit',
  }
}

export function formatProfit(profit: number | null, roi: number | null): string {
  return [formatGain(profit), ...(roi === null ? [] : [formatPercent(roi)])].join('\n')
}

/** Adds up sales from the API, in dollars. */
export function sumSales(sales: ApiSale[]) {
  const known = sales.filter((sale) => sale.profit_loss_usd !== null)
  const sum = (some: ApiSale[], of: (sale: ApiSale) => number) =>
    some.reduce((all, sale) => all + cents(of(sale)), 0) / 100
  const profit = sum(known, (sale) => sale.profit_loss_usd!)
  const cost = sum(known, (sale) => sale.net_proceeds_usd) - profit
  return {
    units: sales.reduce((all, sale) => all + sale.quantity, 0),
    gross: sum(sales, (sale) => sale.gross_proceeds_usd),
    fees: sum(sales, (sale) => sale.platform_fees_usd) + sum(sales, (sale) => sale.payment_fees_usd),
    shipping: sum(sales, (sale) => sale.shipping_cost_usd),
    net: sum(sales, (sale) => sale.net_proceeds_usd),
    cost: Math.round(cost * 100) / 100,
    netWithoutCost: sum(
      sales.filter((sale) => sale.profit_loss_usd === null),
      (sale) => sale.net_proceeds_usd,
    ),
    profit,
    roi: (profit / cost) * 100,
  }
}

const keys = new Map<number, Promise<string>>()

/** Fetches the account's sales from the API. */
export async function fetchSales(web: TestWeb, { accountId }: TestUser, query = '?limit=250'): Promise<ApiSale[]> {
  if (!keys.has(accountId)) keys.set(accountId, createApiKey(web, accountId))
  const key = await keys.get(accountId)!
  return (await web.api.get<{ sales: ApiSale[] }>(`/salesledger${query}`, key)).data.sales
}

/** Returns id and quantity of each lot, in the order they were added. */
export async function lotQuantities(web: TestWeb, user: TestUser): Promise<[number, number][]> {
  const lots = await web.db
    .selectFrom('portfolio.lot')
    .select(['id', 'quantity'])
    .where('account_id', '=', user.accountId)
    .orderBy('id')
    .execute()
  return lots.map(({ id, quantity }) => [id, quantity])
}

/** Seeds two sealed lots of the lighthouse, the newer first, and a used one. */
export async function seedStock(web: TestWeb, { accountId: account_id }: TestUser) {
  const collection_id = await addCollection(web.db, account_id, { name: 'Stock', is_default: true })
  const lot = { account_id, collection_id, set_number: '90001-1' }
  const young = await addLot(web.db, {
    ...lot,
    quantity: 3,
    purchase_price_cents: 7001,
    purchase_date: '2025-06-01',
  })
  const old = await addLot(web.db, {
    ...lot,
    quantity: 2,
    purchase_price_cents: 6450,
    purchase_date: '2025-01-15',
  })
  const used = await addLot(web.db, { ...lot, condition: 'used', purchase_price_cents: 0 })
  return { stock: collection_id, young, old, used }
}

/** Seeds 60 sales over two years and three platforms, some with unknown cost, some at a loss. */
export async function seedSales(web: TestWeb, user: TestUser): Promise<void> {
  for (let n = 0; n < 60; n++) {
    await addSale(web.db, {
      account_id: user.accountId,
      set_number: n % 4 === 0 ? '90002-1' : '90001-1',
      platform: ['ebay', 'bricklink', 'local'][n % 3]!,
      sale_date: `${n < 15 ? 2025 : 2026}-${String(1 + (n % 9)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`,
      quantity: 1 + (n % 3),
      gross_proceeds_cents: 1999 + n * 337,
      platform_fees_cents: n * 41,
      payment_fees_cents: n % 3 === 1 ? 59 : 0,
      shipping_cost_cents: (n % 5) * 100,
      cost_cents: n % 10 === 9 ? null : Math.round((60 - n / 7) * 100),
    })
  }
}

const HEADER =
  'Order creation date,Order number,Buyer name,Ship to city,Item ID,Item title,Custom label,Item price,Quantity,Item subtotal,' +
  'Shipping and handling,Discount,Gross amount,Final Value Fee - fixed,Final Value Fee - variable,Shipping labels,Refunds,Order earnings'

/** Builds an order earnings report in eBay's layout: byte order mark, preamble lines, `--` for empty cells. */
function ebayReport(lines: string[]): string {
  return `\ufeffOrder earnings report\r\n\r\nSeller,robin\r\n${[HEADER, ...lines].join('\r\n')}\r\n`
}

/**
 * Report with three orders: one item; two items sharing the order's totals, one of them without a set number; a refund.
 */
export const EBAY_REPORT = ebayReport([
  '"Mar 5, 2026",11-1,Jo Invented,Nowhere,4455,"Set 90001 Lighthouse, new",--,$120.00,1,$120.00,$9.99,-$5.00,$124.99,-$0.40,-$16.56,-$8.10,--,$99.93',
  '"Mar 6, 2026",11-2,Al Invented,Nowhere,--,--,--,--,--,--,--,--,$100.01,-$0.40,-$13.25,-$9.99,--,$76.37',
  '--,11-2,--,--,4456,Set 90002 Corner,--,$30.00,1,$30.00,--,--,--,--,--,--,--,--',
  '--,11-2,--,--,4457,A ferry in its box,--,$60.00,2,$60.00,--,--,--,--,--,--,--,--',
  '"Mar 7, 2026",11-3,Bo Invented,Nowhere,4458,Set 90001 again,--,$99.00,1,$99.00,--,--,$99.00,-$0.40,-$13.12,--,-$99.00,-$13.52',
])
