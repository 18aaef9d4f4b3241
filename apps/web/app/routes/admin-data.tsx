import { Link } from 'react-router'
import { findDataFreshness } from '@brickmark/core/account/operator-queries'
import { TimeAgo, formatAge } from '../components/time-ago.tsx'
import { Card, Stat } from '../components/card.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Page } from '../components/page.tsx'
import { Table } from '../components/table.tsx'
import { getServices, requireUser } from '../server/context.ts'
import type { Route } from './+types/admin-data.ts'

export async function loader({ context }: Route.LoaderArgs) {
  const freshness = await findDataFreshness(getServices(context).db, requireUser(context).sessionToken)
  const { feeds, sources, backlog, market } = freshness
  return {
    now: market.now.toISOString(),
    valuesAt: market.values_at?.toISOString() ?? null,
    pricesAt: market.prices_at?.toISOString() ?? null,
    lastMonth: market.last_month?.slice(0, 7) ?? null,
    backlog: {
      items: backlog.items,
      products: backlog.products,
      since: earliest(backlog.items_since, backlog.products_since),
    },
    feeds: feeds.map((feed) => ({
      feed: feed.feed,
      fileName: feed.file_name,
      at: feed.finished_at?.toISOString() ?? null,
      accepted: feed.accepted ?? 0,
      duplicates: feed.repeated ?? 0,
      rejected: feed.quarantined ?? 0,
      filesToday: feed.files_today,
      acceptedToday: feed.accepted_today,
      inQuarantine: feed.in_quarantine,
    })),
    sources: sources.map((source) => ({
      id: source.source_id,
      name: source.name,
      licence: source.licence_id,
      rank: source.rank,
      polledAt: source.polled_at?.toISOString() ?? null,
    })),
  }
}

function earliest(...times: (Date | null)[]): string | null {
  const known = times.filter((time) => time !== null).map((time) => time.getTime())
  return known.length === 0 ? null : new Date(Math.min(...known)).toISOString()
}

const number = (count: number) => count.toLocaleString('en-US')
const pluralize = (count: number, noun: string) => `${number(count)} ${noun}${count === 1 ? '' : 's'}`

/** Data freshness, from ingested files to published values. */
export default function OperatorData({ loaderData }: Route.ComponentProps) {
  const { now, valuesAt, pricesAt, lastMonth, backlog, feeds, sources } = loaderData
  const backlogSize = backlog.items + backlog.products
  return (
    <Page title="Data" description="Data freshness, from incoming files to published values." asOf={now}>
      <title>Data · Brickmark</title>
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <Stat label="Latest value">
          <span className="text-base">
            <TimeAgo iso={valuesAt} now={now} fallback="None yet" />
          </span>
        </Stat>
        <Stat label="Latest retail price">
          <span className="text-base">
            <TimeAgo iso={pricesAt} now={now} fallback="None yet" />
          </span>
        </Stat>
        <Stat label="Last finalized month">
          <span className="text-base">{lastMonth ?? 'None yet'}</span>
        </Stat>
        <Stat
          label="Valuation backlog"
          detail={backlog.since === null ? 'Up to date' : `Oldest: ${formatAge(backlog.since, now)}`}
        >
          {number(backlogSize)}
        </Stat>
      </div>
      <Card title="Feeds">
        <Table
          caption="Latest file per feed"
          rows={feeds}
          rowKey={(row) => row.feed}
          columns={[
            { key: 'feed', title: 'Feed', cell: ({ feed }) => feed },
            {
              key: 'file',
              title: 'Latest file',
              cell: ({ fileName }) => <span className="break-all">{fileName ?? 'None yet'}</span>,
            },
            { key: 'at', title: 'Received', cell: ({ at }) => <TimeAgo iso={at} now={now} /> },
            {
              key: 'rows',
              title: 'Rows',
              right: true,
              cell: ({ at, accepted, duplicates, rejected }) =>
                at !== null && (
                  <span>
                    {number(accepted)} accepted
                    <br />
                    <span className="text-ink-soft">
                      {number(duplicates)} duplicates, {number(rejected)} rejected
                    </span>
                  </span>
                ),
            },
            {
              key: 'today',
              title: 'Last 24 hours',
              right: true,
              cell: ({ filesToday, acceptedToday }) =>
                `${pluralize(acceptedToday, 'row')}, ${pluralize(filesToday, 'file')}`,
            },
            {
              key: 'quarantine',
              title: 'Quarantined',
              right: true,
              cell: ({ feed, inQuarantine }) =>
                inQuarantine === 0 ? '0' : <Link to={`/admin/quarantine?feed=${feed}`}>{number(inQuarantine)}</Link>,
            },
          ]}
        />
      </Card>
      {sources.length === 0 ? (
        <EmptyState title="No sources yet">
          Register a data source and its license with <code>npm run ops -- source-add</code>.
        </EmptyState>
      ) : (
        <Card title="Sources">
          <Table
            caption="Data sources"
            rows={sources}
            rowKey={(row) => row.id}
            columns={[
              { key: 'name', title: 'Source', cell: ({ name, id }) => `${name} (${id})` },
              { key: 'licence', title: 'License', cell: ({ licence }) => licence },
              { key: 'rank', title: 'Priority', right: true, cell: ({ rank }) => rank },
              {
                key: 'polled',
                title: 'Last polled',
                cell: ({ polledAt }) => <TimeAgo iso={polledAt} now={now} fallback="File-based" />,
              },
            ]}
          />
        </Card>
      )}
    </Page>
  )
}
