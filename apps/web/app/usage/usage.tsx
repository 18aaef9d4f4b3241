import { Form, Link } from 'react-router'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Chart } from '../ui/chart.tsx'
import { Countdown } from './countdown.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { UsageMeter } from './usage-meter.tsx'
import { Page } from '../ui/page.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { Table } from '../ui/table.tsx'
import { loadUsage, saveQuotaMail } from './usage.server.ts'
import type { Route } from './+types/usage.ts'

export async function loader({ request, context }: Route.LoaderArgs) {
  const by = new URL(request.url).searchParams.get('by') === 'key' ? ('key' as const) : ('status' as const)
  return { by, ...(await loadUsage(context, by)) }
}

export async function action({ request, context }: Route.ActionArgs) {
  return saveQuotaMail(context, request)
}

const count = (value: number) => value.toLocaleString('en-US')

export default function Usage({ loaderData }: Route.ComponentProps) {
  const { by, now, resetsAt, limit, apiAccess, hasQuotaMail, keys, chart, requests } = loaderData
  return (
    <Page
      title="Usage"
      asOf={now}
      actions={
        <ButtonLink to="/usage.csv" reloadDocument>
          Download CSV
        </ButtonLink>
      }
    >
      <title>Usage · Brickmark</title>
      <Card
        title="Today"
        actions={
          <span className="text-sm">
            Resets <Countdown to={resetsAt} now={now} />
          </span>
        }
      >
        <p className="mb-3 text-sm text-ink-soft">
          {apiAccess
            ? `Each key gets ${count(limit)} credits per day (UTC).`
            : 'Your plan doesn’t include the API, so keys get no credits.'}
        </p>
        {keys.length === 0 ? (
          <EmptyState
            title="No active API keys"
            action={
              apiAccess ? (
                <ButtonLink to="/keys" variant="main">
                  Create API key
                </ButtonLink>
              ) : (
                <ButtonLink to="/account">Compare plans</ButtonLink>
              )
            }
          >
            {apiAccess
              ? 'Usage appears here once you start making requests.'
              : 'Usage appears here once your plan includes the API.'}
          </EmptyState>
        ) : (
          <Table
            caption="Credits used today"
            rows={keys}
            rowKey={(key) => key.id}
            columns={[
              { key: 'name', title: 'Key', cell: (key) => <Link to={`/keys/${key.id}`}>{key.name}</Link> },
              { key: 'used', title: 'Used', right: true, cell: (key) => count(key.used) },
              {
                key: 'left',
                title: 'Remaining',
                right: true,
                cell: (key) => (key.active ? count(key.remaining) : '—'),
              },
              {
                key: 'meter',
                title: 'Usage',
                cell: (key) => <UsageMeter used={key.used} limit={limit} name={key.name} />,
              },
              { key: 'pace', title: 'Forecast', cell: (key) => <Forecast {...key} /> },
            ]}
          />
        )}
        {apiAccess && <QuotaMail isOn={hasQuotaMail} />}
      </Card>
      <Card
        title="Last 30 days"
        actions={
          <nav aria-label="Group by" className="flex gap-3 text-sm">
            <GroupByLink by={by} value="status" label="By status" />
            <GroupByLink by={by} value="key" label="By key" />
          </nav>
        }
      >
        {requests === 0 ? (
          <EmptyState title="No requests yet">Your first request shows up here within seconds.</EmptyState>
        ) : (
          <Chart
            title={by === 'key' ? 'Credits per day, by key' : 'Requests per day, by status'}
            series={chart.series}
            points={chart.points}
            format={count}
          />
        )}
      </Card>
    </Page>
  )
}

/** Turns mail about the credits of keys on or off. */
function QuotaMail({ isOn }: { isOn: boolean }) {
  return (
    <Form method="post" preventScrollReset className="mt-4 flex flex-wrap items-center gap-3 text-sm text-ink-soft">
      <input type="hidden" name="quota-mail" value={isOn ? 'off' : 'on'} />
      {isOn
        ? 'You get an email when a key has used 80% and 100% of its daily credits.'
        : 'Get an email when a key has used 80% and 100% of its daily credits.'}
      <Button>{isOn ? 'Turn off' : 'Turn on'}</Button>
    </Form>
  )
}

function GroupByLink({ by, value, label }: { by: string; value: string; label: string }) {
  return (
    <Link
      to={`/usage?by=${value}`}
      preventScrollReset
      aria-current={by === value ? 'true' : undefined}
      className="text-ink-soft underline decoration-line-strong underline-offset-4 aria-[current]:font-semibold aria-[current]:text-accent aria-[current]:decoration-accent"
    >
      {label}
    </Link>
  )
}

function Forecast({ active, remaining, runsOutAt }: { active: boolean; remaining: number; runsOutAt: string | null }) {
  if (!active) return 'Inactive'
  if (remaining === 0) return 'Limit reached'
  if (runsOutAt === null) return 'On track'
  return (
    <>
      Runs out at <Timestamp iso={runsOutAt} />
    </>
  )
}
