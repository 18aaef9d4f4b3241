import type { Database } from '@brickmark/core/db/database'
import { sweepSignIn } from '@brickmark/core/account/session-commands'
import { logError } from './log.ts'

const EVERY_MS = 3_600_000

/**
 * Takes expired sessions and secrets out of the database, at once and every hour. The web application does it itself, because
 * the worker has no right to look at who signs in; several processes may do it side by side.
 */
export function startSweeping(db: Database, everyMs = EVERY_MS): { stop(): Promise<unknown> } {
  let underWay: Promise<unknown> = Promise.resolve()
  const sweep = () => {
    underWay = sweepSignIn(db).catch((error: unknown) => logError('expired sessions could not be swept', error))
  }
  sweep()
  const timer = setInterval(sweep, everyMs)
  return {
    stop() {
      clearInterval(timer)
      return underWay
    },
  }
}
