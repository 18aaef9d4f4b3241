import { Link, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { findFreshness } from '@brickmark/core/account/operator-queries'
import { Ago, ageOf } from '../components/time-ago.tsx'
import { Card, Figure } from '../components/card.tsx'
import { Empty } from '../components/empty-state.tsx'
import { Page } from '../components/page.tsx'
import { Table } from '../components/table.tsx'
import { servicesOf, signedIn } from '../server/context.ts'

export async function loader({ context }: LoaderFunctionArgs) {
  const found = await findFreshness(servicesOf(context).db, signedIn(context).sessionToken)
  const { feeds, sources, backlog, market } = found
  return {
    now: market.now.toISOString(),
    valuesAt: market.values_at?.toISOString() ?? null,
    pricesAt: market.prices_at?.toISOString() ?? null,
    lastMonth: market.last_month?.slice(0, 7) ?? null,
    backlog: {
      items: backlog.items,
      products: backlog.products,
      since: oldest(backlog.items_since, backlog.products_since),
    },
    feeds: feeds.map((feed) => ({
      feed: feed.feed,
      fileName: feed.file_name,
      at: feed.finished_at?.toISOString() ?? null,
      accepted: feed.accepted ?? 0,
      repeated: feed.repeated ?? 0,
      refused: feed.quarantined ?? 0,
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

function oldest(...times: (Date | null)[]): string | null {
  const known = times.filter((time) => time !== null).map((time) => time.getTime())
  return known.length === 0 ? null : new Date(Math.min(...known)).toISOString()
}

const number = (count: number) => count.toLocaleString('en-US')
const counted = (count: number, noun: string) => `${number(count)} ${noun}${count === 1 ? '' : 's'}`

/** How fresh everything is, from the files that come in to the values that go out. */
export default function OperatorData() {
  const { now, valuesAt, pricesAt, lastMonth, backlog, feeds, sources } = useLoaderData<typeof loader>()
  const waiting = backlog.items + backlog.products
  return (
    <Page title="Data" lead="How fresh it is, from the files that come in to the values that go out." asOf={now}>
      <title>Data · Brickmark</title>
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <Figure label="Newest value">
          <span className="text-base">
            <Ago iso={valuesAt} now={now} never="None yet" />
          </span>
        </Figure>
        <Figure label="Newest retail price">
          <span className="text-base">
            <Ago iso={pricesAt} now={now} never="None yet" />
          </span>
        </Figure>
        <Figure label="Last frozen month">
          <span className="text-base">{lastMonth ?? 'None yet'}</span>
        </Figure>
        <Figure
          label="Changed, not yet computed"
          hint={backlog.since === null ? 'all is computed' : `the oldest waits for ${ageOf(backlog.since, now)}`}
        >
          {number(waiting)}
        </Figure>
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
            { key: 'at', title: 'Came', cell: ({ at }) => <Ago iso={at} now={now} /> },
            {
              key: 'rows',
              title: 'Its rows',
              right: true,
              cell: ({ at, accepted, repeated, refused }) =>
                at !== null && (
                  <span>
                    {number(accepted)} taken
                    <br />
                    <span className="text-ink-soft">
                      {number(repeated)} known, {number(refused)} refused
                    </span>
                  </span>
                ),
            },
            {
              key: 'today',
              title: 'Last 24 hours',
              right: true,
              cell: ({ filesToday, acceptedToday }) =>
                `${counted(acceptedToday, 'row')}, ${counted(filesToday, 'file')}`,
            },
            {
              key: 'quarantine',
              title: 'In quarantine',
              right: true,
              cell: ({ feed, inQuarantine }) =>
                inQuarantine === 0 ? '0' : <Link to={`/operator/quarantine?feed=${feed}`}>{number(inQuarantine)}</Link>,
            },
          ]}
        />
      </Card>
      {sources.length === 0 ? (
        <Empty title="No source is declared">
          Data comes under a licence: <code>npm run ops -- source-add</code> names the source and its terms.
        </Empty>
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
                cell: ({ polledAt }) => <Ago iso={polledAt} now={now} never="Not polled: it sends files" />,
              },
            ]}
          />
        </Card>
      )}
    </Page>
  )
}
