import { outcomeOf, type Attempt, type Outcome } from './delivery.ts'
import { toEventBody, type WebhookEvent } from './event.ts'
import { messageId } from './signature.ts'

/** How long a push service keeps a message for a browser that is offline, and how long we try: older prices are no news. */
export const PUSH_TTL_SECONDS = 86_400
/** Browsers get a message a minute at most. What happens meanwhile comes together in the next one. */
export const PUSH_PACE_SECONDS = 60

/** Half of the 4 KB that every push service accepts, even if each character takes three bytes and every quote is escaped. */
const MAX_TITLE = 120
const MAX_BODY = 240

/** What the service worker shows. A notification replaces one of the same tag. */
export type Notification = { title: string; body: string; path: string; tag: string }

/** Returns the notification about events, oldest first: one that links to the item, or a summary. */
export function toNotification(events: readonly WebhookEvent[]): Notification {
  const tag = messageId(events.at(-1)!.id)
  const alerts = events.flatMap((event) => {
    const { data } = toEventBody(event)
    return 'reason' in data ? [data] : []
  })
  const [first] = alerts
  if (first === undefined)
    return { title: 'Brickmark', body: 'This is a test. Your alerts will arrive here.', path: '/alerts', tag }
  if (alerts.length === 1) {
    const path = `/${first.item_kind}/${encodeURIComponent(first.item_number)}`
    return { title: cut(first.title, MAX_TITLE), body: cut(first.reason, MAX_BODY), path, tag }
  }
  const titles = [...new Set(alerts.map(({ title }) => title))].join(', ')
  return { title: `${alerts.length} alerts`, body: cut(titles, MAX_BODY), path: '/alerts', tag }
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`
}

/** Whether the event is too old to be pushed. */
export function isTooOld({ at }: { at: Date }, now: Date): boolean {
  return now.getTime() - at.getTime() >= PUSH_TTL_SECONDS * 1000
}

/** Whether a push service says that a subscription no longer exists. */
export function isGone(statusCode: number | null): boolean {
  return statusCode === 404 || statusCode === 410
}

/** Returns what follows from an attempt to push an event: webhooks are tried for days, notifications for one. */
export function pushOutcomeOf(
  attempt: Attempt & { retryAfterMs: number | null },
  delivery: { at: Date; attempts: number },
  random = Math.random,
): Outcome {
  const outcome = outcomeOf(attempt, delivery.attempts, random)
  if (outcome.status !== 'waiting') return outcome
  const retryInSeconds = Math.max(outcome.retryInSeconds, (attempt.retryAfterMs ?? 0) / 1000)
  const retryAt = new Date(attempt.at.getTime() + retryInSeconds * 1000)
  return isTooOld(delivery, retryAt) ? { status: 'failed' } : { status: 'waiting', retryInSeconds }
}
