import { formatUsd } from '@brickmark/core/primitives/format-money'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Figure } from '../ui/figure.tsx'
import { describeDays } from '../ui/format-date.ts'
import { Delta, Money, PriceChange } from '../ui/money.tsx'
import { SetLink } from '../ui/set-link.tsx'
import { Table } from '../ui/table.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import type { OwnedRow } from './watchlist-owned.server.ts'

/** Sets one owns: what they cost at retailers now, and what selling a copy would leave. */
export function OwnedTable({ rows }: { rows: OwnedRow[] }) {
  return (
    <Table
      caption="Sets you own"
      rows={rows}
      rowKey={(row) => `${row.setNumber} ${row.condition}`}
      narrowLayout="lines"
      columns={[
        { key: 'set', inLines: true, title: 'Set', cell: (row) => <OwnedSetCell row={row} /> },
        { key: 'price', inLines: true, title: 'Price now', right: true, cell: (row) => <PriceCell row={row} /> },
        { key: 'move', title: 'Last change', right: true, onlyWide: true, cell: (row) => <MoveCell row={row} /> },
        {
          key: 'range',
          title: 'Between lowest and highest',
          onlyWide: true,
          cell: ({ range, offer }) => <PriceRange range={range} price={offer?.price ?? null} />,
        },
        { key: 'net', inLines: true, title: 'Net if sold now', right: true, cell: (row) => <NetCell row={row} /> },
      ]}
    />
  )
}

function OwnedSetCell({ row }: { row: OwnedRow }) {
  const badge = badgeOf(row)
  const copies = `${row.copies.toLocaleString('en-US')}${row.condition === 'used' ? ' used' : ''}`
  const paid = row.paid === null ? `${copies} owned` : `${copies} × ${formatUsd(row.paid)} paid`
  return (
    <span className="grid gap-1 xl:flex xl:items-center xl:justify-between xl:gap-4">
      <SetLink setNumber={row.setNumber} title={row.title} note={paid} />
      {badge && (
        <span className="pl-13 xl:pl-0">
          <Badge tone={badge[0]}>{badge[1]}</Badge>
        </span>
      )}
    </span>
  )
}

/** The one thing worth knowing about a set's prices. */
function badgeOf({ offer, isUntracked, lowestInDays, isThirdPartyOnly, isRetired }: OwnedRow): [Tone, string] | null {
  if (offer === null && !isUntracked) return ['loss', 'Out of stock']
  if (lowestInDays !== null) return ['accent', `Lowest in ${describeDays(lowestInDays)}`]
  if (isThirdPartyOnly) return ['plain', 'Third-party only']
  return isRetired ? ['warn', 'Retired'] : null
}

function PriceCell({ row: { offer, lastOffer } }: { row: OwnedRow }) {
  const detail = offer?.retailerName ?? (lastOffer && `Last ${formatUsd(lastOffer.price)} at ${lastOffer.retailerName}`)
  return (
    <Figure detail={detail}>
      <Money cents={offer?.price ?? null} />
    </Figure>
  )
}

function MoveCell({ row: { move } }: { row: OwnedRow }) {
  if (move === null) return <Money cents={null} />
  return (
    <Figure detail={<Timestamp iso={move.at} />}>
      <PriceChange cents={move.change} />
    </Figure>
  )
}

function NetCell({ row: { net, paid } }: { row: OwnedRow }) {
  return (
    <Figure
      detail={
        net !== null &&
        paid !== null && (
          <>
            <Delta cents={net - paid} /> on paid
          </>
        )
      }
    >
      <span className="font-normal text-ink-soft md:hidden">Keep </span>
      <Money cents={net} />
    </Figure>
  )
}

/** Where the price is between the lowest and the highest that was ever seen. */
function PriceRange({ range, price }: { range: OwnedRow['range']; price: number | null }) {
  if (range === null) return <span className="text-xs text-ink-soft">No retail prices</span>
  const { lowest, highest } = range
  const at = price === null ? null : highest === lowest ? 50 : ((price - lowest) / (highest - lowest)) * 100
  return (
    <span className="block w-44 text-xs text-ink-soft">
      <span aria-hidden="true" className="relative block h-4">
        <span className="absolute inset-x-0 top-1/2 border-t-2 border-line" />
        <span className="absolute inset-y-1 left-0 border-l-2 border-line-strong" />
        <span className="absolute inset-y-1 right-0 border-r-2 border-line-strong" />
        {at !== null && (
          <span
            className={`absolute inset-y-0.5 w-1 -translate-x-1/2 rounded-full ${price === lowest ? 'bg-accent' : 'bg-ink'}`}
            style={{ left: `${Math.min(100, Math.max(0, at))}%` }}
          />
        )}
      </span>
      <span className="flex justify-between">
        <Money cents={lowest} />
        <span className="sr-only">to</span>
        <Money cents={highest} />
      </span>
    </span>
  )
}
