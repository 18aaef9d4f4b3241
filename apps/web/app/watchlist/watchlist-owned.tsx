import { Form } from 'react-router'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { SegmentedLinks } from '../ui/segmented-links.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { TextField } from '../ui/field.tsx'
import { ApiSnippets } from '../ui/api-snippets.tsx'
import { Page } from '../ui/page.tsx'
import { Pager } from '../ui/pager.tsx'
import { WatchlistTabs } from './watchlist-tabs.tsx'
import { WatchlistTable } from './watchlist-table.tsx'
import { loadOwnedPrices } from './watchlist-owned.server.ts'
import type { Route } from './+types/watchlist-owned.ts'

export async function loader({ request, context }: Route.LoaderArgs) {
  return loadOwnedPrices(context, new URL(request.url).searchParams)
}

const TIME_WINDOWS: [value: string, label: string][] = [
  ['', 'All'],
  ['3h', '3 hours'],
  ['24h', '24 hours'],
  ['7d', '7 days'],
]

export default function WatchlistOwned({ loaderData }: Route.ComponentProps) {
  const { held: ownedSets, rows, total, offset, limit, filters, errors } = loaderData
  const checkedTimes = rows
    .flatMap(({ a, b }) => [a?.checkedAt, b?.checkedAt])
    .filter((checkedAt) => checkedAt !== undefined)
  const query = new URLSearchParams(filters)
  return (
    <Page
      title="Watchlist"
      description="Current retailer prices for the sets you own."
      asOf={checkedTimes.sort().at(-1)}
      actions={
        <>
          <WatchlistTabs selected="owned" />
          {ownedSets > 0 && (
            <SegmentedLinks
              label="Changed within"
              selected={filters['changed_within'] ?? ''}
              options={TIME_WINDOWS}
              hrefFor={(value) => hrefFor({ ...filters, changed_within: value })}
            />
          )}
        </>
      }
    >
      <title>Watchlist · Brickmark</title>
      {ownedSets === 0 ? (
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
          We automatically track every set you own at two retailers: price, seller, lowest price seen, and what you’d
          net by selling.
        </EmptyState>
      ) : (
        <>
          {/* Open if a filter is set, so that a shared URL shows its filter. */}
          <details
            key={`filter ${query}`}
            open={query.size > 0 || Object.keys(errors).length > 0}
            className="rounded-card border border-line bg-card px-4 py-3 sm:px-5"
          >
            <summary className="w-fit font-medium">Filters</summary>
            <Form
              key={query.toString()}
              className="mt-3 grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-[1fr_1.3fr_1fr_1fr_auto]"
            >
              <TextField
                label="Changed within"
                name="changed_within"
                defaultValue={filters['changed_within']}
                placeholder="24h"
                error={errors['changed_within']}
              />
              <TextField
                label="Changed since (UTC)"
                name="since"
                type="datetime-local"
                defaultValue={filters['since']?.slice(0, 16)}
                error={errors['since']}
              />
              <TextField label="ASIN" name="asin" defaultValue={filters['asin']} placeholder="Comma-separated" />
              <TextField label="UPC or EAN" name="upc" defaultValue={filters['upc']} placeholder="Comma-separated" />
              <Button>Apply</Button>
            </Form>
          </details>
          {rows.length === 0 ? (
            <EmptyState
              title={query.size === 0 ? 'No retailer prices yet' : 'No matching prices'}
              {...(query.size > 0 && { action: <ButtonLink to="/watchlist/owned">Clear filters</ButtonLink> })}
            >
              {query.size === 0
                ? 'Prices appear here as soon as a retailer lists one of your sets.'
                : 'Try a longer time range, or clear your filters.'}
            </EmptyState>
          ) : (
            <Card title={total === 1 ? '1 set' : `${total.toLocaleString('en-US')} sets`}>
              <WatchlistTable rows={rows} />
              <p className="mt-3 text-sm text-ink-soft">
                Net if sold: what you’d receive per unit after fees if you sold through the first retailer’s fulfillment
                service today, and the difference from what you paid.
              </p>
              <Pager
                offset={offset}
                limit={limit}
                total={total}
                to={(next) => hrefFor({ ...filters, offset: String(next) })}
              />
            </Card>
          )}
        </>
      )}
      <ApiSnippets
        path={`/brickfolio/retail-watch${query.size === 0 ? '' : `?${query.toString().replaceAll("'", '%27')}`}`}
        cost={1}
        cliCommand={['brickmark watch', ...Object.entries(filters).map(cliOption)].join(' ')}
      />
    </Page>
  )
}

function hrefFor(filter: Record<string, string>): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
  return query.size === 0 ? '/watchlist/owned' : `/watchlist/owned?${query}`
}

/** Formats a filter as a CLI option; values with shell metacharacters are quoted. */
function cliOption([name, value]: [string, string]): string {
  const quoted = /^[\w:.,-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`
  return `--${name.replace('_', '-')} ${quoted}`
}
