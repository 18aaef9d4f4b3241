import { Dialog } from '../components/dialog.tsx'
import { Form } from '../components/form.tsx'
import { loadEndpointToDelete, removeEndpoint } from '../server/webhooks.ts'
import type { Route } from './+types/webhook-delete.ts'

export async function loader({ context, params }: Route.LoaderArgs) {
  return loadEndpointToDelete(context, params.id)
}

export async function action({ context, params }: Route.ActionArgs) {
  return removeEndpoint(context, params.id)
}

export default function DeleteWebhook({ loaderData }: Route.ComponentProps) {
  const { id, url, waiting } = loaderData
  return (
    <Dialog title="Delete this endpoint?" closePath={`/webhooks/${id}`}>
      <title>Delete endpoint · Brickmark</title>
      <Form submitLabel="Delete endpoint" variant="danger">
        <p>
          <code className="break-all">{url}</code> won’t get any more events
          {waiting > 0 && `, and the ${waiting.toLocaleString('en-US')} still waiting won’t be sent`}. Its secret and
          the record of its deliveries are deleted too.
        </p>
      </Form>
    </Dialog>
  )
}
