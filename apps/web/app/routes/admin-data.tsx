import { Link, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { findDataFreshness } from '@brickmark/core/account/operator-queries'
import { TimeAgo, formatAge } from '../components/time-ago.tsx'
import { Card, Stat } from '../components/card.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Page } from '../components/page.tsx'
import { Table } from '../components/table.tsx'
import { getServices, requireUser } from '../server/context.ts'

export async function loader({ context }: LoaderFunctionArgs) {
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
export default function OperatorData() {
  const { now, valuesAt, pricesAt, lastMonth, backlog, feeds, sources } = useLoaderData<typeof loader>()
  const backlogSize = backlog.items + backlog.products
  return (
    <Page title="Data" description="How fresh it is, from the files that come in to the values that go out." asOf={now}>
      <title>Data · Brickmark</title>
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <Stat label="Newest value">
          <span className="text-base">
            <TimeAgo iso={valuesAt} now={now} fallback="None yet" />
          </span>
        </Stat>
        <Stat label="Newest retail price">
          <span className="text-base">
            <TimeAgo iso={pricesAt} now={now} fallback="None yet" />
          </span>
        </Stat>
        <Stat label="Last frozen month">
          <span className="text-base">{lastMonth ?? 'None yet'}</span>
        </Stat>
        <Stat
          label="Changed, not yet computed"
          detail={backlog.since === null ? 'all is computed' : `the oldest waits for ${formatAge(backlog.since, now)}`}
        >
          {number(backlogSize)}
        </Stat>
      </div>
      <Card title="Files, by feed">
        <Table
          caption="The newest file of each feed"
          rows={feeds}
          rowKey={(row) => row.feed}
          columns={[
            { key: 'feed', title: 'Feed', cell: ({ feed }) => feed },
            {
              key: 'file',
              title: 'Newest file',
              cell: ({ fileName }) => <span className="break-all">{fileName ?? 'None ever came'}</span>,
            },
            { key: 'at', title: 'Came', cell: ({ at }) => <TimeAgo iso={at} now={now} /> },
            {
              key: 'rows',
              title: 'Its rows',
              right: true,
              cell: ({ at, accepted, duplicates, rejected }) =>
                at !== null && (
                  <span>
                    {number(accepted)} taken
                    <br />
                    <span className="text-ink-soft">
                      {number(duplicates)} known, {number(rejected)} refused
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
              title: 'In quarantine',
              right: true,
              cell: ({ feed, inQuarantine }) =>
                inQuarantine === 0 ? '0' : <Link to={`/admin/quarantine?feed=${feed}`}>{number(inQuarantine)}</Link>,
            },
          ]}
        />
      </Card>
      {sources.length === 0 ? (
        <EmptyState title="No source is declared">
          Data comes under a licence: <code>npm run ops -- source-add</code> names the source and its terms.
        </EmptyState>
      ) : (
        <Card title="Sources">
          <Table
            caption="Declared sources"
            rows={sources}
            rowKey={(row) => row.id}
            columns={[
              { key: 'name', title: 'Source', cell: ({ name, id }) => `${name} (${id})` },
              { key: 'licence', title: 'Licence', cell: ({ licence }) => licence },
              { key: 'rank', title: 'Rank', right: true, cell: ({ rank }) => rank },
              {
                key: 'polled',
                title: 'Last polled',
                cell: ({ polledAt }) => <TimeAgo iso={polledAt} now={now} fallback="Not polled: it sends files" />,
              },
            ]}
          />
        </Card>
      )}
    </Page>
  )
}
