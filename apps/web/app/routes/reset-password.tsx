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
import { Page } from '../components/page.tsx'
import { callAuth, problem } from '../server/call-auth.ts'
import { readForm } from '../server/form.ts'

/** Where the link of the reset mail leads. */
export function loader({ request }: LoaderFunctionArgs) {
  return { token: new URL(request.url).searchParams.get('token') ?? '' }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const field = await readForm(request)
  const answer = await callAuth(request, context, '/reset-password', {
    token: field('token'),
    newPassword: field('password'),
  })
  return answer.ok ? redirect('/sign-in?done=reset') : problem(answer.problem)
}

export default function ResetNew() {
  const { token } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  return (
    <Bare>
      <title>New password · Brickmark</title>
      <Page title="Choose a new password" narrow lead="It ends all your sessions, here and elsewhere.">
        <Form submit="Set the password" problem={result?.problem}>
          <input type="hidden" name="token" value={token} />
          <Field
            label="New password"
            name="password"
            type="password"
            required
            minLength={10}
            maxLength={128}
            autoComplete="new-password"
            hint="At least 10 characters."
          />
        </Form>
        <p>
          <Link to="/reset">Ask for another link</Link>
        </p>
      </Page>
    </Bare>
  )
}
