import { Link, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { ButtonLink } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { Chart } from '../components/chart.tsx'
import { Countdown } from '../components/countdown.tsx'
import { Empty } from '../components/empty-state.tsx'
import { Meter } from '../components/usage-meter.tsx'
import { Page, Time } from '../components/page.tsx'
import { Table } from '../components/table.tsx'
import { usagePage } from '../server/usage.ts'

export async function loader({ request, context }: LoaderFunctionArgs) {
  const by = new URL(request.url).searchParams.get('by') === 'key' ? ('key' as const) : ('status' as const)
  return { by, ...(await usagePage(context, by)) }
}

const count = (value: number) => value.toLocaleString('en-US')

export default function Usage() {
  const { by, now, resetsAt, limit, keys, chart, requests } = useLoaderData<typeof loader>()
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
          Each key has {count(limit)} units a UTC day. The numbers are exact: they are what is charged.
        </p>
        {keys.length === 0 ? (
          <Empty
            title="No key yet"
            action={
              <ButtonLink to="/keys" look="main">
                Make a key
              </ButtonLink>
            }
          >
            What your keys use shows here.
          </Empty>
        ) : (
          <Table
            caption="Units used today"
            rows={keys}
            rowKey={(key) => key.id}
            columns={[
              { key: 'name', title: 'Key', cell: (key) => <Link to={`/keys/${key.id}`}>{key.name}</Link> },
              { key: 'used', title: 'Used', right: true, cell: (key) => count(key.used) },
              { key: 'left', title: 'Left', right: true, cell: (key) => (key.active ? count(key.left) : '–') },
              { key: 'meter', title: 'Share', cell: (key) => <Meter used={key.used} limit={limit} name={key.name} /> },
              { key: 'pace', title: 'At this pace', cell: (key) => <Pace {...key} /> },
            ]}
          />
        )}
      </Card>
      <Card
        title="The last 30 days"
        actions={
          <nav aria-label="Bars" className="flex gap-3 text-sm">
            <By by={by} value="status" label="Requests by status" />
            <By by={by} value="key" label="Units by key" />
          </nav>
        }
      >
        {requests === 0 ? (
          <Empty title="No requests yet">The first one shows here within seconds.</Empty>
        ) : (
          <Chart
            title={by === 'key' ? 'Units a day, by key' : 'Requests a day, by status'}
            series={chart.series}
            points={chart.points}
            format={count}
          />
        )}
      </Card>
    </Page>
  )
}

function By({ by, value, label }: { by: string; value: string; label: string }) {
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

function Pace({ active, left, runsOutAt }: { active: boolean; left: number; runsOutAt: string | null }) {
  if (!active) return 'It has ended'
  if (left === 0) return 'Used up until the reset'
  if (runsOutAt === null) return 'It lasts until the reset'
  return (
    <>
      You run out at <Time iso={runsOutAt} />
    </>
  )
}
