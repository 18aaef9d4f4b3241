import { redirect, useActionData, useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { writeAs } from '@brickmark/core/db/database'
import { revokeApiKey } from '@brickmark/core/account/api-key-commands'
import { Dialog } from '../components/dialog.tsx'
import { Field } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { problem } from '../server/call-auth.ts'
import { servicesOf, signedIn } from '../server/context.ts'
import { readForm } from '../server/form.ts'
import { REFUSALS, shownKey } from '../server/keys.ts'

export async function loader({ context, params }: LoaderFunctionArgs) {
  const { id, name } = await shownKey(context, params['id'])
  return { id, name }
}

export async function action({ request, context, params }: ActionFunctionArgs) {
  const { accountId } = signedIn(context)
  const { id: keyId, name } = await shownKey(context, params['id'])
  const field = await readForm(request)
  if (field('name').trim() !== name) return problem('That is not its name.')
  const revoked = await writeAs(servicesOf(context).db, accountId, (as) =>
    revokeApiKey(as, { accountId, keyId, actor: 'owner' }),
  )
  return revoked ? redirect('/keys') : problem(REFUSALS['no such key'], 409)
}

export default function RevokeKey() {
  const { id, name } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  return (
    <Dialog title={`Revoke “${name}”?`} closeTo={`/keys/${id}`}>
      <p className="mb-4 text-ink-soft">
        Its next request is answered 401, everywhere and at once. This cannot be undone.
      </p>
      <Form submit="Revoke" look="danger" problem={result?.problem}>
        <Field label={`Type “${name}” to confirm`} name="name" required autoComplete="off" />
      </Form>
    </Dialog>
  )
}
