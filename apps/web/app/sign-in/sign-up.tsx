import { Link } from 'react-router'
import { acceptTerms } from '@brickmark/core/account/user-commands'
import { SignInLayout } from '../layout/plain-layout.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { callAuth } from './call-auth.server.ts'
import { actionError } from '../request/action-result.server.ts'
import { getServices } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'
import type { Route } from './+types/sign-up.ts'

export function loader({ context }: Route.LoaderArgs) {
  return { legalPages: getServices(context).legalPages.titles() }
}

export async function action({ request, context }: Route.ActionArgs) {
  const field = await readForm(request)
  const [name, email] = [field('name').trim().slice(0, 100), field('email')]
  if (name === '') return actionError('Enter your name.')
  const { db, legalPages } = getServices(context)
  const terms = legalPages.find('terms')
  if (terms && field('terms') !== 'accepted') return actionError('Agree to the terms to create an account.')
  const result = await callAuth(request, context, '/sign-up/email', { name, email, password: field('password') })
  if (result.ok && terms) await acceptTerms(db, email, terms.version)
  // Only the owner of the address learns by email whether it already has an account.
  return result.ok ? { sentTo: email } : actionError(result.actionError, result.status, result.headers)
}

export { actionHeaders as headers } from '../request/action-result.server.ts'

export default function SignUp({ loaderData, actionData: result }: Route.ComponentProps) {
  const { legalPages } = loaderData
  return (
    <SignInLayout>
      <title>Create your account · Brickmark</title>
      {result && 'sentTo' in result ? (
        <Page title="Check your email" narrow>
          <Notice tone="accent">
            We sent a confirmation link to <strong>{result.sentTo}</strong>. It expires in 24 hours.
          </Notice>
          <p className="text-ink-soft">
            Didn’t get it? Check your spam folder or <Link to="/sign-up">try again</Link>.
          </p>
        </Page>
      ) : (
        <Page title="Create your account" narrow description="Track your sets, sales and returns in one place.">
          <Form submitLabel="Create account" error={result?.actionError}>
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
            {legalPages.some(({ name }) => name === 'terms') && (
              <label className="flex items-start gap-2">
                <input type="checkbox" name="terms" value="accepted" required className="mt-0.5 size-4 accent-accent" />
                <span>
                  I agree to the <LegalLink name="terms" legalPages={legalPages} />
                  {legalPages.some(({ name }) => name === 'privacy') && (
                    <>
                      {' '}
                      and the <LegalLink name="privacy" legalPages={legalPages} />
                    </>
                  )}
                  .
                </span>
              </label>
            )}
          </Form>
          <p>
            Already have an account? <Link to="/sign-in">Sign in</Link>
          </p>
        </Page>
      )}
    </SignInLayout>
  )
}

function LegalLink({ name, legalPages }: { name: string; legalPages: { name: string; title: string }[] }) {
  const title = legalPages.find((page) => page.name === name)?.title ?? name
  return (
    <a href={`/legal/${name}`} target="_blank" rel="noreferrer">
      {title.toLowerCase()}
    </a>
  )
}
