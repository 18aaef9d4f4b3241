import { data, Link } from 'react-router'
import { Form } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { PlainLayout } from '../layout/plain-layout.tsx'
import { isUnsubscribeToken, unsubscribe } from './alert-email.server.ts'
import type { Route } from './+types/unsubscribe.ts'

export async function loader({ context, params }: Route.LoaderArgs) {
  if (!isUnsubscribeToken(context, params.token)) throw data('not found', 404)
  return null
}

/** Mail clients call it too, with nothing but the link (RFC 8058). */
export async function action({ context, params }: Route.ActionArgs) {
  if (!(await unsubscribe(context, params.token))) throw data('not found', 404)
  return { isDone: true }
}

/** Asks first: mail scanners open links, too. */
export default function Unsubscribe({ actionData: result }: Route.ComponentProps) {
  return (
    <PlainLayout>
      <title>Unsubscribe · Brickmark</title>
      <meta name="robots" content="noindex" />
      <Page title="Email about alerts" narrow>
        {result?.isDone === true ? (
          <Notice tone="gain">
            You won’t get email about alerts anymore. Your rules stay active, and alerts are on your{' '}
            <Link to="/alerts">Alerts page</Link>, where you can turn email on again.
          </Notice>
        ) : (
          <Form submitLabel="Stop these emails">
            <p>Do you want to stop all email about your alerts?</p>
          </Form>
        )}
      </Page>
    </PlainLayout>
  )
}
