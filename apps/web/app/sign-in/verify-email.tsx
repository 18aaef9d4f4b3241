import { Link, redirect } from 'react-router'
import { verifyJWT } from 'better-auth/crypto'
import { PlainLayout } from '../layout/plain-layout.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { callAuth } from './call-auth.server.ts'
import { actionError } from '../request/action-result.server.ts'
import { getServices } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'
import type { Route } from './+types/verify-email.ts'

/** Target of the link in the verification email. Opening it changes nothing: mail scanners open links, too. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get('token') ?? ''
  return { token, email: await emailOf(context, token) }
}

/**
 * Confirms the address and signs in. Asks for the password, so that nobody confirms an account that somebody else opened
 * with their address, and whose password only that person knows.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const field = await readForm(request)
  const [token, password] = [field('token'), field('password')]
  const email = await emailOf(context, token)
  if (email === undefined) return actionError('This link is invalid or has expired.')
  const signIn = () => callAuth(request, context, '/sign-in/email', { email, password })
  let result = await signIn()
  if (result.data['code'] === 'EMAIL_NOT_VERIFIED') {
    const verified = await callAuth(request, context, `/verify-email?token=${encodeURIComponent(token)}`)
    result = verified.ok ? await signIn() : verified
  }
  if (!result.ok) return actionError(result.actionError, result.status, result.headers)
  return redirect(result.data['twoFactorRedirect'] === true ? '/sign-in/code' : '/', { headers: result.headers })
}

async function emailOf(context: Route.LoaderArgs['context'], token: string): Promise<string | undefined> {
  const payload = await verifyJWT<{ email?: string }>(token, getServices(context).config.secret)
  return payload?.email
}

export { actionHeaders as headers } from '../request/action-result.server.ts'

export default function VerifyEmail({ loaderData, actionData: result }: Route.ComponentProps) {
  const { token, email } = loaderData
  return (
    <PlainLayout>
      <title>Confirm your email · Brickmark</title>
      <Page
        title="Confirm your email"
        narrow
        {...(email !== undefined && { description: `Enter the password you chose for ${email}.` })}
      >
        {email === undefined ? (
          <>
            <Notice tone="loss">This link is invalid or has expired.</Notice>
            <p>
              <Link to="/sign-in">Sign in</Link> and we’ll send you a new confirmation link. After two days, you’ll need
              to <Link to="/sign-up">sign up</Link> again.
            </p>
          </>
        ) : (
          <>
            <Form submitLabel="Confirm and sign in" error={result?.actionError}>
              <input type="hidden" name="token" value={token} />
              <input type="hidden" name="email" value={email} autoComplete="username" />
              <TextField label="Password" name="password" type="password" required autoComplete="current-password" />
            </Form>
            <p className="text-ink-soft">
              Didn’t sign up? Close this page, and we’ll delete the account after two days.
            </p>
          </>
        )}
      </Page>
    </PlainLayout>
  )
}
