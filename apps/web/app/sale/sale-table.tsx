import { Link } from 'react-router'
import type { Platform } from '@brickmark/core/market/fees/platform'
import { formatDate } from '../ui/format-date.ts'
import { Delta, Money } from '../ui/money.tsx'
import { ItemLink, itemName } from '../ui/item-link.tsx'
import { Table } from '../ui/table.tsx'

/** Ledger sale as displayed; amounts in cents. */
export type SaleRow = {
  id: number
  item: string
  title: string
  platform: Platform
  date: string
  quantity: number
  gross: number
  platformFees: number
  paymentFees: number
  shipping: number
  cost: number | null
  net: number
  profit: number | null
  roiPct: number | null
}

export const PLATFORM_NAMES: Record<Platform, string> = {
  ebay: 'eBay',
  bricklink: 'BrickLink',
  amazon: 'Amazon',
  walmart: 'Walmart',
  facebook: 'Facebook',
  mercari: 'Mercari',
  whatnot: 'Whatnot',
  local: 'Local',
  other: 'Other',
}

export const PLATFORM_OPTIONS = Object.entries(PLATFORM_NAMES)

/** Table of sales with edit links. */
export function SaleTable({ rows }: { rows: SaleRow[] }) {
  return (
    <Table
      caption="Sales"
      narrowLayout="lines"
      rows={rows}
      rowKey={(sale) => sale.id}
      columns={[
        {
          key: 'item',
          title: 'Item',
          inLines: true,
          cell: (sale) => (
            <ItemLink
              item={sale.item}
              title={sale.title}
              phoneNote={`${sale.quantity.toLocaleString('en-US')} on ${PLATFORM_NAMES[sale.platform]}, ${formatDate(sale.date)}`}
            />
          ),
        },
        {
          key: 'date',
          title: 'Sold',
          cell: (sale) => <span className="whitespace-nowrap">{formatDate(sale.date)}</span>,
        },
        { key: 'platform', title: 'Platform', onlyWide: true, cell: (sale) => PLATFORM_NAMES[sale.platform] },
        {
          key: 'units',
          title: 'Qty',
          right: true,
          onlyWide: true,
          cell: (sale) => sale.quantity.toLocaleString('en-US'),
        },
        { key: 'gross', title: 'Gross', right: true, cell: (sale) => <Money cents={sale.gross} /> },
        {
          key: 'fees',
          onlyWide: true,
          title: 'Fees',
          right: true,
          cell: (sale) => <Money cents={sale.platformFees + sale.paymentFees} />,
        },
        {
          key: 'shipping',
          title: 'Shipping',
          right: true,
          onlyWide: true,
          cell: (sale) => <Money cents={sale.shipping} />,
        },
        { key: 'net', inLines: true, title: 'Net', right: true, cell: (sale) => <Money cents={sale.net} /> },
        { key: 'cost', title: 'Cost', right: true, onlyWide: true, cell: (sale) => <Money cents={sale.cost} /> },
        { key: 'gain', inLines: true, title: 'Profit', right: true, cell: (sale) => <Profit {...sale} /> },
        {
          key: 'edit',
          inLines: true,
          title: 'Actions',
          right: true,
          cell: (sale) => (
            <Link
              to={`/sales/${sale.id}`}
              aria-label={`Edit sale of ${itemName(sale.item, sale.title)} on ${formatDate(sale.date)}`}
            >
              Edit
            </Link>
          ),
        },
      ]}
    />
  )
}

/** Profit with the ROI below it, if known. */
export function Profit({ profit, roiPct }: { profit: number | null; roiPct: number | null }) {
  return (
    <span>
      <Delta cents={profit} />
      {roiPct !== null && (
        <span className="block">
          <Delta ratio={roiPct / 100} />
        </span>
      )}
    </span>
  )
}
