import {
  Link,
  redirect,
  useActionData,
  useLoaderData,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import { countAccountRows } from '@brickmark/core/account/account-export-queries'
import { deleteAccount } from '@brickmark/core/account/account-commands'
import { Card } from '../components/card.tsx'
import { TextField } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Page } from '../components/page.tsx'
import { callAuth, actionError } from '../server/call-auth.ts'
import { getServices, requireUser } from '../server/context.ts'
import { readForm } from '../server/form.ts'
import { requireRecentSignIn } from '../server/session.ts'
import { accountDeletedEmail } from '../../server/emails.ts'

/** Also enforced by the database. */
const REAUTH_WINDOW_MS = 10 * 60_000

/** Requires a sign-in within the last 10 minutes, by any method: password and second step, or passkey. */
function requireReauthentication(context: LoaderFunctionArgs['context']): void {
  requireRecentSignIn(context, '/account/delete', REAUTH_WINDOW_MS)
}

export async function loader({ context }: LoaderFunctionArgs) {
  requireReauthentication(context)
  const { accountId, email } = requireUser(context)
  const size = await readAs(getServices(context).db, accountId, (tx) => countAccountRows(tx, accountId))
  return { email, size }
}

export async function action({ request, context }: ActionFunctionArgs) {
  requireReauthentication(context)
  const { db, mailer } = getServices(context)
  const { email, sessionToken } = requireUser(context)
  const field = await readForm(request)
  if (field('email').trim().toLowerCase() !== email.toLowerCase()) return actionError('That is not your address.')
  if (!(await deleteAccount(db, sessionToken)))
    return actionError('That took too long. Sign in again and repeat it.', 409)
  mailer.send(accountDeletedEmail(email))
  // The session was deleted with the account; this clears the cookie.
  const { headers } = await callAuth(request, context, '/sign-out', {})
  return redirect('/sign-in?done=deleted', { headers })
}

export default function DeleteAccount() {
  const { email, size } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  return (
    <Page
      title="Delete the account"
      narrow
      description="Everything below is taken out of our database at once, for good."
    >
      <title>Delete the account · Brickmark</title>
      <Card title="What you lose">
        <ul className="list-disc pl-5">
          <li>
            {count(size.collections, 'collection')} with {count(size.lots, 'lot')}, {count(size.units, 'unit')} in all
          </li>
          <li>{count(size.sales, 'recorded sale')}, with fees and profit</li>
          <li>{count(size.imports, 'import')} and what could be undone of them</li>
          <li>{count(size.keys, 'active API key')}: the next request is answered 401, wherever it comes from</li>
          <li>usage, the history of changes, passkeys, and every session</li>
        </ul>
        <p className="mt-3 text-ink-soft">
          Backups keep it until they are overwritten. To take it along, first{' '}
          <a href="/account/export.json">download everything</a>.
        </p>
      </Card>
      <Form submitLabel="Delete the account and everything in it" variant="danger" error={result?.actionError}>
        <TextField label={`Type ${email} to confirm`} name="email" required autoComplete="off" />
      </Form>
      <p>
        <Link to="/account">Keep the account</Link>
      </p>
    </Page>
  )
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`
}
