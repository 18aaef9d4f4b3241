import type { MarketContext } from '@brickmark/core/db/context'
import type { Database } from '@brickmark/core/db/database'
import { isSuccess, type Outcome } from '@brickmark/core/webhook/delivery'
import { releaseEndpoint, type EndpointId, type RecordedAttempt } from '@brickmark/core/webhook/delivery-commands'
import { isGone, isTooOld, PUSH_PACE_SECONDS, PUSH_TTL_SECONDS, pushOutcomeOf } from '@brickmark/core/webhook/push'
import {
  claimPushSubscriptions,
  deleteGoneSubscription,
  findDuePushes,
  recordPushes,
  type DuePush,
} from '@brickmark/core/webhook/push-delivery-commands'
import type { WorkerMetrics } from '../metrics.ts'
import { startDeliveryLoop } from './delivery-loop.ts'
import type { PostAttempt } from './public-http.ts'
import { PushSender, type VapidKeys } from './push-sender.ts'

/** So many events become one notification; the rest follows in the next one. */
const MAX_EVENTS = 500
/** How long a browser is left alone after a failure, unless its push service says for how long. */
const FAILURE_PAUSE_SECONDS = 1

const FAILED: Outcome = { status: 'failed' }
/** What the push service would say again: a message or a key that it doesn't take. */
const REFUSED_CODES = new Set([400, 401, 403, 413])

/** Sends notifications to browsers as events become due. */
export function startPushLoop(
  databaseUrl: string,
  config: VapidKeys & { allowedNetworks: readonly string[] },
  context: Pick<MarketContext, 'log'>,
  metrics: WorkerMetrics,
): { stop(): Promise<void> } {
  const { log } = context
  const sender = new PushSender(config)

  /** Sends one notification about everything that is due. */
  async function serve(db: Database, endpoint: EndpointId): Promise<void> {
    try {
      const due = await findDuePushes(db, endpoint, MAX_EVENTS)
      const [old, current] = splitByAge(due)
      if (old.length > 0) await recordPushes(db, endpoint, old.map(toExpired), 0)
      const [first, ...others] = current
      if (first === undefined) return
      const attempt = await sender.send([first, ...others])
      const { host } = new URL(first.url)
      if (isGone(attempt.statusCode)) {
        await deleteGoneSubscription(db, endpoint)
        metrics.recordPush('gone')
        log.info({ ...endpoint, host }, 'worker: deleted a push subscription that no longer exists')
        return
      }
      const attempts = current.map((push) => ({
        ...attempt,
        eventId: push.id,
        outcome: pushOutcomeOf(attempt, push),
      }))
      await recordPushes(db, endpoint, attempts, pauseAfter(attempt))
      metrics.recordPush(attempts[0]!.outcome.status)
      if (REFUSED_CODES.has(attempt.statusCode ?? 0))
        log.warn({ ...endpoint, host, statusCode: attempt.statusCode }, 'worker: a push service refused a notification')
    } finally {
      await releaseEndpoint(db, endpoint, 0)
    }
  }

  return startDeliveryLoop(
    databaseUrl,
    { what: 'notifications', claim: claimPushSubscriptions, serve, close: () => sender.close() },
    context,
  )
}

function splitByAge(pushes: DuePush[]): [old: DuePush[], current: DuePush[]] {
  const now = new Date()
  return [pushes.filter((push) => isTooOld(push, now)), pushes.filter((push) => !isTooOld(push, now))]
}

function toExpired({ id }: DuePush): RecordedAttempt {
  return {
    eventId: id,
    at: new Date(),
    durationMs: 0,
    statusCode: null,
    response: 'Older than a day.',
    outcome: FAILED,
  }
}

function pauseAfter({ statusCode, retryAfterMs }: PostAttempt): number {
  if (isSuccess(statusCode)) return PUSH_PACE_SECONDS
  return retryAfterMs === null ? FAILURE_PAUSE_SECONDS : Math.min(retryAfterMs / 1000, PUSH_TTL_SECONDS)
}
