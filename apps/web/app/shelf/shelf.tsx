import type { ReactNode } from 'react'
import { data } from 'react-router'
import { findShelf } from '@brickmark/core/portfolio/shelf-queries'
import { Card } from '../ui/card.tsx'
import { countOf } from '../ui/count-of.ts'
import { formatDate } from '../ui/format-date.ts'
import { ItemLink } from '../ui/item-link.tsx'
import { Money, NotAvailable } from '../ui/money.tsx'
import { Page } from '../ui/page.tsx'
import { Pager } from '../ui/pager.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { getServices } from '../request/context.server.ts'
import { parseOffset } from '../request/input.server.ts'
import { limitShelves, showsValues } from '../request/visitor.server.ts'
import type { Route } from './+types/shelf.ts'

const PAGE_SIZE = 50

export const middleware = [limitShelves]

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const offset = parseOffset(new URL(request.url).searchParams.get('from'))
  const page = { withValues: showsValues(context), limit: PAGE_SIZE, offset }
  const shelf = await findShelf(getServices(context).db, params.token, page)
  if (shelf === undefined || (offset > 0 && shelf.rows.length === 0)) throw data('not found', 404)
  return { ...shelf, asOf: shelf.asOf?.toISOString(), offset, path: `/shelf/${params.token}` }
}

type ShelfRow = Route.ComponentProps['loaderData']['rows'][number]

/** A collection as its owner shares it, for everybody who has the link. */
export default function Shelf({ loaderData }: Route.ComponentProps) {
  const { heading, lots, units, value, asOf, showsValue, rows, offset, path } = loaderData
  return (
    <Page title={heading} description={`${countOf(lots, 'lot')}, ${countOf(units, 'item')}`} asOf={asOf}>
      <title>{`${heading} · Brickmark`}</title>
      <meta name="robots" content="noindex" />
      <Card>
        {showsValue && (
          <p className="mb-3">
            Worth{' '}
            <strong>
              <Money cents={value} />
            </strong>{' '}
            in all. Custom items count with what their owner says they’re worth.
          </p>
        )}
        {rows.length === 0 ? (
          <p className="text-ink-soft">This collection is empty.</p>
        ) : (
          <Table caption="Collection" columns={columnsOf(loaderData)} rows={rows} rowKey={(row) => rows.indexOf(row)} />
        )}
        <Pager offset={offset} limit={PAGE_SIZE} total={lots} to={(from) => `${path}?from=${from}`} />
      </Card>
    </Page>
  )
}

function columnsOf(shelf: Route.ComponentProps['loaderData']): Column<ShelfRow>[] {
  const columns: Column<ShelfRow>[] = [
    { key: 'item', title: 'Item', cell: ItemCell },
    { key: 'quantity', title: 'Qty', right: true, cell: ({ quantity }) => quantity.toLocaleString('en-US') },
    { key: 'condition', title: 'Condition', cell: (row) => describeCondition(row) },
  ]
  if (shelf.showsValue)
    columns.push({ key: 'value', title: 'Value each', right: true, cell: (row) => <Money cents={row.value} /> })
  if (shelf.showsPurchaseDate)
    columns.push({
      key: 'date',
      title: 'Purchased',
      cell: ({ date }) => (date === null ? <NotAvailable /> : formatDate(date)),
    })
  if (shelf.showsNotes) columns.push({ key: 'notes', title: 'Notes', cell: ({ notes }) => <Text>{notes}</Text> })
  return columns
}

function ItemCell({ item, title }: ShelfRow) {
  return (
    <Text>
      <ItemLink item={item} title={title} />
    </Text>
  )
}

/** Text of the owner, which may have words that are wider than a phone. */
function Text({ children }: { children: ReactNode }) {
  return <span className="block min-w-40 wrap-anywhere">{children}</span>
}

function describeCondition({ condition }: ShelfRow) {
  if (condition === null) return <NotAvailable />
  return condition === 'sealed' ? 'Sealed' : 'Used'
}
