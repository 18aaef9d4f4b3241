import { Link } from 'react-router'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { EndpointStatus } from '../ui/endpoint-status.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { Table } from '../ui/table.tsx'
import { createEndpoint, loadEndpoints } from './webhooks.server.ts'
import type { Route } from './+types/webhooks.ts'

export async function loader({ context }: Route.LoaderArgs) {
  return loadEndpoints(context)
}

export async function action({ request, context }: Route.ActionArgs) {
  return createEndpoint(context, request)
}

/** The account's webhook endpoints. */
export default function Webhooks({
  loaderData: { endpoints, isAvailable, max },
  actionData: result,
}: Route.ComponentProps) {
  return (
    <Page
      title="Webhooks"
      description="Each alert becomes a signed HTTP request to your server, or a message in Discord, Slack or ntfy, within seconds."
    >
      <title>Webhooks · Brickmark</title>
      {!isAvailable && (
        <Notice tone="warn">Webhooks aren’t set up on this server. Ask its operator to set a webhook key.</Notice>
      )}
      {endpoints.length === 0 ? (
        <EmptyState title="No endpoints yet">
          Add the URL of your server or chat below, and send a test event.
        </EmptyState>
      ) : (
        <Card title={`Endpoints (${endpoints.length} of ${max})`}>
          <Table
            caption="Endpoints"
            rows={endpoints}
            rowKey={({ id }) => id}
            columns={[
              {
                key: 'url',
                title: 'URL',
                cell: ({ id, url }) => (
                  <Link to={`/webhooks/${id}`} className="break-all">
                    {url}
                  </Link>
                ),
              },
              {
                key: 'state',
                title: 'Status',
                cell: ({ disabledReason }) => <EndpointStatus reason={disabledReason} />,
              },
              { key: 'waiting', title: 'Waiting', right: true, cell: ({ waiting }) => waiting },
              { key: 'failed', title: 'Failed', right: true, cell: ({ failed }) => failed },
              { key: 'created', title: 'Added', cell: ({ createdAt }) => <Timestamp iso={createdAt} /> },
            ]}
          />
        </Card>
      )}
      {isAvailable && (
        <Card title="Add endpoint">
          <div className="max-w-md">
            <Form submitLabel="Add endpoint" error={result && 'actionError' in result ? result.actionError : undefined}>
              <TextField
                label="URL"
                name="url"
                type="url"
                required
                maxLength={2000}
                hint="Of your server, or of a webhook in Discord or Slack, or a topic of ntfy. It must start with https://."
              />
            </Form>
          </div>
        </Card>
      )}
    </Page>
  )
}
