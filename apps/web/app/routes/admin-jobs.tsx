import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { findJobs } from '@brickmark/core/account/operator-queries'
import { TimeAgo } from '../components/time-ago.tsx'
import { Badge, type Tone } from '../components/badge.tsx'
import { Card } from '../components/card.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Page } from '../components/page.tsx'
import { Table } from '../components/table.tsx'
import { getServices, requireUser } from '../server/context.ts'

export async function loader({ context }: LoaderFunctionArgs) {
  const jobs = await findJobs(getServices(context).db, requireUser(context).sessionToken)
  return {
    now: new Date().toISOString(),
    jobs: jobs.map((job) => ({
      name: job.name,
      schedule: job.schedule,
      waiting: job.waiting,
      active: job.active,
      failed: job.failed,
      doneAt: job.done_at?.toISOString() ?? null,
      failedAt: job.failed_at?.toISOString() ?? null,
      lastError: job.failure,
    })),
  }
}

/** Scheduled jobs of the worker and their status. */
export default function OperatorJobs() {
  const { now, jobs } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Jobs"
      description="What the worker does on schedule, and how it went these days. Times are UTC."
      asOf={now}
    >
      <title>Jobs · Brickmark</title>
      {jobs.length === 0 ? (
        <EmptyState title="No worker has run yet">
          It makes its queues when it first starts. Values and prices stand still until then.
        </EmptyState>
      ) : (
        <Card title="Queues">
          <Table
            caption="Queues"
            rows={jobs}
            rowKey={(job) => job.name}
            columns={[
              { key: 'name', title: 'Job', cell: ({ name }) => name },
              {
                key: 'state',
                title: 'State',
                cell: (job) => <Badge tone={jobStatus(job)[0]}>{jobStatus(job)[1]}</Badge>,
              },
              {
                key: 'schedule',
                title: 'Schedule',
                cell: ({ schedule }) => (schedule === null ? 'On demand' : <code>{schedule}</code>),
              },
              { key: 'waiting', title: 'Waiting', right: true, cell: ({ waiting }) => waiting },
              { key: 'failed', title: 'Failed', right: true, cell: ({ failed }) => failed },
              { key: 'done', title: 'Last done', cell: ({ doneAt }) => <TimeAgo iso={doneAt} now={now} /> },
              {
                key: 'failure',
                title: 'Last failure',
                cell: ({ failedAt, lastError }) =>
                  failedAt === null ? (
                    'None'
                  ) : (
                    <span>
                      <TimeAgo iso={failedAt} now={now} />
                      <br />
                      <span className="break-words">{lastError ?? 'It said nothing.'}</span>
                    </span>
                  ),
              },
            ]}
          />
        </Card>
      )}
    </Page>
  )
}

/** Status of the last run; a failure is reported until a later run succeeds. */
function jobStatus({
  active,
  doneAt,
  failedAt,
}: {
  active: number
  doneAt: string | null
  failedAt: string | null
}): [Tone, string] {
  if (active > 0) return ['accent', 'Running']
  if (failedAt !== null && (doneAt === null || doneAt < failedAt)) return ['loss', 'Failed']
  return doneAt === null ? ['plain', 'Not run yet'] : ['gain', 'Well']
}
