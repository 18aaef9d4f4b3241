import { createHmac } from 'node:crypto'

/**
 * Returns the secret of an endpoint. It is derived and not stored, so that a copy of the database isn't enough to sign
 * messages.
 */
export function deriveSecret(key: string, salt: Buffer): string {
  return `whsec_${createHmac('sha256', key).update(salt).digest('base64')}`
}

/** Returns the headers of a message by the Standard Webhooks specification, signed with each of the secrets. */
export function signedHeaders(
  { id, body, at }: { id: string; body: string; at: Date },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/** Returns the id of a message: the same for every attempt. */
export function messageId(eventId: string): string {
  return `msg_${eventId.replaceAll('-', '')}`
}
