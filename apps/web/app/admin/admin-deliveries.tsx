import { Link } from 'react-router'
import { findDeliveryStatus } from '@brickmark/core/account/operator-queries'
import { Card, Stat } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { EndpointStatus } from '../ui/endpoint-status.tsx'
import { Page } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'
import { TimeAgo } from './time-ago.tsx'
import { getServices, requireUser } from '../request/context.server.ts'
import type { Route } from './+types/admin-deliveries.ts'

export async function loader({ context }: Route.LoaderArgs) {
  const { mail, endpoints } = await findDeliveryStatus(getServices(context).db, requireUser(context).sessionToken)
  return {
    now: new Date().toISOString(),
    mail: { ...mail, oldest_at: mail.oldest_at?.toISOString() ?? null },
    endpoints: endpoints.map((endpoint) => ({
      ...endpoint,
      oldest_at: endpoint.oldest_at?.toISOString() ?? null,
      last_attempt_at: endpoint.last_attempt_at?.toISOString() ?? null,
    })),
  }
}

/** Mail, webhooks and push notifications that haven't arrived yet. */
export default function AdminDeliveries({ loaderData: { now, mail, endpoints } }: Route.ComponentProps) {
  return (
    <Page title="Deliveries" description="Email, webhooks and push notifications that haven’t arrived yet." asOf={now}>
      <title>Deliveries · Brickmark</title>
      <div className="grid gap-3 sm:grid-cols-3">
        <Stat label="Emails waiting" detail={`${mail.tried} of them tried`}>
          {mail.waiting}
        </Stat>
        <Stat label="Oldest email">
          <span className="text-base">
            {mail.oldest_at === null ? 'None' : <TimeAgo iso={mail.oldest_at} now={now} />}
          </span>
        </Stat>
        <Stat label="Last error of the mail server">
          <span className="text-base break-words">{mail.last_error ?? 'None'}</span>
        </Stat>
      </div>
      {endpoints.length === 0 ? (
        <EmptyState title="All webhooks have arrived">Endpoints that fail or fall behind are listed here.</EmptyState>
      ) : (
        <Card title="Webhook endpoints and browsers with deliveries that wait or failed">
          <Table
            caption="Webhook endpoints"
            rows={endpoints}
            rowKey={({ endpoint_id }) => endpoint_id}
            columns={[
              { key: 'host', title: 'Host', cell: ({ host }) => host },
              {
                key: 'account',
                title: 'Account',
                cell: ({ account_id }) => <Link to={`/admin/accounts/${account_id}`}>{account_id}</Link>,
              },
              {
                key: 'state',
                title: 'Status',
                cell: ({ disabled_reason }) => <EndpointStatus reason={disabled_reason} />,
              },
              { key: 'waiting', title: 'Waiting', right: true, cell: ({ waiting }) => waiting },
              { key: 'failed', title: 'Failed', right: true, cell: ({ failed }) => failed },
              { key: 'oldest', title: 'Oldest', cell: ({ oldest_at }) => <TimeAgo iso={oldest_at} now={now} /> },
              {
                key: 'attempt',
                title: 'Last attempt',
                cell: ({ last_attempt_at, last_status_code }) => (
                  <span>
                    <TimeAgo iso={last_attempt_at} now={now} />
                    {last_attempt_at !== null && (
                      <>
                        <br />
                        {last_status_code === null ? 'No response' : `Status ${last_status_code}`}
                      </>
                    )}
                  </span>
                ),
              },
            ]}
          />
        </Card>
      )}
    </Page>
  )
}
