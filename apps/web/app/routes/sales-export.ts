import type { LoaderFunctionArgs } from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import { findLedger } from '@brickmark/core/portfolio/ledger-sale-queries'
import { csvLine } from '@brickmark/core/primitives/csv'
import { usd, usdOrNull } from '@brickmark/core/primitives/money'
import { servicesOf, signedIn } from '../server/context.ts'
import { download } from '../server/import.ts'
import { saleListOf, saleRowOf } from '../server/sales.ts'

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
]

/** The sales that the address filters, named as in the API. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { accountId } = signedIn(context)
  const { filter } = saleListOf(new URL(request.url).searchParams)
  const sales = await readAs(servicesOf(context).db, accountId, (as) =>
    findLedger(as, accountId, filter, { limit: null, offset: 0 }),
  )
  const lines = sales
    .map(saleRowOf)
    .map((sale) =>
      csvLine([
        sale.id,
        sale.date,
        sale.setNumber,
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
      ]),
    )
  return download('brickmark-sales.csv', [csvLine(HEADER), ...lines].join(''))
}
