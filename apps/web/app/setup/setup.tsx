import { Check } from 'lucide-react'
import { data, redirect, type RouterContextProvider } from 'react-router'
import { appointFirstOperator, confirmEmail } from '@brickmark/core/account/user-commands'
import { findSetupNonce } from '@brickmark/core/account/setup-queries'
import { isSetupToken } from '@brickmark/core/account/setup-token'
import { SignInLayout } from '../layout/plain-layout.tsx'
import { actionError } from '../request/action-result.server.ts'
import { getServices, requireUser, sessionContext } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'
import { endReplacedSession, reauthPath } from '../request/session.server.ts'
import { callAuth } from '../sign-in/call-auth.server.ts'
import { ButtonLink } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import type { Route } from './+types/setup.ts'

const setupPath = (token: string) => `/setup?token=${encodeURIComponent(token)}`
const twoFactorPath = (token: string) => `/account/two-factor?to=${encodeURIComponent(setupPath(token))}`

/** Whether the token is right; 404 once there has been an operator. */
async function checkToken(context: Readonly<RouterContextProvider>, token: string): Promise<boolean> {
  const { db, config } = getServices(context)
  const nonce = await findSetupNonce(db)
  if (nonce !== undefined) return isSetupToken(token, config.secret, nonce)
  throw context.get(sessionContext)?.operator === true ? redirect('/admin/data') : data('not found', 404)
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get('token') ?? ''
  const isValid = await checkToken(context, token)
  const user = context.get(sessionContext)
  const step = user === null || !isValid ? 1 : user.twoFactor || user.secondFactor ? 3 : 2
  return { token: isValid ? token : '', isWrong: token !== '' && !isValid, step, email: user?.email }
}

export async function action({ request, context }: Route.ActionArgs) {
  const field = await readForm(request)
  const token = field('token').trim()
  if (!(await checkToken(context, token))) return actionError(WRONG_TOKEN)
  const { db } = getServices(context)
  if (field('intent') === 'appoint') {
    const { secondFactor, sessionToken } = requireUser(context)
    if (!secondFactor) throw redirect(reauthPath(setupPath(token)))
    return (await appointFirstOperator(db, sessionToken)) ? redirect('/admin/data') : redirect(setupPath(token))
  }
  const [email, password] = [field('email'), field('password')]
  const name = field('name').trim().slice(0, 100)
  if (name === '') return actionError('Enter your name.')
  const created = await callAuth(request, context, '/sign-up/email', { name, email, password })
  if (!created.ok) return actionError(created.actionError, created.status, created.headers)
  // Whoever has the token needs no mail, which may not be set up yet.
  await confirmEmail(db, email)
  const signedIn = await callAuth(request, context, '/sign-in/email', { email, password })
  if (!signedIn.ok) return actionError(signedIn.actionError, signedIn.status, signedIn.headers)
  await endReplacedSession(context)
  return redirect(twoFactorPath(token), { headers: signedIn.headers })
}

export { actionHeaders as headers } from '../request/action-result.server.ts'

const WRONG_TOKEN = 'That isn’t the setup token. Copy the address from the log of the web app again.'

const STEPS = [
  { title: 'Your account', detail: 'It works for collections, too.' },
  { title: 'A second factor', detail: 'Operators always sign in with one.' },
  { title: 'Data sources', detail: 'What is switched on, and what to switch on next.' },
]

/** Where the first operator starts, with the token from the log. */
export default function Setup({ loaderData, actionData: result }: Route.ComponentProps) {
  const { token, isWrong, step, email } = loaderData
  const tokenField = <input type="hidden" name="token" value={token} />
  return (
    <SignInLayout>
      <title>Set up · Brickmark</title>
      <Page
        title="Set up Brickmark"
        narrow
        description="There is no operator yet. It takes about five minutes to become one."
      >
        <ol className="grid gap-3">
          {STEPS.map(({ title, detail }, index) => (
            <Step key={title} number={index + 1} current={step} title={title} detail={detail} />
          ))}
        </ol>
        {step === 1 && (
          <Form submitLabel="Create account" error={result?.actionError ?? (isWrong ? WRONG_TOKEN : undefined)}>
            {token === '' ? <TextField label="Setup token" name="token" required autoComplete="off" /> : tokenField}
            <TextField label="Name" name="name" required autoComplete="name" maxLength={100} />
            <TextField label="Email" name="email" type="email" required autoComplete="email" />
            <TextField
              label="Password"
              name="password"
              type="password"
              required
              minLength={10}
              maxLength={128}
              autoComplete="new-password"
              hint="At least 10 characters. A few random words work best."
            />
          </Form>
        )}
        {step === 2 && (
          <p>
            <ButtonLink variant="main" to={twoFactorPath(token)}>
              Turn on two-factor authentication
            </ButtonLink>
          </p>
        )}
        {step === 3 && (
          <Form submitLabel="Become the operator" intent="appoint" error={result?.actionError}>
            {tokenField}
            <p>
              You’re signed in as <strong>{email}</strong>.
            </p>
          </Form>
        )}
      </Page>
    </SignInLayout>
  )
}

function Step({ number, current, title, detail }: { number: number; current: number; title: string; detail: string }) {
  const isDone = number < current
  const tone = isDone
    ? 'border-gain text-gain'
    : number === current
      ? 'border-accent text-accent'
      : 'border-line-strong'
  return (
    <li className="flex items-start gap-3" aria-current={number === current ? 'step' : undefined}>
      <span className={`grid size-7 flex-none place-items-center rounded-full border-2 text-sm font-semibold ${tone}`}>
        {isDone ? <Check className="size-4" aria-label="Done" /> : number}
      </span>
      <span>
        <span className="font-semibold">{title}</span>
        <span className="block text-sm text-ink-soft">{detail}</span>
      </span>
    </li>
  )
}
