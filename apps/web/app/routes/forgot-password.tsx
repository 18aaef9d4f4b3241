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
  const result = await callAuth(request, context, '/request-password-reset', { email: field('email') })
  return result.ok ? { sent: true as const } : actionError(result.actionError, result.status, result.headers)
}

export { actionHeaders as headers } from '../server/call-auth.ts'

export default function ForgotPassword() {
  const result = useActionData<typeof action>()
  return (
    <PlainLayout>
      <title>Forgot the password · Brickmark</title>
      <Page title="Forgot the password?" narrow description="We send you a link with which you choose a new one.">
        {result && 'sent' in result ? (
          <Notice tone="accent">
            If that address has an account, a mail is on its way to it. The link in it works for an hour.
          </Notice>
        ) : (
          <Form submitLabel="Send the link" error={result?.actionError}>
            <TextField label="E-mail" name="email" type="email" required autoComplete="username" />
          </Form>
        )}
        <p>
          <Link to="/sign-in">Back to signing in</Link>
        </p>
      </Page>
    </PlainLayout>
  )
}
