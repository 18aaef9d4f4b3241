import type { MarketContext } from '@brickmark/core/db/context'
import { Listener } from '@brickmark/core/db/listener'
import { recomputeDirty } from '@brickmark/core/market/values/recompute-commands'
import type { WorkerMetrics } from './metrics.ts'

const POLL_INTERVAL_MS = 1000

/** Recomputes dirty items whenever observations are notified, and every second in case a notification was lost. */
export function startRecomputeLoop(
  listenUrl: string,
  context: MarketContext,
  metrics: WorkerMetrics,
): { stop(): Promise<void> } {
  let stopped = false
  let notified = false
  let wake = () => {}
  const listener = new Listener({
    url: listenUrl,
    db: context.db,
    channel: 'observations',
    applicationName: 'brickmark worker',
    onNotification: () => {
      notified = true
      wake()
    },
    onError: (error) => context.log.warn({ err: error }, 'worker: lost the listening connection, reconnecting'),
  })

  async function run(): Promise<void> {
    while (!stopped) {
      notified = false
      try {
        // Every round counts, because a large import keeps a healthy worker busy for longer than the alert waits.
        await recomputeDirty(context, () => metrics.recordRecompute())
      } catch (error) {
        context.log.error({ err: error }, 'worker: recomputing failed, retrying')
      }
      if (!notified && !stopped) await sleepUntilWoken()
    }
  }

  function sleepUntilWoken(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_INTERVAL_MS)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const running = run()
  return {
    async stop() {
      stopped = true
      wake()
      await Promise.all([running, listener.stop()])
    },
  }
}
