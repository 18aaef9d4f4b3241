import { Dialog } from '../ui/dialog.tsx'
import { Form } from '../ui/form.tsx'
import { loadEndpointToDelete, removeEndpoint } from './webhooks.server.ts'
import type { Route } from './+types/webhook-delete.ts'

export async function loader({ context, params }: Route.LoaderArgs) {
  return loadEndpointToDelete(context, params.id)
}

export async function action({ context, params }: Route.ActionArgs) {
  return removeEndpoint(context, params.id)
}

export default function WebhookDelete({ loaderData }: Route.ComponentProps) {
  const { id, url, waiting } = loaderData
  return (
    <Dialog title="Delete this endpoint?" closePath={`/webhooks/${id}`}>
      <title>Delete endpoint · Brickmark</title>
      <Form submitLabel="Delete endpoint" variant="danger">
        <p>
          <code className="break-all">{url}</code> won’t get any more events
          {waiting > 0 &&
            `, and ${waiting.toLocaleString('en-US')} waiting ${waiting === 1 ? 'event' : 'events'} won’t be sent`}
          . This also deletes its secret and delivery history.
        </p>
      </Form>
    </Dialog>
  )
}
