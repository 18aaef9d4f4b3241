import type { Database } from '@brickmark/core/db/database'
import { deleteExpiredAuthRows } from '@brickmark/core/account/session-commands'
import { logError } from './log.ts'

const INTERVAL_MS = 3_600_000

/**
 * Deletes expired sessions and tokens from the database, once at startup and then every hour. The web application does
 * this itself because the worker's role has no access to the sign-in tables. Safe to run in several processes at once.
 */
export function startSessionCleanup(db: Database, everyMs = INTERVAL_MS): { stop(): Promise<unknown> } {
  let current: Promise<unknown> = Promise.resolve()
  const runCleanup = () => {
    current = deleteExpiredAuthRows(db).catch((error: unknown) => logError('session cleanup failed', error))
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
