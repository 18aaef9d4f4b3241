import { setTimeout as sleep } from 'node:timers/promises'
import { alertOnChanges } from '@brickmark/core/alert/alert-commands'
import { refreshStatuses } from '@brickmark/core/alert/change-commands'
import type { MarketContext } from '@brickmark/core/db/context'
import type { WorkerMetrics } from './metrics.ts'

const POLL_INTERVAL_MS = 500
const STATUS_INTERVAL_MS = 60_000

/** Applies alert rules to published changes as they come. Only one worker does so at a time; another takes over if it dies. */
export function startAlertLoop({ db, log, now }: MarketContext, metrics: WorkerMetrics): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let statusesAt = 0

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let changes = 0
      try {
        if (now().getTime() - statusesAt >= STATUS_INTERVAL_MS) {
          await refreshStatuses(db)
          statusesAt = now().getTime()
        }
        const done = await alertOnChanges(db)
        if (done) metrics.recordAlerts(done.alerts)
        changes = done?.changes ?? 0
      } catch (error) {
        log.error({ err: error }, 'worker: applying alert rules failed, retrying')
      }
      if (changes === 0) await sleep(POLL_INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => {})
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
