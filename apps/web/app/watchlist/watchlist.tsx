import { Form as RouterForm, Link } from 'react-router'
import type { TargetState } from '@brickmark/core/portfolio/watched-item'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { FilterLinks } from '../ui/filter-links.tsx'
import { Money, PriceChange } from '../ui/money.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Pager } from '../ui/pager.tsx'
import { Picture } from '../ui/picture.tsx'
import { Table } from '../ui/table.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { WatchlistTabs } from './watchlist-tabs.tsx'
import { changeWatchlist, loadWatchlist, type WatchedRow, type WatchFilterName } from './watchlist.server.ts'
import type { Route } from './+types/watchlist.ts'

export async function loader({ request, context }: Route.LoaderArgs) {
  return loadWatchlist(context, new URL(request.url).searchParams)
}

export async function action({ request, context }: Route.ActionArgs) {
  return changeWatchlist(context, request)
}

const FILTER_LABELS: [WatchFilterName, string][] = [
  ['all', 'All'],
  ['met', 'Met'],
  ['close', 'Close'],
  ['retiring', 'Retiring soon'],
  ['unavailable', 'Out of stock'],
  ['paused', 'Paused'],
]

const STATES: Record<TargetState, { tone: Tone; label: string }> = {
  met: { tone: 'gain', label: 'Met' },
  close: { tone: 'accent', label: 'Close' },
  waiting: { tone: 'plain', label: 'Waiting' },
  unavailable: { tone: 'plain', label: 'No price' },
  none: { tone: 'plain', label: 'No target' },
}

const PAUSED: { tone: Tone; label: string } = { tone: 'plain', label: 'Paused' }

/** Sets and minifigs the account watches, with their target prices. */
export default function Watchlist({ loaderData, actionData: result }: Route.ComponentProps) {
  const { filter, sort, offset, limit, total, rows, counts } = loaderData
  const href = (view: { filter?: string; sort?: string; from?: number }) =>
    `/watchlist?${new URLSearchParams({ filter: view.filter ?? filter, sort: view.sort ?? sort, ...(view.from && { from: String(view.from) }) })}`
  return (
    <Page
      title="Watchlist"
      description="Give a set or minifig a target. We tell you once when a price reaches it, and again only after it has gone back up."
      actions={<WatchlistTabs selected="watching" />}
    >
      <title>Watchlist · Brickmark</title>
      {result && 'actionError' in result && <Notice tone="loss">{result.actionError}</Notice>}
      {counts.all === 0 ? (
        <EmptyState
          title="Nothing watched yet"
          action={
            <ButtonLink to="/search" variant="main">
              Browse sets
            </ButtonLink>
          }
        >
          Open any set or minifig and choose Watch, whether you own it or not. With a target price, you get an alert
          when it’s reached.
        </EmptyState>
      ) : (
        <>
          <FilterLinks
            selected={filter}
            filters={FILTER_LABELS.map(([name, label]) => [name, label, counts[name]])}
            hrefFor={(name) => href({ filter: name })}
          />
          {rows.length === 0 ? (
            <EmptyState title="No matches" action={<ButtonLink to="/watchlist">Show all</ButtonLink>}>
              Nothing on your watchlist matches this filter right now.
            </EmptyState>
          ) : (
            <Card>
              <WatchedTable rows={rows} sort={sort} hrefFor={(by) => href({ sort: by })} />
              <Pager offset={offset} limit={limit} total={total} to={(from) => href({ from })} />
              <p className="mt-3 text-sm text-ink-soft">
                The price of a set is the lowest at which a retailer has it in stock; that of a minifig is its market
                value.
              </p>
            </Card>
          )}
        </>
      )}
    </Page>
  )
}

function WatchedTable({
  rows,
  sort,
  hrefFor,
}: {
  rows: WatchedRow[]
  sort: string
  hrefFor: (sort: string) => string
}) {
  return (
    <Table
      caption="Watched items"
      rows={rows}
      rowKey={(row) => `${row.kind} ${row.number}`}
      sorting={{ by: sort, descending: false, to: hrefFor }}
      columns={[
        { key: 'title', title: 'Item', sortable: true, cell: (row) => <ItemLink row={row} /> },
        { key: 'value', title: 'Value', right: true, cell: (row) => <Money cents={row.value} /> },
        { key: 'price', title: 'Price', right: true, sortable: true, cell: (row) => <Price row={row} /> },
        { key: 'target', title: 'Target', right: true, sortable: true, cell: (row) => <TargetForm row={row} /> },
        { key: 'status', title: 'Status', right: true, cell: (row) => <Status row={row} /> },
        { key: 'actions', title: 'Actions', right: true, cell: (row) => <Actions row={row} /> },
      ]}
    />
  )
}

