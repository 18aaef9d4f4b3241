import { type BricksetConnector, refreshFromBrickset } from '@brickmark/core/source/brickset-commands'
import type { Job } from './job.ts'

/** Reads Brickset's catalog again, every night. */
export function refreshFromBricksetJob(connector: BricksetConnector, signal: AbortSignal): Job {
  return {
    name: 'refresh-from-brickset',
    cron: '40 1 * * *',
    run: (context) => refreshFromBrickset(context, connector, signal),
  }
}
