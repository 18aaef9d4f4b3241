import { Link, useActionData, type ActionFunctionArgs } from 'react-router'
import { PlainLayout } from '../components/plain-layout.tsx'
import { TextField } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Notice } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { callAuth, actionError } from '../server/call-auth.ts'
import { readForm } from '../server/form.ts'

export async function action({ request, context }: ActionFunctionArgs) {
  const field = await readForm(request)
  const [name, email] = [field('name').trim().slice(0, 100), field('email')]
  if (name === '') return actionError('Enter your name.')
  const result = await callAuth(request, context, '/sign-up/email', { name, email, password: field('password') })
  // Only the owner of the address learns by email whether it already has an account.
  return result.ok ? { sentTo: email } : actionError(result.actionError, result.status, result.headers)
}

export { actionHeaders as headers } from '../server/call-auth.ts'

export default function SignUp() {
  const result = useActionData<typeof action>()
  return (
    <PlainLayout>
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
          </Form>
          <p>
            Already have an account? <Link to="/sign-in">Sign in</Link>
          </p>
        </Page>
      )}
    </PlainLayout>
  )
}
