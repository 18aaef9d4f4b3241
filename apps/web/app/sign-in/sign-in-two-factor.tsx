import { data, redirect } from 'react-router'
import { PlainLayout } from '../layout/plain-layout.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { callAuth } from './call-auth.server.ts'
import { sessionContext } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'
import { safeRedirectPath } from '../request/session.server.ts'
import type { Route } from './+types/sign-in-two-factor.ts'

export function loader({ request }: Route.LoaderArgs) {
  return { to: safeRedirectPath(new URL(request.url).searchParams.get('to')) }
}

/** Verifies the second step: a code from the authenticator app, or a recovery code. */
export async function action({ request, context }: Route.ActionArgs) {
  const field = await readForm(request)
  // With an existing session, the same call would complete a pending two-factor enrollment.
  if (context.get(sessionContext)) return redirect(safeRedirectPath(field('to')))
  const intent = field('intent') === 'recovery' ? 'recovery' : 'code'
  const code = field('code').replaceAll(/\s/g, '')
  const path = intent === 'recovery' ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp'
  const result = await callAuth(request, context, path, { code })
  if (result.ok) return redirect(safeRedirectPath(field('to')), { headers: result.headers })
  return data({ intent, problem: result.actionError }, { status: result.status, headers: result.headers })
}

export { actionHeaders as headers } from '../request/action-result.server.ts'

export default function SignInTwoFactor({ loaderData, actionData: result }: Route.ComponentProps) {
  const { to } = loaderData
  const problemOf = (intent: string) => (result?.intent === intent ? result.problem : undefined)
  return (
    <PlainLayout>
      <title>Two-factor authentication · Brickmark</title>
      <Page title="Two-factor authentication" narrow description="Enter the 6-digit code from your authenticator app.">
        <Form submitLabel="Sign in" intent="code" error={problemOf('code')}>
          <input type="hidden" name="to" value={to} />
          <TextField
            label="Code"
            name="code"
            required
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
          />
        </Form>
        <details open={result?.intent === 'recovery'}>
          <summary className="w-fit underline decoration-line-strong underline-offset-4">Use a recovery code</summary>
          <div className="mt-4">
            <Form submitLabel="Sign in" variant="plain" intent="recovery" error={problemOf('recovery')}>
              <input type="hidden" name="to" value={to} />
              <TextField
                label="Recovery code"
                name="code"
                required
                autoComplete="off"
                hint="Each code can be used once."
              />
            </Form>
          </div>
        </details>
      </Page>
    </PlainLayout>
  )
}
