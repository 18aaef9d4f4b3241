import { BRICKSET, type BricksetConnector, refreshFromBrickset } from '@brickmark/core/source/brickset-commands'
import type { Job } from './job.ts'

/** Reads Brickset's catalog when the worker first runs, and every night. */
export function refreshFromBricksetJob(connector: BricksetConnector, followedBy: string[], signal: AbortSignal): Job {
  return {
    name: 'refresh-from-brickset',
    cron: '40 1 * * *',
    reads: BRICKSET,
    followedBy,
    run: (context) => refreshFromBrickset(context, connector, signal),
  }
}
