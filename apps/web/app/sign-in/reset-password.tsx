import { Link, redirect } from 'react-router'
import { PlainLayout } from '../layout/plain-layout.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { callAuth } from './call-auth.server.ts'
import { actionError } from '../request/action-result.server.ts'
import { readForm } from '../request/form.server.ts'
import type { Route } from './+types/reset-password.ts'

/** Target of the link in the password reset email. */
export function loader({ request }: Route.LoaderArgs) {
  return { token: new URL(request.url).searchParams.get('token') ?? '' }
}

export async function action({ request, context }: Route.ActionArgs) {
  const field = await readForm(request)
  const revoke = field('revoke') === 'yes'
  const result = await callAuth(request, context, `/reset-password${revoke ? '?revoke=yes' : ''}`, {
    token: field('token'),
    newPassword: field('password'),
  })
  if (!result.ok) return actionError(result.actionError, result.status, result.headers)
  return redirect(`/sign-in?done=${revoke ? 'revoked' : 'reset'}`)
}

export { actionHeaders as headers } from '../request/action-result.server.ts'

export default function ResetPassword({ loaderData, actionData: result }: Route.ComponentProps) {
  const { token } = loaderData
  return (
    <PlainLayout>
      <title>New password · Brickmark</title>
      <Page title="Choose a new password" narrow description="You’ll be signed out on all devices.">
        <Form submitLabel="Update password" error={result?.actionError}>
          <input type="hidden" name="token" value={token} />
          <TextField
            label="New password"
            name="password"
            type="password"
            required
            minLength={10}
            maxLength={128}
            autoComplete="new-password"
            hint="At least 10 characters. A few random words work best."
          />
          <label className="flex items-start gap-2">
            <input type="checkbox" name="revoke" value="yes" className="mt-1 size-4 accent-accent" />
            <span>
              Also revoke my API keys and remove my passkeys
              <span className="block text-sm text-ink-soft">
                Do this if someone else may have had access to your account. Anything that uses an API key stops
                working.
              </span>
            </span>
          </label>
        </Form>
        <p>
          <Link to="/forgot-password">Request a new link</Link>
        </p>
      </Page>
    </PlainLayout>
  )
}
