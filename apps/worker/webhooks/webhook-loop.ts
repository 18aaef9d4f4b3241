import { setTimeout as sleep } from 'node:timers/promises'
import type { MarketContext } from '@brickmark/core/db/context'
import { openDatabase, openPool } from '@brickmark/core/db/database'
import { isSuccess, outcomeOf } from '@brickmark/core/webhook/delivery'
import {
  claimEndpoints,
  findDueDeliveries,
  recordAttempts,
  releaseEndpoint,
  type EndpointId,
} from '@brickmark/core/webhook/delivery-commands'
import type { WorkerMetrics } from '../metrics.ts'
import { WebhookSender } from './webhook-sender.ts'

const POLL_INTERVAL_MS = 200
/** Each endpoint is served on its own, so that a slow one delays no other. */
const MAX_ENDPOINTS = 200
const DELIVERIES_AT_ONCE = 10
/** Another worker takes over an endpoint after this time. It must be longer than a turn and the slowest response. */
const LEASE_SECONDS = 30
const MAX_TURN_MS = 10_000
/** How long an endpoint is left alone after everything sent to it has failed. */
const PAUSE_SECONDS = 1

/**
 * Sends webhooks as they become due. Any number of workers share the work: each claims endpoints, not single deliveries.
 * If a worker dies, what it was sending is sent again with the same id.
 */
export function startWebhookLoop(
  databaseUrl: string,
  config: { key: string; allowedNetworks: readonly string[] },
  { log }: MarketContext,
  metrics: WorkerMetrics,
): { stop(): Promise<void> } {
  const db = openDatabase(
    openPool(databaseUrl, {
      size: 2,
      statementTimeoutMs: 10_000,
      connectTimeoutMs: 10_000,
      onError: (error) => log.warn({ err: error }, 'lost an idle database connection'),
    }),
  )
  const sender = new WebhookSender(config)
  const stopping = new AbortController()
  const turns = new Set<Promise<void>>()

  /** Sends what is due at one endpoint, until nothing is or the turn is over. */
  async function serve(endpoint: EndpointId): Promise<void> {
    const until = performance.now() + MAX_TURN_MS
    let isFailing = false
    try {
      while (!isFailing && !stopping.signal.aborted && performance.now() < until) {
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

  function startTurn(endpoint: EndpointId): void {
    const turn = serve(endpoint)
      .catch((error: unknown) => log.error({ err: error, ...endpoint }, 'worker: sending webhooks failed, retrying'))
      .finally(() => turns.delete(turn))
    turns.add(turn)
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const free = MAX_ENDPOINTS - turns.size
        if (free > 0) for (const endpoint of await claimEndpoints(db, free, LEASE_SECONDS)) startTurn(endpoint)
      } catch (error) {
        log.error({ err: error }, 'worker: looking for webhooks failed, retrying')
      }
      await sleep(POLL_INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
    await Promise.all(turns)
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
      sender.close()
      await db.destroy()
    },
  }
}
