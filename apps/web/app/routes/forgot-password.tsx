import { Link } from 'react-router'
import { PlainLayout } from '../components/plain-layout.tsx'
import { TextField } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Notice } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { callAuth, actionError } from '../server/call-auth.ts'
import { readForm } from '../server/form.ts'
import type { Route } from './+types/forgot-password.ts'

export async function action({ request, context }: Route.ActionArgs) {
  const field = await readForm(request)
  const result = await callAuth(request, context, '/request-password-reset', { email: field('email') })
  return result.ok ? { sent: true as const } : actionError(result.actionError, result.status, result.headers)
}

export { actionHeaders as headers } from '../server/call-auth.ts'

export default function ForgotPassword({ actionData: result }: Route.ComponentProps) {
  return (
    <PlainLayout>
      <title>Reset your password · Brickmark</title>
      <Page title="Reset your password" narrow description="Enter your email and we’ll send you a reset link.">
        {result && 'sent' in result ? (
          <Notice tone="accent">
            If an account exists for that email, we’ve sent a reset link. It expires in one hour.
          </Notice>
        ) : (
          <Form submitLabel="Send reset link" error={result?.actionError}>
            <TextField label="Email" name="email" type="email" required autoComplete="username" />
          </Form>
        )}
        <p>
          <Link to="/sign-in">Back to sign in</Link>
        </p>
      </Page>
    </PlainLayout>
  )
}
