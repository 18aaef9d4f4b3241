import { Link } from 'react-router'
import { findDataFreshness } from '@brickmark/core/account/operator-queries'
import {
  findAccuracy,
  findDaysBehindSimpleMethod,
  findWorstItems,
} from '@brickmark/core/market/values/accuracy-queries'
import { TimeAgo, formatAge } from './time-ago.tsx'
import { Card, Stat } from '../ui/card.tsx'
import { Sources } from './sources.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'
import { getServices, requireUser } from '../request/context.server.ts'
import type { Route } from './+types/admin-data.ts'

export async function loader({ context }: Route.LoaderArgs) {
  const freshness = await findDataFreshness(getServices(context).db, requireUser(context).sessionToken)
  const { feeds, sources, backlog, market } = freshness
  const { db } = getServices(context)
  const [accuracy, worst, daysBehind] = await Promise.all([
    findAccuracy(db),
    findWorstItems(db),
    findDaysBehindSimpleMethod(db),
  ])
  return {
    accuracy: accuracy
      .filter(({ grouped_by }) => grouped_by !== 'theme')
      .map((row) => ({
        group: `${row.condition}, ${row.name}`,
        sales: row.sales,
        error: row.median_error_pct,
        simpleMethod: row.simple_method,
        simpleError: row.simple_error_pct,
        coverage: row.coverage_pct,
        width: row.width_pct,
        doubtful: row.doubtful_pct,
      })),
    worst: worst.map((row) => ({
      number: row.set_number,
      condition: row.condition,
      cases: row.cases,
      error: row.error_pct,
      simpleError: row.simple_error_pct,
    })),
    daysBehind,
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
    sets: market.sets,
    minifigs: market.minifigs,
    sources: sources.map((source) => ({
      id: source.source_id,
      name: source.name,
      license: source.license_id,
      terms: source.terms,
      rank: source.rank,
      polledAt: source.polled_at?.toISOString() ?? null,
      withdrawnAt: source.withdrawn_at?.toISOString() ?? null,
      feedsValues: source.feeds_values,
      shown: source.shown,
      maxDisplayAge: source.max_display_age,
      retention: source.retention,
      attribution: source.attribution,
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
export default function AdminData({ loaderData }: Route.ComponentProps) {
  const { now, sets, minifigs, valuesAt, pricesAt, lastMonth, backlog, feeds, sources, accuracy, worst, daysBehind } =
    loaderData
  const backlogSize = backlog.items + backlog.products
  return (
    <Page title="Data" description="Data freshness, from incoming files to published values." asOf={now}>
      <title>Data · Brickmark</title>
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-5">
        <Stat label="Catalog" detail={pluralize(minifigs, 'minifig')}>
          {pluralize(sets, 'set')}
        </Stat>
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
      <Sources sources={sources} now={now} />
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
      <ValueAccuracy accuracy={accuracy} worst={worst} daysBehind={daysBehind} />
    </Page>
  )
}

const percent = (value: number | null) => (value === null ? null : `${value.toFixed(1)}%`)

/** How accurate values were, beside what anybody could compute from the same sales. */
function ValueAccuracy({
  accuracy,
  worst,
  daysBehind,
}: Pick<Route.ComponentProps['loaderData'], 'accuracy' | 'worst' | 'daysBehind'>) {
  return (
    <Card title="Accuracy of values">
      {daysBehind > 0 && (
        <p className="mb-4 max-w-prose" role="status">
          A simple method has been more accurate for {pluralize(daysBehind, 'day')}.
          {daysBehind >= 30 && ' Look at the worst sets below, and at recent changes of your sales files.'}
        </p>
      )}
      {accuracy.length === 0 ? (
        <EmptyState title="Not measured yet">
          Values are compared with the next sale every night, once a group has 30 of them.
        </EmptyState>
      ) : (
        <Table
          caption="Accuracy of values"
          rows={accuracy}
          rowKey={({ group }) => group}
          columns={[
            { key: 'group', title: 'Values', cell: ({ group }) => group },
            { key: 'sales', title: 'Sales', right: true, cell: ({ sales }) => number(sales) },
            { key: 'error', title: 'Median error', right: true, cell: ({ error }) => percent(error) },
            {
              key: 'simple',
              title: 'Best simple method',
              right: true,
              cell: ({ simpleError, simpleMethod }) =>
                simpleError === null ? null : `${percent(simpleError)} (${simpleMethod})`,
            },
            { key: 'coverage', title: 'In range', right: true, cell: ({ coverage }) => percent(coverage) },
            { key: 'width', title: 'Width of range', right: true, cell: ({ width }) => percent(width) },
            { key: 'doubtful', title: 'In doubt', right: true, cell: ({ doubtful }) => percent(doubtful) },
          ]}
        />
      )}
      {worst.length > 0 && (
        <Table
          caption="Sets furthest behind a simple method"
          rows={worst}
          rowKey={(row) => `${row.number} ${row.condition}`}
          columns={[
            {
              key: 'set',
              title: 'Set',
              cell: (row) => <Link to={`/set/${encodeURIComponent(row.number)}`}>{row.number}</Link>,
            },
            { key: 'condition', title: 'Condition', cell: ({ condition }) => condition },
            { key: 'cases', title: 'Weeks', right: true, cell: ({ cases }) => cases },
            { key: 'error', title: 'Mean error', right: true, cell: ({ error }) => percent(error) },
            { key: 'simple', title: 'Simple method', right: true, cell: ({ simpleError }) => percent(simpleError) },
          ]}
        />
      )}
    </Card>
  )
}
