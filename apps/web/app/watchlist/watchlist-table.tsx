import { Delta, Money, PriceChange } from '../ui/money.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { PriceBadges } from '../ui/price-changes.tsx'
import { SetLink } from '../ui/set-link.tsx'
import { Table } from '../ui/table.tsx'

/** Price at one retailer; amounts in cents. */
export type RetailerPriceCell = {
  name: string
  price: number | null
  sellerType: string | null
  changedAt: string | null
  change: number | null
  flipped: boolean
  /** For how many days prices are known of which this one is the lowest; null if it isn't a low. */
  lowestInDays: number | null
  lowest: number | null
  inStock: boolean | null
  checkedAt: string
}

/** Row of GET /brickfolio/retail-watch; amounts in cents. */
export type WatchlistRow = {
  setNumber: string
  title: string
  paid: number | null
  a: RetailerPriceCell | undefined
  b: RetailerPriceCell | undefined
  resale: { lowest: number | null; sellers: number | null; buyBox: number | null; net: number | null }
}

/** Current retail prices of owned sets, with the average cost and the net proceeds of selling at the first retailer. */
export function WatchlistTable({ rows }: { rows: WatchlistRow[] }) {
  const retailerName = (side: 'a' | 'b', fallback: string) => rows.find((row) => row[side])?.[side]?.name ?? fallback
  return (
    <Table
      caption="Watchlist"
      rows={rows}
      rowKey={(row) => row.setNumber}
      columns={[
        { key: 'set', title: 'Set', cell: (row) => <SetLink {...row} /> },
        { key: 'paid', title: 'Avg. cost', right: true, cell: (row) => <Money cents={row.paid} /> },
        {
          key: 'a',
          title: retailerName('a', 'Retailer A'),
          right: true,
          cell: (row) => <Price block={row.a} />,
        },
        {
          key: 'b',
          title: retailerName('b', 'Retailer B'),
          right: true,
          cell: (row) => <Price block={row.b} />,
        },
        { key: 'net', title: 'Net if sold', right: true, cell: (row) => <ResaleCell row={row} /> },
      ]}
    />
  )
}

function Price({ block }: { block: RetailerPriceCell | undefined }) {
  if (!block) return <Money cents={null} />
  return (
    <span className="inline-grid gap-0.5 sm:justify-items-end">
      <span className="text-base font-medium">
        <Money cents={block.price} />
      </span>
      <span className="text-xs text-ink-soft">{sellerLabel(block)}</span>
      {block.change !== null && (
        <span className="text-xs text-ink-soft">
          <PriceChange cents={block.change} />
          {block.changedAt !== null && (
            <>
              {' '}
              on <Timestamp iso={block.changedAt} />
            </>
          )}
        </span>
      )}
      <span className="text-xs text-ink-soft">
        Low <Money cents={block.lowest} />
      </span>
      <PriceBadges lowestInDays={block.lowestInDays} thirdPartyOnly={block.flipped} />
    </span>
  )
}

function sellerLabel({ inStock, sellerType }: RetailerPriceCell): string {
  if (inStock === false) return 'Out of stock'
  if (sellerType === 'retailer') return 'Sold by retailer'
  return sellerType === 'third_party' ? 'Third-party only' : 'Seller unknown'
}

function ResaleCell({ row: { paid, resale } }: { row: WatchlistRow }) {
  return (
    <span className="inline-grid gap-0.5 sm:justify-items-end">
      <span className="text-base font-medium">
        <Money cents={resale.net} />
      </span>
      {resale.net !== null && paid !== null && <Delta cents={resale.net - paid} />}
      <span className="text-xs text-ink-soft">
        Buy box <Money cents={resale.buyBox} />
      </span>
      <span className="text-xs text-ink-soft">
        Lowest FBA <Money cents={resale.lowest} />
        {resale.sellers !== null && ` (${resale.sellers} ${resale.sellers === 1 ? 'seller' : 'sellers'})`}
      </span>
    </span>
  )
}
