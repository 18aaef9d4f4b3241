import { Link } from 'react-router'
import { formatPercent, formatUsd } from '@brickmark/core/primitives/format-money'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Converted } from '../ui/converted.tsx'
import { countOf } from '../ui/count-of.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ApiSnippets } from '../ui/api-snippets.tsx'
import { FilterLinks } from '../ui/filter-links.tsx'
import { Delta, Money } from '../ui/money.tsx'
import { Page } from '../ui/page.tsx'
import { Pager } from '../ui/pager.tsx'
import { StatRow } from '../ui/stat-row.tsx'
import { OwnedTable } from './owned-table.tsx'
import { WatchlistTabs } from './watchlist-tabs.tsx'
import { loadOwnedPrices, type OwnedFilter } from './watchlist-owned.server.ts'
import type { Route } from './+types/watchlist-owned.ts'

export async function loader({ request, context }: Route.LoaderArgs) {
  return loadOwnedPrices(context, new URL(request.url).searchParams)
}

const FILTER_LABELS: [OwnedFilter, string][] = [
  ['all', 'All'],
  ['moved', 'Changed today'],
  ['lowest', 'Lowest so far'],
  ['third_party', 'Third-party only'],
  ['out_of_stock', 'Out of stock'],
]

/** What retailers ask for the sets one owns, and what selling them now would leave. */
export default function WatchlistOwned({ loaderData }: Route.ComponentProps) {
  const { filter, rows, total, offset, limit, counts, totals, costs, asOf } = loaderData
  return (
    <Page
      title="Watchlist"
      description="What retailers ask today for the sets you own, and what you would keep if you sold now."
      asOf={asOf}
      actions={<WatchlistTabs selected="owned" />}
    >
      <title>Sets you own · Brickmark</title>
      {counts.all === 0 ? (
        <EmptyState
          title="No sets yet"
          action={
            <>
              <ButtonLink to="/import" variant="main">
                Import sets
              </ButtonLink>
              <ButtonLink to="/collections">Create a collection</ButtonLink>
            </>
          }
        >
          We follow the prices of every set you own, without you having to watch it.
        </EmptyState>
      ) : (
        <>
          <Totals data={loaderData} />
          <FilterLinks
            selected={filter}
            filters={FILTER_LABELS.map(([name, label]) => [name, label, counts[name]])}
            hrefFor={(name) => hrefFor(name, 0)}
          />
          {rows.length === 0 ? (
            <EmptyState title="No matches" action={<ButtonLink to="/watchlist/owned">Show all</ButtonLink>}>
              None of your sets matches this filter right now.
            </EmptyState>
          ) : (
            <Card>
              <OwnedTable rows={rows} />
              <Pager offset={offset} limit={limit} total={total} to={(from) => hrefFor(filter, from)} />
            </Card>
          )}
          <p className="text-sm text-ink-soft">
            Net if sold now is for one copy: its value minus {formatPercent(costs.feeBasisPoints / 10_000)} and{' '}
            {formatUsd(costs.fixedFee)}, and shipping by the weight of the box.{' '}
            <Link to="/deals">Change fees and shipping</Link>
            {totals.excluded > 0 &&
              `. ${countOf(totals.excluded, 'copy', 'copies')} without a value or a purchase price ${totals.excluded === 1 ? 'isn’t' : 'aren’t'} part of the sums.`}
          </p>
        </>
      )}
      <ApiSnippets path="/brickfolio/retail-watch" cost={1} cliCommand="brickmark watch" />
    </Page>
  )
}

function Totals({ data: { totals, counts, movedThisWeek } }: { data: Route.ComponentProps['loaderData'] }) {
  const { copies, net, paid, gain } = totals
  const hasSum = copies > 0
  return (
    <StatRow
      label="If you sold now"
      cells={[
        {
          label: 'Net if all sold now',
          figure: (
            <>
              <Money cents={hasSum ? net : null} /> <Converted cents={hasSum ? net : null} />
            </>
          ),
          detail: `${countOf(copies, 'copy', 'copies')}, after fees and shipping`,
        },
        {
          label: 'What you paid',
          figure: <Money cents={hasSum ? paid : null} />,
          sign: '−',
          detail: 'for the same copies',
        },
        {
          label: 'You would gain',
          figure: <Delta cents={hasSum ? gain : null} />,
          sign: '=',
          ...(paid > 0 && { detail: <Delta ratio={gain / paid} withArrow={false} /> }),
        },
        {
          label: 'Prices that changed',
          figure: `${counts.moved.toLocaleString('en-US')} today`,
          detail: `${movedThisWeek.toLocaleString('en-US')} in the last 7 days`,
        },
      ]}
    />
  )
}

function hrefFor(filter: OwnedFilter, from: number): string {
  const query = new URLSearchParams({ ...(filter !== 'all' && { filter }), ...(from > 0 && { from: String(from) }) })
  return query.size === 0 ? '/watchlist/owned' : `/watchlist/owned?${query}`
}
