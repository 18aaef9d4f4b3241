import { Form as RouterForm, Link, Outlet } from 'react-router'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { EndpointStatus } from '../ui/endpoint-status.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { changeEndpoint, loadEndpoint } from './webhooks.server.ts'
import type { Route } from './+types/webhook.ts'

export async function loader({ context, params }: Route.LoaderArgs) {
  return loadEndpoint(context, params.id)
}

export async function action({ request, context, params }: Route.ActionArgs) {
  return changeEndpoint(context, request, params.id)
}

type Delivery = Route.ComponentProps['loaderData']['deliveries'][number]

/** A webhook endpoint: its secret, and what was sent to it. */
export default function Webhook({ loaderData, actionData: result }: Route.ComponentProps) {
  const { id, url, chat, disabledReason, secret, oldSecretUntil, deliveries } = loaderData
  return (
    <Page
      title="Webhook endpoint"
      description={
        <>
          <code className="break-all">{url}</code> <EndpointStatus reason={disabledReason} />
        </>
      }
      actions={
        <RouterForm method="post" preventScrollReset className="flex flex-wrap gap-2">
          <Button name="intent" value="test" variant="main">
            Send test event
          </Button>
          <Button name="intent" value={disabledReason === null ? 'disable' : 'enable'}>
            {disabledReason === null ? 'Disable' : 'Enable'}
          </Button>
          <ButtonLink to={`/webhooks/${id}/delete`} variant="danger" preventScrollReset>
            Delete
          </ButtonLink>
        </RouterForm>
      }
    >
      <title>Webhook endpoint · Brickmark</title>
      {result && <Notice tone="warn">{result.actionError}</Notice>}
      {disabledReason === 'gone' && (
        <Notice tone="warn">
          {chat ?? 'Your server'} answered 410 Gone, so we stopped sending. Enable the endpoint once it’s back: it then
          gets what was waiting.
        </Notice>
      )}
      {chat === undefined ? (
        <Card title="Secret">
          <div className="grid gap-3">
            <CodeBlock label="Signing secret" text={secret} />
            {oldSecretUntil !== null && (
              <p>
                Messages are also signed with the previous secret until <Timestamp iso={oldSecretUntil} />.
              </p>
            )}
            <RouterForm method="post" preventScrollReset>
              <Button name="intent" value="rotate">
                Rotate secret
              </Button>
            </RouterForm>
          </div>
        </Card>
      ) : (
        <Notice>
          Alerts arrive as messages in {chat}: a title, and a sentence that says why. {chat} can’t verify signatures, so
          keep the address to yourself.
        </Notice>
      )}
      {deliveries.length === 0 ? (
        <EmptyState title="Nothing sent yet">Send a test event, or wait for the next alert.</EmptyState>
      ) : (
        <Card title="Latest deliveries">
          <ol className="grid divide-y divide-line">
            {deliveries.map((delivery) => (
              <DeliveryItem key={delivery.eventId} delivery={delivery} />
            ))}
          </ol>
        </Card>
      )}
      <p>
        <Link to="/webhooks">All endpoints</Link>
      </p>
      <Outlet />
    </Page>
  )
}

const STATUS: Record<Delivery['status'], [Tone, string]> = {
  waiting: ['warn', 'Waiting'],
  delivered: ['gain', 'Delivered'],
  failed: ['loss', 'Failed'],
}

function DeliveryItem({ delivery }: { delivery: Delivery }) {
  const { eventId, messageId, type, at, status, nextAttemptAt, body, attempts } = delivery
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <details>
        <summary className="cursor-pointer">
          <code>{type}</code> <Badge tone={STATUS[status][0]}>{STATUS[status][1]}</Badge>{' '}
          <span className="text-sm text-ink-soft">
            <Timestamp iso={at} />
          </span>
        </summary>
        <div className="mt-3 grid gap-3">
          <CodeBlock label={`Request ${messageId}`} text={body} />
          {attempts.map((attempt) => (
            <CodeBlock
              key={attempt.at}
              label={`${attempt.at.slice(0, 19).replace('T', ' ')} UTC: ${attempt.statusCode === null ? 'no response' : `status ${attempt.statusCode}`}, ${attempt.durationMs} ms`}
              text={attempt.response === '' ? '(empty)' : attempt.response}
            />
          ))}
          {nextAttemptAt !== null && (
            <p>
              Next attempt: <Timestamp iso={nextAttemptAt} />
            </p>
          )}
          <RouterForm method="post" preventScrollReset>
            <input type="hidden" name="event" value={eventId} />
            <Button name="intent" value="replay" aria-label={`Send again: ${messageId}`}>
              Send again
            </Button>
          </RouterForm>
        </div>
      </details>
    </li>
  )
}
