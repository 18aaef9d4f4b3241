import type { MarketContext } from '@brickmark/core/db/context'

/** A scheduled job. It must be safe to run at any time, twice, or late: it does whatever is left to do. */
export type Job = {
  name: string
  cron: string
  /** The source that it reads. If nothing has ever been read of it, the job runs as soon as the worker starts. */
  reads?: string
  /** Runs when a worker starts, too. */
  runsAtStart?: true
  /** Jobs that have more to do once this one is done. */
  followedBy?: string[]
  /** Returns counts for the log. */
  run: (context: MarketContext) => Promise<object>
}
