import { Link } from 'react-router'
import { findQuarantinedRows } from '@brickmark/core/account/operator-queries'
import { Card } from '../ui/card.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { Pager } from '../ui/pager.tsx'
import { Table } from '../ui/table.tsx'
import { getServices, requireUser } from '../request/context.server.ts'
import type { Route } from './+types/admin-quarantine.ts'
import { parseOffset } from '../request/input.server.ts'

const LIMIT = 50
const FEEDS = ['catalog', 'sales', 'returns', 'retail']

export async function loader({ request, context }: Route.LoaderArgs) {
  const feedParam = new URL(request.url).searchParams.get('feed') ?? ''
  const feed = FEEDS.includes(feedParam) ? feedParam : ''
  const offset = parseOffset(new URL(request.url).searchParams.get('offset'))
  const { sessionToken } = requireUser(context)
  const page = await findQuarantinedRows(getServices(context).db, sessionToken, { feed, limit: LIMIT, offset })
  return {
    feed,
    offset,
    total: page.total,
    rows: page.rows.map((row) => ({
      id: row.quarantine_id,
      feed: row.feed,
      fileName: row.file_name,
      at: row.came_at.toISOString(),
      row: row.row_number,
      reason: row.reason,
    })),
  }
}

/** Rejected feed rows with the reason. Their content is licensed and not shown. */
export default function AdminQuarantine({ loaderData }: Route.ComponentProps) {
  const { feed, offset, total, rows } = loaderData
  return (
    <Page
      title="Quarantine"
      description="Rows that couldn’t be ingested, and why. Row contents are licensed data and aren’t shown here; use the command below."
    >
      <title>Quarantine · Brickmark</title>
      <nav aria-label="Feeds">
        <ul className="flex flex-wrap gap-x-4 gap-y-1">
          {['', ...FEEDS].map((name) => (
            <li key={name}>
              <Link
                to={name === '' ? '/admin/quarantine' : `?feed=${name}`}
                aria-current={name === feed ? 'true' : undefined}
                className="text-accent underline underline-offset-4 aria-[current=true]:font-semibold aria-[current=true]:text-ink aria-[current=true]:no-underline"
              >
                {name === '' ? 'All feeds' : name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {rows.length === 0 ? (
        <EmptyState title="Nothing in quarantine">All {feed !== '' && `${feed} `}rows were ingested.</EmptyState>
      ) : (
        <>
          <Card title={`${total.toLocaleString('en-US')} ${total === 1 ? 'row' : 'rows'}`}>
            <Table
              caption="Rows in quarantine, newest first"
              rows={rows}
              rowKey={(row) => row.id}
              columns={[
                { key: 'reason', title: 'Reason', cell: ({ reason }) => <span className="break-words">{reason}</span> },
                { key: 'feed', title: 'Feed', cell: (row) => row.feed },
                { key: 'file', title: 'File', cell: ({ fileName }) => <span className="break-all">{fileName}</span> },
                { key: 'row', title: 'Row', right: true, cell: ({ row }) => row.toLocaleString('en-US') },
                { key: 'at', title: 'Received', cell: ({ at }) => <Timestamp iso={at} /> },
              ]}
            />
            <Pager
              offset={offset}
              limit={LIMIT}
              total={total}
              to={(next) => `?${new URLSearchParams({ ...(feed && { feed }), offset: String(next) })}`}
            />
          </Card>
          <Card title="Retry rows">
            <p className="mb-3 max-w-prose text-ink-soft">
              This app can’t write market data. Retry rows from the command line once the missing data has arrived.
            </p>
            <CodeBlock
              label="List and retry quarantined rows"
              text={`npm run ops -- quarantine${feed && ` --feed ${feed}`}\nnpm run ops -- quarantine --feed ${feed || 'sales'} --retry`}
            />
          </Card>
        </>
      )}
    </Page>
  )
}
