import { setTimeout as sleep } from 'node:timers/promises'
import { alertOnChanges, skipChange } from '@brickmark/core/alert/alert-commands'
import { refreshStatuses } from '@brickmark/core/alert/change-commands'
import { isDatabaseUnavailable } from '@brickmark/core/db/database'
import type { MarketContext } from '@brickmark/core/db/context'
import type { WorkerMetrics } from './metrics.ts'

const POLL_INTERVAL_MS = 500
const STATUS_INTERVAL_MS = 60_000
const MAX_CHANGES = 500
const FIRST_CHANGES = 20
/** With many rules on an item, a few changes take long. A worker that dies loses one batch. */
const MAX_BATCH_MS = 1000
/** A change that fails alone this often is skipped. */
const MAX_FAILURES = 3

/**
 * Applies alert rules to published changes as they come. Only one worker does so at a time; another takes over if it dies. How
 * many changes it takes at a time follows from how long they took before.
 * After a failure it tries fewer changes, down to one; a change that fails alone is skipped, so that it doesn't hold up
 * everybody's alerts.
 */
export function startAlertLoop({ db, log, now }: MarketContext, metrics: WorkerMetrics): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let statusesAt = 0
  let maxChanges = FIRST_CHANGES
  let failures = 0

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let changes = 0
      try {
        if (now().getTime() - statusesAt >= STATUS_INTERVAL_MS) {
          await refreshStatuses(db)
          statusesAt = now().getTime()
        }
        const started = performance.now()
        const done = await alertOnChanges(db, maxChanges)
        const tookMs = performance.now() - started
        if (done) metrics.recordAlerts(done.alerts)
        changes = done?.changes ?? 0
        failures = 0
        if (tookMs > MAX_BATCH_MS) maxChanges = Math.max(1, Math.floor(maxChanges / 2))
        else if (tookMs < MAX_BATCH_MS / 4) maxChanges = Math.min(MAX_CHANGES, maxChanges * 2)
      } catch (error) {
        log.error({ err: error, maxChanges }, 'worker: applying alert rules failed, retrying')
        await backOff(error)
      }
      if (changes === 0) await sleep(POLL_INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  async function backOff(error: unknown): Promise<void> {
    if (maxChanges > 1) {
      maxChanges = Math.ceil(maxChanges / 8)
      return
    }
    // If the database is unavailable, the change isn't the cause.
    if (isDatabaseUnavailable(error) && !isTimeout(error)) return
    if (++failures < MAX_FAILURES) return
    failures = 0
    try {
      const change = await skipChange(db)
      log.error({ change }, 'worker: skipped a change that alert rules could not be applied to')
    } catch (skipError) {
      log.error({ err: skipError }, 'worker: skipping a change failed, retrying')
    }
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

const QUERY_CANCELED = '57014'

function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === QUERY_CANCELED
}
