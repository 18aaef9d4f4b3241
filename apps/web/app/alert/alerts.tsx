import { Link } from 'react-router'
import { AlertTabs } from './alert-tabs.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { Picture } from '../ui/picture.tsx'
import { loadAlerts } from './alerts.server.ts'
import type { Route } from './+types/alerts.ts'

export async function loader({ request, context }: Route.LoaderArgs) {
  return loadAlerts(context, new URL(request.url).searchParams)
}

type AlertRow = Route.ComponentProps['loaderData']['alerts'][number]

/** The account's alerts, each with its reason. */
export default function Alerts({
  loaderData: { alerts, hasMore, hasRules, today, offset, limit },
}: Route.ComponentProps) {
  return (
    <Page
      title="Alerts"
      description="What your rules noticed in the last 90 days, latest first."
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
          title={hasRules ? 'Nothing has happened yet' : 'No rules yet'}
          action={
            <ButtonLink to="/alerts/rules" variant="main">
              {hasRules ? 'See your rules' : 'Create a rule'}
            </ButtonLink>
          }
        >
          {hasRules
            ? 'You’ll see an alert here within seconds of a price or value that meets one of your rules.'
            : 'A rule watches prices, values and retirements for you: for one set, or for your whole watchlist.'}
        </EmptyState>
      ) : (
        <Card>
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

function AlertItem({ alert: { at, kind, number, title, reason } }: { alert: AlertRow }) {
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
          <span className="text-sm text-ink-soft">{number}</span>
        </p>
        <p>{reason}</p>
        <p className="text-sm text-ink-soft">
          <Timestamp iso={at} />
        </p>
      </div>
    </li>
  )
}