function ItemLink({ row: { kind, number, title } }: { row: WatchedRow }) {
  return (
    <span className="flex min-w-0 items-center gap-3 text-left">
      <Picture kind={kind === 'set' ? 'sets' : 'minifigs'} number={number} />
      <span className="min-w-0">
        <Link
          to={`/${kind}/${encodeURIComponent(number)}`}
          className="font-medium text-ink no-underline hover:underline"
        >
          {title}
        </Link>
        <span className="block text-xs font-normal text-ink-soft">{number}</span>
      </span>
    </span>
  )
}

function Price({ row: { price, source, change } }: { row: WatchedRow }) {
  return (
    <span className="inline-grid gap-0.5 sm:justify-items-end">
      <span className="font-medium">
        <Money cents={price} />
      </span>
      <span className="text-xs text-ink-soft">
        {source}
        {change !== null && change !== 0 && (
          <>
            {' · '}
            <PriceChange cents={change} />
          </>
        )}
      </span>
    </span>
  )
}

function Status({ row }: { row: WatchedRow }) {
  const { tone, label } = row.isPaused ? PAUSED : STATES[row.state]
  return (
    <span className="inline-grid gap-0.5 sm:justify-items-end">
      <span className="inline-flex flex-wrap gap-1 sm:justify-end">
        <Badge tone={tone}>{label}</Badge>
        {row.isRetiring && <Badge tone="warn">Retiring soon</Badge>}
      </span>
      <span className="text-xs text-ink-soft">
        <Progress row={row} />
      </span>
    </span>
  )
}

/** How far a price is from its target, or what came of reaching it. */
function Progress({ row: { state, price, target, alertedAt, wasMet, isPaused } }: { row: WatchedRow }) {
  if (isPaused) return 'Paused by you: no alerts'
  if (price === null || target === null) return null
  if (state !== 'met')
    return (
      <>
        <Money cents={price - target} /> to go
      </>
    )
  if (alertedAt !== null)
    return (
      <>
        Alerted <Timestamp iso={alertedAt} />
      </>
    )
  return wasMet ? 'Already met when you set it' : null
}

function TargetForm({ row: { kind, number, title, target } }: { row: WatchedRow }) {
  return (
    <RouterForm method="post" className="inline-flex items-center gap-1" preventScrollReset>
      <input type="hidden" name="intent" value="watch" />
      <input type="hidden" name="kind" value={kind} />
      <input type="hidden" name="number" value={number} />
      <span className="text-ink-soft">$</span>
      <input
        key={target}
        name="target"
        inputMode="decimal"
        aria-label={`Target price for ${title}`}
        defaultValue={target === null ? '' : (target / 100).toFixed(2)}
        placeholder="None"
        className="h-8 w-20 rounded-control border border-line-strong bg-card px-2 text-right placeholder:text-ink-faint"
      />
      <Button aria-label={`Save target for ${title}`}>Save</Button>
    </RouterForm>
  )
}

/** Pauses the alert of a target, or removes the item. */
function Actions({ row: { kind, number, title, ruleId, isPaused } }: { row: WatchedRow }) {
  const className = 'rounded-control px-2 py-1 text-ink-soft hover:bg-sunken hover:text-ink'
  return (
    <RouterForm method="post" preventScrollReset className="inline-flex">
      <input type="hidden" name="kind" value={kind} />
      <input type="hidden" name="number" value={number} />
      {ruleId !== null && (
        <>
          <input type="hidden" name="rule" value={ruleId} />
          <button
            name="intent"
            value={isPaused ? 'resume' : 'pause'}
            aria-label={`${isPaused ? 'Resume' : 'Pause'} ${title}`}
            className={className}
          >
            {isPaused ? 'Resume' : 'Pause'}
          </button>
        </>
      )}
      <button name="intent" value="unwatch" aria-label={`Remove ${title}`} className={className}>
        Remove
      </button>
    </RouterForm>
  )
}
