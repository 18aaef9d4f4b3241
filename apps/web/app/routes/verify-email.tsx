import { Link, redirect, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { PlainLayout } from '../components/plain-layout.tsx'
import { Notice } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { callAuth } from '../server/call-auth.ts'

/** Target of the link in the verification email. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = new URL(request.url).searchParams.get('token') ?? ''
  const result = await callAuth(request, context, `/verify-email?token=${encodeURIComponent(token)}`)
  if (result.ok) throw redirect('/sign-in?done=verified')
  return { problem: result.actionError }
}

export default function VerifyEmail() {
  const { problem } = useLoaderData<typeof loader>()
  return (
    <PlainLayout>
      <title>Confirm your address · Brickmark</title>
      <Page title="Confirm your address" narrow>
        <Notice tone="loss">{problem}</Notice>
        <p>
          <Link to="/sign-in">Sign in</Link> with your password, and we send you another link.
        </p>
      </Page>
    </PlainLayout>
  )
}
