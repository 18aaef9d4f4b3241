import { findJobs } from '@brickmark/core/account/operator-queries'
import { TimeAgo } from './time-ago.tsx'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'
import { getServices, requireUser } from '../request/context.server.ts'
import type { Route } from './+types/admin-jobs.ts'

export async function loader({ context }: Route.LoaderArgs) {
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
export default function AdminJobs({ loaderData }: Route.ComponentProps) {
  const { now, jobs } = loaderData
  return (
    <Page title="Jobs" description="Scheduled worker jobs and recent results. Times are in UTC." asOf={now}>
      <title>Jobs · Brickmark</title>
      {jobs.length === 0 ? (
        <EmptyState title="No jobs yet">
          Start a worker to create the job queues. Values and prices won’t update until then.
        </EmptyState>
      ) : (
        <Card title="Jobs">
          <Table
            caption="Jobs"
            rows={jobs}
            rowKey={(job) => job.name}
            columns={[
              { key: 'name', title: 'Job', cell: ({ name }) => name },
              {
                key: 'state',
                title: 'Status',
                cell: (job) => <Badge tone={jobStatus(job)[0]}>{jobStatus(job)[1]}</Badge>,
              },
              {
                key: 'schedule',
                title: 'Schedule',
                cell: ({ schedule }) => (schedule === null ? 'On demand' : <code>{schedule}</code>),
              },
              { key: 'waiting', title: 'Waiting', right: true, cell: ({ waiting }) => waiting },
              { key: 'failed', title: 'Failed', right: true, cell: ({ failed }) => failed },
              { key: 'done', title: 'Last success', cell: ({ doneAt }) => <TimeAgo iso={doneAt} now={now} /> },
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
                      <span className="break-words">{lastError ?? 'No error message'}</span>
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
  return doneAt === null ? ['plain', 'Not run yet'] : ['gain', 'Healthy']
}
