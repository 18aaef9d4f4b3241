import { Link, redirect } from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import { countAccountRows } from '@brickmark/core/account/account-export-queries'
import { deleteAccount } from '@brickmark/core/account/account-commands'
import { Card } from '../ui/card.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { callAuth } from '../sign-in/call-auth.server.ts'
import { actionError } from '../request/action-result.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'
import { requireRecentSignIn } from '../request/session.server.ts'
import { accountDeletedEmail } from '../../host/emails.ts'
import type { Route } from './+types/account-delete.ts'

/** Also enforced by the database. */
const REAUTH_WINDOW_MS = 10 * 60_000

/** Requires a sign-in within the last 10 minutes, by any method: password and second step, or passkey. */
function requireReauthentication(context: Route.LoaderArgs['context']): void {
  requireRecentSignIn(context, '/account/delete', REAUTH_WINDOW_MS)
}

export async function loader({ context }: Route.LoaderArgs) {
  requireReauthentication(context)
  const { accountId, email } = requireUser(context)
  const size = await readAs(getServices(context).db, accountId, (tx) => countAccountRows(tx, accountId))
  return { email, size }
}

export async function action({ request, context }: Route.ActionArgs) {
  requireReauthentication(context)
  const { db, mailer } = getServices(context)
  const { email, sessionToken } = requireUser(context)
  const field = await readForm(request)
  if (field('email').trim().toLowerCase() !== email.toLowerCase())
    return actionError('That doesn’t match your email address.')
  if (!(await deleteAccount(db, sessionToken)))
    return actionError('Your sign-in expired. Sign in again to delete your account.', 409)
  mailer.send(accountDeletedEmail(email))
  // The session was deleted with the account; this clears the cookie.
  const { headers } = await callAuth(request, context, '/sign-out', {})
  return redirect('/sign-in?done=deleted', { headers })
}

export default function AccountDelete({ loaderData, actionData: result }: Route.ComponentProps) {
  const { email, size } = loaderData
  return (
    <Page
      title="Delete account"
      narrow
      description="This permanently deletes everything below, immediately. It can’t be undone."
    >
      <title>Delete account · Brickmark</title>
      <Card title="What will be deleted">
        <ul className="list-disc pl-5">
          <li>
            {count(size.collections, 'collection')} with {count(size.lots, 'lot')}, {count(size.units, 'unit')} in total
          </li>
          <li>{count(size.sales, 'recorded sale')}, with fees and profit</li>
          <li>{count(size.imports, 'import')}, with undo history</li>
          <li>{count(size.watched, 'watched item')}, with target prices</li>
          <li>
            {count(size.keys, 'active API key')}; requests using {size.keys === 1 ? 'it' : 'them'} fail immediately
          </li>
          <li>Usage, activity log, passkeys and all sessions</li>
        </ul>
        <p className="mt-3 text-ink-soft">
          Backups are overwritten on a rolling schedule. Want a copy?{' '}
          <a href="/account/export.json">Export your data first</a>.
        </p>
      </Card>
      <Form submitLabel="Delete account permanently" variant="danger" error={result?.actionError}>
        <TextField label={`Type ${email} to confirm`} name="email" required autoComplete="off" />
      </Form>
      <p>
        <Link to="/account">Cancel</Link>
      </p>
    </Page>
  )
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`
}
