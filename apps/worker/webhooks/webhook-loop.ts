import type { MarketContext } from '@brickmark/core/db/context'
import type { Database } from '@brickmark/core/db/database'
import { isSuccess, outcomeOf } from '@brickmark/core/webhook/delivery'
import {
  claimEndpoints,
  findDueDeliveries,
  recordAttempts,
  releaseEndpoint,
  type EndpointId,
} from '@brickmark/core/webhook/delivery-commands'
import type { WorkerMetrics } from '../metrics.ts'
import { startDeliveryLoop } from './delivery-loop.ts'
import { WebhookSender } from './webhook-sender.ts'

const DELIVERIES_AT_ONCE = 10
const MAX_TURN_MS = 10_000
/** How long an endpoint is left alone after everything sent to it has failed. */
const PAUSE_SECONDS = 1

/** Sends webhooks as they become due. */
export function startWebhookLoop(
  databaseUrl: string,
  config: { key: string; allowedNetworks: readonly string[] },
  context: Pick<MarketContext, 'log'>,
  metrics: WorkerMetrics,
): { stop(): Promise<void> } {
  const sender = new WebhookSender(config)

  async function serve(db: Database, endpoint: EndpointId, stopping: AbortSignal): Promise<void> {
    const until = performance.now() + MAX_TURN_MS
    let isFailing = false
    try {
      while (!isFailing && !stopping.aborted && performance.now() < until) {
        const due = await findDueDeliveries(db, endpoint, DELIVERIES_AT_ONCE)
        if (due.length === 0) break
        isFailing = true
        const attempts = await Promise.all(
          due.map(async (delivery) => {
            const attempt = await sender.send(delivery)
            return { ...attempt, eventId: delivery.id, outcome: outcomeOf(attempt, delivery.attempts) }
          }),
        )
        await recordAttempts(db, endpoint, attempts)
        for (const { outcome } of attempts) metrics.recordWebhook(outcome.status)
        isFailing = attempts.every(({ statusCode }) => !isSuccess(statusCode))
      }
    } finally {
      await releaseEndpoint(db, endpoint, isFailing ? PAUSE_SECONDS : 0)
    }
  }

  return startDeliveryLoop(
    databaseUrl,
    { what: 'webhooks', claim: claimEndpoints, serve, close: () => sender.close() },
    context,
  )
}
