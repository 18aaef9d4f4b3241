import { createHash, createHmac } from 'node:crypto'

/** Returns the token in a shelf's link: derived, so that its owner can see the link again and the database can't give it away. */
export function shelfToken(secret: string, salt: Buffer): string {
  return createHmac('sha256', secret).update('shelf ').update(salt).digest('base64url')
}

/** Returns what the database knows of a token. */
export function hashShelfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
