import { Form, Link } from 'react-router'
import { AlertTabs } from './alert-tabs.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { Picture } from '../ui/picture.tsx'
import { loadAlerts, markRead } from './alerts.server.ts'
import type { Route } from './+types/alerts.ts'

export async function loader({ request, context }: Route.LoaderArgs) {
  return loadAlerts(context, new URL(request.url).searchParams)
}

export async function action({ request, context }: Route.ActionArgs) {
  return markRead(context, request)
}

type AlertRow = Route.ComponentProps['loaderData']['alerts'][number]

/** The account's alerts, each with its reason. */
export default function Alerts({
  loaderData: { alerts, hasMore, hasRules, today, offset, limit },
}: Route.ComponentProps) {
  return (
    <Page
      title="Alerts"
      description="What your targets and rules noticed in the last 90 days, latest first."
      actions={<AlertTabs selected="alerts" />}
    >
      <title>Alerts · Brickmark</title>
      {today.leftOut > 0 && (
        <Notice tone="warn">
          Your rules were met {today.leftOut.toLocaleString('en-US')} more times today than the{' '}
          {today.max.toLocaleString('en-US')} alerts a day that your plan includes. Pause a rule, or choose a threshold
          that is met less often.
        </Notice>
      )}
      {alerts.length === 0 ? (
        <EmptyState
          title={hasRules ? 'Nothing has happened yet' : 'No targets or rules yet'}
          action={
            <ButtonLink to="/alerts/rules" variant="main">
              {hasRules ? 'See your rules' : 'Create a rule'}
            </ButtonLink>
          }
        >
          {hasRules
            ? 'You’ll see an alert here within seconds of a price or value that meets one of your rules.'
            : 'Give a set on your watchlist a target price, or create a rule about prices, values and retirements.'}
        </EmptyState>
      ) : (
        <Card {...(alerts.some(({ isNew }) => isNew) && { title: 'New', actions: <MarkRead to={latestId(alerts)} /> })}>
          <ol className="grid divide-y divide-line">
            {alerts.map((alert) => (
              <AlertItem key={alert.id} alert={alert} />
            ))}
          </ol>
          {(offset > 0 || hasMore) && (
            <nav aria-label="Pages" className="mt-3 flex gap-4">
              {offset > 0 && <Link to={`/alerts?from=${Math.max(0, offset - limit)}`}>Newer</Link>}
              {hasMore && <Link to={`/alerts?from=${offset + limit}`}>Older</Link>}
            </nav>
          )}
        </Card>
      )}
    </Page>
  )
}

function latestId(alerts: AlertRow[]): number {
  return Math.max(...alerts.map(({ id }) => id))
}

function MarkRead({ to }: { to: number }) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="to" value={to} />
      <Button>Mark all as read</Button>
    </Form>
  )
}

function AlertItem({ alert: { at, kind, number, title, reason, isNew } }: { alert: AlertRow }) {
  return (
    <li className="flex items-center gap-3 py-3 first:pt-0 last:pb-0">
      <Picture kind={kind === 'set' ? 'sets' : 'minifigs'} number={number} />
      <div className="min-w-0">
        <p>
          <Link
            to={`/${kind}/${encodeURIComponent(number)}`}
            className="font-medium text-ink no-underline hover:underline"
          >
            {title}
          </Link>{' '}
          <span className="text-sm text-ink-soft">{number}</span> {isNew && <Badge tone="accent">New</Badge>}
        </p>
        <p>{reason}</p>
        <p className="text-sm text-ink-soft">
          <Timestamp iso={at} />
        </p>
      </div>
    </li>
  )
}
