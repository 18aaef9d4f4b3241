import {
  REBRICKABLE,
  refreshFromRebrickable,
  type RebrickableConnector,
} from '@brickmark/core/source/rebrickable-commands'
import type { Job } from './job.ts'

/** Reads Rebrickable's catalog when the worker first runs, and every Monday. */
export function refreshFromRebrickableJob(
  connector: RebrickableConnector,
  followedBy: string[],
  signal: AbortSignal,
): Job {
  return {
    name: 'refresh-from-rebrickable',
    cron: '10 1 * * 1',
    reads: REBRICKABLE,
    followedBy,
    run: (context) => refreshFromRebrickable(context, connector, signal),
  }
}
