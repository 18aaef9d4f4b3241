import { Link } from 'react-router'
import { PlainLayout } from '../layout/plain-layout.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { callAuth } from './call-auth.server.ts'
import { actionError } from '../request/action-result.server.ts'
import { readForm } from '../request/form.server.ts'
import type { Route } from './+types/forgot-password.ts'

export async function action({ request, context }: Route.ActionArgs) {
  const field = await readForm(request)
  const result = await callAuth(request, context, '/request-password-reset', { email: field('email') })
  return result.ok ? { sent: true as const } : actionError(result.actionError, result.status, result.headers)
}

export { actionHeaders as headers } from '../request/action-result.server.ts'

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
