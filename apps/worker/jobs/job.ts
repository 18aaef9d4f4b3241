import type { MarketContext } from '@brickmark/core/db/context'

/** A scheduled job. It must be safe to run at any time, twice, or late: it does whatever is left to do. */
export type Job = {
  name: string
  cron: string
  /** Returns counts for the log. */
  run: (context: MarketContext) => Promise<object>
}
