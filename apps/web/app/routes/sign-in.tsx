import {
  Link,
  redirect,
  useActionData,
  useLoaderData,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from 'react-router'
import { Bare } from '../components/plain-layout.tsx'
import { Field } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Notice } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { PasskeySignIn } from '../components/passkey-buttons.tsx'
import { callAuth, problem } from '../server/call-auth.ts'
import { sessionContext } from '../server/context.ts'
import { readForm } from '../server/form.ts'
import { endReplacedSession, safePath } from '../server/session.ts'

const DONE: Record<string, string> = {
  verified: 'Your address is confirmed. Sign in to begin.',
  reset: 'Your new password is set, and every session has ended. Sign in with it.',
  out: 'You are signed out everywhere.',
  deleted: 'Your account is deleted, with everything in it. A last mail says so.',
  again: 'This needs you to prove again that it is you.',
}

export function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams
  const to = safePath(query.get('to'))
  const done = query.get('done') ?? ''
  if (context.get(sessionContext) && done !== 'again') throw redirect(to)
  return { to, notice: DONE[done] }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const field = await readForm(request)
  const to = safePath(field('to'))
  const answer = await callAuth(request, context, '/sign-in/email', {
    email: field('email'),
    password: field('password'),
  })
  if (!answer.ok) return problem(answer.problem, 400, answer.headers)
  await endReplacedSession(context)
  const next = answer.data['twoFactorRedirect'] === true ? `/sign-in/code?to=${encodeURIComponent(to)}` : to
  return redirect(next, { headers: answer.headers })
}

export default function SignIn() {
  const { to, notice } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  return (
    <Bare>
      <title>Sign in · Brickmark</title>
      <Page title="Sign in" narrow>
        {notice !== undefined && !result && <Notice tone="accent">{notice}</Notice>}
        <Form submit="Sign in" problem={result?.problem}>
          <input type="hidden" name="to" value={to} />
          <Field label="E-mail" name="email" type="email" required autoComplete="username" />
          <Field label="Password" name="password" type="password" required autoComplete="current-password" />
        </Form>
        <PasskeySignIn to={to} />
        <p className="flex flex-wrap gap-x-6 gap-y-1">
          <Link to="/reset">Forgot the password?</Link>
          <span>
            New here? <Link to="/sign-up">Sign up</Link>
          </span>
        </p>
      </Page>
    </Bare>
  )
}
