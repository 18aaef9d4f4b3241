import { redirect } from 'react-router'
import { writeAs } from '@brickmark/core/db/database'
import { revokeApiKey } from '@brickmark/core/account/api-key-commands'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { actionError } from '../request/action-result.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'
import { KEY_ERRORS, getKey } from './keys.server.ts'
import type { Route } from './+types/key-revoke.ts'

export async function loader({ context, params }: Route.LoaderArgs) {
  const { id, name } = await getKey(context, params.id)
  return { id, name }
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { accountId } = requireUser(context)
  const { id: keyId, name } = await getKey(context, params.id)
  const field = await readForm(request)
  if (field('name').trim() !== name) return actionError('That doesn’t match the key’s name.')
  const revoked = await writeAs(getServices(context).db, accountId, (tx) =>
    revokeApiKey(tx, { accountId, keyId, actor: 'owner' }),
  )
  return revoked ? redirect('/keys') : actionError(KEY_ERRORS['no such key'], 409)
}

export default function KeyRevoke({ loaderData, actionData: result }: Route.ComponentProps) {
  const { id, name } = loaderData
  return (
    <Dialog title={`Revoke “${name}”?`} closePath={`/keys/${id}`}>
      <p className="mb-4 text-ink-soft">Requests using this key will fail immediately. This can’t be undone.</p>
      <Form submitLabel="Revoke key" variant="danger" error={result?.actionError}>
        <TextField label={`Type “${name}” to confirm`} name="name" required autoComplete="off" />
      </Form>
    </Dialog>
  )
}
