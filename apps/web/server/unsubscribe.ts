import { createHmac, timingSafeEqual } from 'node:crypto'

/** Returns a link that stops mail about an account's alerts, and nothing else, without signing in. */
export function unsubscribeUrl(
  { publicUrl, secret }: { publicUrl: string; secret: string },
  accountId: number,
): string {
  return `${publicUrl}/unsubscribe/${accountId}-${sign(secret, accountId)}`
}

/** Returns the account that an unsubscribe link belongs to; undefined if the link isn't ours. */
export function readUnsubscribeToken(secret: string, token: string): number | undefined {
  const [, id, signature] = /^(\d{1,15})-([\w-]{43})$/.exec(token) ?? []
  if (id === undefined || signature === undefined) return undefined
  const accountId = Number(id)
  return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(secret, accountId))) ? accountId : undefined
}

function sign(secret: string, accountId: number): string {
  return createHmac('sha256', secret).update(`unsubscribe ${accountId}`).digest('base64url')
}
