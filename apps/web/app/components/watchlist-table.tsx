import { Delta, Money, PriceChange } from './money.tsx'
import { Time } from './page.tsx'
import { Marks } from './price-changes.tsx'
import { SetName } from './set-link.tsx'
import { Table } from './table.tsx'

/** A price at one retailer, in cents. */
export type PriceBlock = {
  name: string
  price: number | null
  sellerType: string | null
  changedAt: string | null
  change: number | null
  flipped: boolean
  atLowest: boolean
  lowest: number | null
  inStock: boolean | null
  checkedAt: string
}

/** A row of GET /brickfolio/retail-watch, in cents. */
export type WatchRow = {
  setNumber: string
  title: string
  paid: number | null
  a: PriceBlock | undefined
  b: PriceBlock | undefined
  exit: { lowest: number | null; sellers: number | null; buyBox: number | null; net: number | null }
}

/** Live prices of what is held, with what it cost and what selling it at the first retailer would leave. */
export function WatchTable({ rows }: { rows: WatchRow[] }) {
  const nameOf = (side: 'a' | 'b', fallback: string) => rows.find((row) => row[side])?.[side]?.name ?? fallback
  return (
    <Table
      caption="Watch list"
      rows={rows}
      rowKey={(row) => row.setNumber}
      columns={[
        { key: 'set', title: 'Set', cell: (row) => <SetName {...row} /> },
        { key: 'paid', title: 'You paid', right: true, cell: (row) => <Money cents={row.paid} /> },
        {
          key: 'a',
          title: nameOf('a', 'Retailer A'),
          right: true,
          cell: (row) => <Price block={row.a} />,
        },
        {
          key: 'b',
          title: nameOf('b', 'Retailer B'),
          right: true,
          cell: (row) => <Price block={row.b} />,
        },
        { key: 'net', title: 'Net at exit', right: true, cell: (row) => <Exit row={row} /> },
      ]}
    />
  )
}

function Price({ block }: { block: PriceBlock | undefined }) {
  if (!block) return <Money cents={null} />
  return (
    <span className="inline-grid justify-items-end gap-0.5">
      <span className="text-base font-medium">
        <Money cents={block.price} />
      </span>
      <span className="text-xs text-ink-soft">{sellerOf(block)}</span>
      {block.change !== null && (
        <span className="text-xs text-ink-soft">
          <PriceChange cents={block.change} />
          {block.changedAt !== null && (
            <>
              {' '}
              since <Time iso={block.changedAt} />
            </>
          )}
        </span>
      )}
      <span className="text-xs text-ink-soft">
        Lowest <Money cents={block.lowest} />
      </span>
      <Marks atLowest={block.atLowest} flipped={block.flipped} />
    </span>
  )
}

function sellerOf({ inStock, sellerType }: PriceBlock): string {
  if (inStock === false) return 'Sold out'
  if (sellerType === 'retailer') return 'Sold by the retailer'
  return sellerType === 'third_party' ? 'Third parties only' : 'Seller unknown'
}

function Exit({ row: { paid, exit } }: { row: WatchRow }) {
  return (
    <span className="inline-grid justify-items-end gap-0.5">
      <span className="text-base font-medium">
        <Money cents={exit.net} />
      </span>
      {exit.net !== null && paid !== null && <Delta cents={exit.net - paid} />}
      <span className="text-xs text-ink-soft">
        Buy box <Money cents={exit.buyBox} />
      </span>
      <span className="text-xs text-ink-soft">
        Lowest offer <Money cents={exit.lowest} />
        {exit.sellers !== null && ` of ${exit.sellers}`}
      </span>
    </span>
  )
}
