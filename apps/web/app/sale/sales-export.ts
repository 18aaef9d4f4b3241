import { readAs } from '@brickmark/core/db/database'
import { parseItem } from '@brickmark/core/portfolio/item'
import { searchSales } from '@brickmark/core/portfolio/sale-queries'
import { formatCsv } from '@brickmark/core/primitives/csv'
import { usd, usdOrNull } from '@brickmark/core/primitives/money'
import { getServices, requireUser } from '../request/context.server.ts'
import { csvDownload } from '../request/csv-download.server.ts'
import { parseSaleQuery, toSaleRow } from './sales.server.ts'
import type { Route } from './+types/sales-export.ts'

const HEADER = [
  'id',
  'sale_date',
  'set_number',
  'title',
  'platform',
  'quantity',
  'gross_proceeds_usd',
  'platform_fees_usd',
  'payment_fees_usd',
  'shipping_cost_usd',
  'net_proceeds_usd',
  'cost_usd',
  'profit_loss_usd',
  'roi_pct',
  'type',
]

/** Exports the sales that match the filter in the URL as CSV, with the API's field names, and with what was sold. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { accountId } = requireUser(context)
  const { filter } = parseSaleQuery(new URL(request.url).searchParams)
  const sales = await readAs(getServices(context).db, accountId, (tx) =>
    searchSales(tx, accountId, filter, { limit: null, offset: 0 }),
  )
  const rows = sales
    .map(toSaleRow)
    .map((sale) => ({ ...sale, ...parseItem(sale.item) }))
    .map((sale) => [
      sale.id,
      sale.date,
      sale.kind === 'custom' ? '' : sale.number,
      sale.title,
      sale.platform,
      sale.quantity,
      usd(sale.gross),
      usd(sale.platformFees),
      usd(sale.paymentFees),
      usd(sale.shipping),
      usd(sale.net),
      usdOrNull(sale.cost),
      usdOrNull(sale.profit),
      sale.roiPct,
      sale.kind,
    ])
  return csvDownload('brickmark-sales.csv', formatCsv([HEADER, ...rows]))
}
