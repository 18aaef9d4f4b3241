import { Link, useActionData, type ActionFunctionArgs } from 'react-router'
import { Bare } from '../components/plain-layout.tsx'
import { Field } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Notice } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { callAuth, problem } from '../server/call-auth.ts'
import { readForm } from '../server/form.ts'

export async function action({ request, context }: ActionFunctionArgs) {
  const field = await readForm(request)
  const answer = await callAuth(request, context, '/request-password-reset', { email: field('email') })
  return answer.ok ? { asked: true as const } : problem(answer.problem)
}

export default function Reset() {
  const result = useActionData<typeof action>()
  return (
    <Bare>
      <title>Forgot the password · Brickmark</title>
      <Page title="Forgot the password?" narrow lead="We send you a link with which you choose a new one.">
        {result && 'asked' in result ? (
          <Notice tone="accent">
            If that address has an account, a mail is on its way to it. The link in it works for an hour.
          </Notice>
        ) : (
          <Form submit="Send the link" problem={result?.problem}>
            <Field label="E-mail" name="email" type="email" required autoComplete="username" />
          </Form>
        )}
        <p>
          <Link to="/sign-in">Back to signing in</Link>
        </p>
      </Page>
    </Bare>
  )
}
