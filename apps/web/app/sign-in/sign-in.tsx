import { Link, redirect } from 'react-router'
import { SignInLayout } from '../layout/plain-layout.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { PasskeySignInButton } from './passkey-buttons.tsx'
import { callAuth, suspendedMessage } from './call-auth.server.ts'
import { actionError } from '../request/action-result.server.ts'
import { getServices, sessionContext } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'
import { endReplacedSession, safeRedirectPath } from '../request/session.server.ts'
import type { Route } from './+types/sign-in.ts'

const NOTICES: Record<string, string> = {
  reset: 'Password updated. For your security, we signed you out everywhere. Sign in with your new password.',
  revoked:
    'Password updated. For your security, we signed you out everywhere, revoked your API keys and removed your passkeys. Sign in with your new password.',
  out: 'You’ve been signed out on all devices.',
  deleted: 'Your account has been deleted. We’ve sent you a confirmation email.',
  again: 'Please sign in again to confirm it’s you.',
}

export function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams
  const to = safeRedirectPath(query.get('to'))
  const done = query.get('done') ?? ''
  if (context.get(sessionContext) && done !== 'again') throw redirect(to)
  const notice = done === 'suspended' ? suspendedMessage(getServices(context).config.contactEmail) : NOTICES[done]
  return { to, notice }
}

export async function action({ request, context }: Route.ActionArgs) {
  const field = await readForm(request)
  const to = safeRedirectPath(field('to'))
  const result = await callAuth(request, context, '/sign-in/email', {
    email: field('email'),
    password: field('password'),
  })
  if (result.data['code'] === 'EMAIL_NOT_VERIFIED') {
    await callAuth(request, context, '/send-verification-email', { email: field('email') })
  }
  if (!result.ok) return actionError(result.actionError, result.status, result.headers)
  await endReplacedSession(context)
  const next = result.data['twoFactorRedirect'] === true ? `/sign-in/code?to=${encodeURIComponent(to)}` : to
  return redirect(next, { headers: result.headers })
}

export { actionHeaders as headers } from '../request/action-result.server.ts'

export default function SignIn({ loaderData, actionData: result }: Route.ComponentProps) {
  const { to, notice } = loaderData
  return (
    <SignInLayout>
      <title>Sign in · Brickmark</title>
      <Page title="Sign in" narrow>
        {notice !== undefined && !result && <Notice tone="accent">{notice}</Notice>}
        <Form submitLabel="Sign in" error={result?.actionError}>
          <input type="hidden" name="to" value={to} />
          <TextField label="Email" name="email" type="email" required autoComplete="username" />
          <TextField label="Password" name="password" type="password" required autoComplete="current-password" />
        </Form>
        <PasskeySignInButton to={to} />
        <p className="flex flex-wrap gap-x-6 gap-y-1">
          <Link to="/forgot-password">Forgot password?</Link>
          <span>
            New here? <Link to="/sign-up">Sign up</Link>
          </span>
        </p>
      </Page>
    </SignInLayout>
  )
}
