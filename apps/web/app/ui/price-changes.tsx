import { Link } from 'react-router'
import { Badge } from './badge.tsx'
import { describeDays } from './format-date.ts'
import { Card } from './card.tsx'
import { Money, PriceChange } from './money.tsx'
import { Timestamp } from './timestamp.tsx'
import { SetLink } from './set-link.tsx'
import { Table } from './table.tsx'

type Change = {
  setNumber: string
  title: string
  retailer: string
  price: number | null
  change: number | null
  changedAt: string
  /** For how many days prices are known of which this one is the lowest; null if it isn't a low. */
  lowestInDays: number | null
  thirdPartyOnly: boolean
}

/** Retail prices that changed since the last visit, or in the last 7 days if there was none. */
export function PriceChanges({ since, total, rows }: { since: string | null; total: number; rows: Change[] }) {
  return (
    <Card
      title={since === null ? 'Price changes in the last 7 days' : 'Price changes since your last visit'}
      actions={<Link to="/watchlist/owned">Prices of your sets</Link>}
    >
      {since !== null && (
        <p className="mb-2 text-sm text-ink-soft">
          Your last visit on this device: <Timestamp iso={since} />
        </p>
      )}
      {rows.length === 0 ? (
        <p className="text-ink-soft">No price changes on your sets.</p>
      ) : (
        <Table
          caption="Price changes"
          rows={rows}
          rowKey={(row) => `${row.retailer} ${row.setNumber}`}
          columns={[
            { key: 'set', title: 'Set', cell: (row) => <SetLink {...row} /> },
            { key: 'retailer', title: 'Retailer', cell: (row) => row.retailer },
            { key: 'price', title: 'Price', right: true, cell: (row) => <Money cents={row.price} /> },
            { key: 'change', title: 'Change', right: true, cell: (row) => <PriceChange cents={row.change} /> },
            { key: 'note', title: 'Note', cell: (row) => <PriceBadges {...row} /> },
            { key: 'at', title: 'When', right: true, cell: (row) => <Timestamp iso={row.changedAt} /> },
          ]}
        />
      )}
      {total > rows.length && (
        <p className="mt-2 text-sm text-ink-soft">
          Showing the latest {rows.length} of {total.toLocaleString('en-US')}.
        </p>
      )}
    </Card>
  )
}

/** Badges for notable prices: the lowest in a stated time, or no longer sold by the retailer itself. */
export function PriceBadges({ lowestInDays, thirdPartyOnly }: Pick<Change, 'lowestInDays' | 'thirdPartyOnly'>) {
  if (lowestInDays === null && !thirdPartyOnly) return null
  return (
    <span className="flex flex-wrap gap-1">
      {lowestInDays !== null && <Badge tone="accent">Lowest in {describeDays(lowestInDays)}</Badge>}
      {thirdPartyOnly && <Badge tone="warn">Third-party only now</Badge>}
    </span>
  )
}
