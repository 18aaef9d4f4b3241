import { createHmac, timingSafeEqual } from 'node:crypto'

const DAY_MS = 86_400_000
const VALID_DAYS = 90

/** Returns a link that stops mail about an account's alerts, and nothing else, without signing in, for 90 days. */
export function unsubscribeUrl(
  { publicUrl, secret }: { publicUrl: string; secret: string },
  accountId: number,
  now = Date.now(),
): string {
  const lastDay = Math.floor(now / DAY_MS) + VALID_DAYS
  return `${publicUrl}/unsubscribe/${accountId}-${lastDay}-${sign(secret, accountId, lastDay)}`
}

/** Returns the account that an unsubscribe link belongs to; undefined if the link isn't ours or is too old. */
export function readUnsubscribeToken(secret: string, token: string, now = Date.now()): number | undefined {
  const [, id, day, signature] = /^(\d{1,15})-(\d{1,6})-([\w-]{43})$/.exec(token) ?? []
  if (signature === undefined) return undefined
  const [accountId, lastDay] = [Number(id), Number(day)]
  const isOurs = timingSafeEqual(Buffer.from(signature), Buffer.from(sign(secret, accountId, lastDay)))
  return isOurs && now < (lastDay + 1) * DAY_MS ? accountId : undefined
}

function sign(secret: string, accountId: number, lastDay: number): string {
  return createHmac('sha256', secret).update(`unsubscribe ${accountId} ${lastDay}`).digest('base64url')
}
