import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The token with which the first operator sets up the service. Every web process derives the same, and nobody can who has only
 * a copy of the database.
 */
export function setupToken(secret: string, nonce: string): string {
  return createHmac('sha256', secret).update(`setup ${nonce}`).digest('base64url').slice(0, 32)
}

export function isSetupToken(token: string, secret: string, nonce: string): boolean {
  const expected = Buffer.from(setupToken(secret, nonce))
  const actual = Buffer.from(token)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}
