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
  if (name === '') return actionError('Say what we may call you.')
  const result = await callAuth(request, context, '/sign-up/email', { name, email, password: field('password') })
  // Only the owner of the address learns by email whether it already has an account.
  return result.ok ? { sentTo: email } : actionError(result.actionError, result.status, result.headers)
}

export { actionHeaders as headers } from '../server/call-auth.ts'

export default function SignUp() {
  const result = useActionData<typeof action>()
  return (
    <PlainLayout>
      <title>Sign up · Brickmark</title>
      {result && 'sentTo' in result ? (
        <Page title="Look into your mail" narrow>
          <Notice tone="accent">
            We have written to <strong>{result.sentTo}</strong>. Follow the link in it within 24 hours, then sign in.
          </Notice>
          <p className="text-ink-soft">
            Nothing there after a few minutes? Look among unwanted mail, or <Link to="/sign-up">try again</Link>.
          </p>
        </Page>
      ) : (
        <Page
          title="Sign up"
          narrow
          description="Keep your collections and sales, see what they are worth, make API keys."
        >
          <Form submitLabel="Sign up" error={result?.actionError}>
            <TextField label="Name" name="name" required autoComplete="name" maxLength={100} />
            <TextField label="E-mail" name="email" type="email" required autoComplete="email" />
            <TextField
              label="Password"
              name="password"
              type="password"
              required
              minLength={10}
              maxLength={128}
              autoComplete="new-password"
              hint="At least 10 characters. A few words are better than odd signs."
            />
          </Form>
          <p>
            Been here before? <Link to="/sign-in">Sign in</Link>
          </p>
        </Page>
      )}
    </PlainLayout>
  )
}
