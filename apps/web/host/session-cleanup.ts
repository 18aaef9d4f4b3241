import type { Database } from '@brickmark/core/db/database'
import { deleteExpiredAuthRows } from '@brickmark/core/account/session-commands'
import { log } from './log.ts'

const INTERVAL_MS = 3_600_000

/**
 * Takes expired sessions and secrets out of the database, at once and every hour. The web application does it itself, because
 * the worker has no right to look at who signs in; several processes may do it side by side.
 */
export function startSessionCleanup(db: Database, everyMs = INTERVAL_MS): { stop(): Promise<unknown> } {
  let current: Promise<unknown> = Promise.resolve()
  const runCleanup = () => {
    current = deleteExpiredAuthRows(db).catch((error: unknown) => log.error({ err: error }, 'session cleanup failed'))
  }
  runCleanup()
  const timer = setInterval(runCleanup, everyMs)
  return {
    stop() {
      clearInterval(timer)
      return current
    },
  }
}
