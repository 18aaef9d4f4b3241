import { Link } from 'react-router'
import { Badge } from '../ui/badge.tsx'
import { formatDate } from '../ui/format-date.ts'
import { Delta, Money, NotAvailable } from '../ui/money.tsx'
import { Table } from '../ui/table.tsx'

type SetLot = {
  id: number
  collectionId: number
  collection: string
  quantity: number
  condition: 'sealed' | 'used'
  status: 'owned' | 'listed'
  price: number | null
  date: string | null
  value: number | null
  gain: number | null
  gainPct: number | null
}

/** The user's lots of a set across all collections. */
export function SetLots({ lots }: { lots: SetLot[] }) {
  if (lots.length === 0) {
    return (
      <p className="text-ink-soft">
        You don’t own this set yet. Add it to <Link to="/collections">a collection</Link>.
      </p>
    )
  }
  return (
    <Table
      caption="Your lots"
      rows={lots}
      rowKey={(lot) => lot.id}
      columns={[
        {
          key: 'collection',
          title: 'Collection',
          cell: (lot) => (
            <Link to={`/collections/${lot.collectionId}#lot-${lot.id}`} className="underline decoration-line-strong">
              {lot.collection}
            </Link>
          ),
        },
        { key: 'quantity', title: 'Qty', right: true, cell: (lot) => lot.quantity.toLocaleString('en-US') },
        {
          key: 'condition',
          title: 'Condition',
          cell: (lot) => (
            <span>
              {lot.condition === 'sealed' ? 'Sealed' : 'Used'}{' '}
              {lot.status === 'listed' && <Badge tone="accent">Listed</Badge>}
            </span>
          ),
        },
        {
          key: 'date',
          title: 'Purchased',
          cell: (lot) => (lot.date === null ? <NotAvailable /> : formatDate(lot.date)),
        },
        { key: 'price', title: 'Purchase price', right: true, cell: (lot) => <Money cents={lot.price} /> },
        { key: 'value', title: 'Value', right: true, cell: (lot) => <Money cents={lot.value} /> },
        {
          key: 'gain',
          title: 'Gain',
          right: true,
          cell: (lot) => (
            <Delta cents={lot.gain} ratio={lot.gainPct === null || lot.price === 0 ? null : lot.gainPct / 100} />
          ),
        },
      ]}
    />
  )
}
