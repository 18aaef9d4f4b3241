import {
  data,
  redirect,
  useActionData,
  useLoaderData,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from 'react-router'
import { Bare } from '../components/plain-layout.tsx'
import { Field } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Page } from '../components/page.tsx'
import { callAuth } from '../server/call-auth.ts'
import { sessionContext } from '../server/context.ts'
import { readForm } from '../server/form.ts'
import { safePath } from '../server/session.ts'

export function loader({ request }: LoaderFunctionArgs) {
  return { to: safePath(new URL(request.url).searchParams.get('to')) }
}

/** The second step: a code of the authenticator app, or one of the recovery codes. */
export async function action({ request, context }: ActionFunctionArgs) {
  const field = await readForm(request)
  // For a session that there is already, the same code would switch on a second step that was begun.
  if (context.get(sessionContext)) return redirect(safePath(field('to')))
  const intent = field('intent') === 'recovery' ? 'recovery' : 'code'
  const code = field('code').replaceAll(/\s/g, '')
  const path = intent === 'recovery' ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp'
  const answer = await callAuth(request, context, path, { code })
  if (answer.ok) return redirect(safePath(field('to')), { headers: answer.headers })
  return data({ intent, problem: answer.problem }, { status: 400, headers: answer.headers })
}

export default function SignInCode() {
  const { to } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  const problemOf = (intent: string) => (result?.intent === intent ? result.problem : undefined)
  return (
    <Bare>
      <title>Second step · Brickmark</title>
      <Page title="Second step" narrow lead="Enter the code that your authenticator app shows for Brickmark.">
        <Form submit="Sign in" intent="code" problem={problemOf('code')}>
          <input type="hidden" name="to" value={to} />
          <Field label="Code" name="code" required inputMode="numeric" autoComplete="one-time-code" maxLength={10} />
        </Form>
        <details open={result?.intent === 'recovery'}>
          <summary className="w-fit underline decoration-line-strong underline-offset-4">Use a recovery code</summary>
          <div className="mt-4">
            <Form submit="Sign in with it" look="plain" intent="recovery" problem={problemOf('recovery')}>
              <input type="hidden" name="to" value={to} />
              <Field label="Recovery code" name="code" required autoComplete="off" hint="Each works once." />
            </Form>
          </div>
        </details>
      </Page>
    </Bare>
  )
}
