import { createHmac } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Every key begins with this, so that a leaked one can be recognised. */
const KEY_PREFIX = 'bmk_live_'

const KEY_PATTERN = /^bmk_live_[0-9a-f]{48}$/

/** The key made of 20 random bytes: prefix, 40 hex characters, and 8 of CRC-32 over both. */
export function buildKey(random: Uint8Array): string {
  const body = KEY_PREFIX + Buffer.from(random).toString('hex')
  return body + checksum(body)
}

/** Whether a text has the form and checksum of a key: a typing slip or junk is told apart without any look-up. */
export function isWellFormedKey(text: string): boolean {
  return KEY_PATTERN.test(text) && checksum(text.slice(0, -8)) === text.slice(-8)
}

/** A parameter of an address. What stands in none of the three parts keeps this from looking anywhere twice. */
const QUERY_PARAM = /([?&])([^=&?\s]*)=([^&\s]+)/g

const SECRET_PARAM_NAME = /key|token|secret|passw|pwd|auth|session|cookie|signature/i

/**
 * A text that may be kept or shown: whatever looks like a key in it, whole or in part, is cut short, and so is what an
 * address holds under the name of a secret.
 */
export function redactSecrets(text: string): string {
  return text
    .replaceAll(QUERY_PARAM, (all, start: string, name: string) =>
      SECRET_PARAM_NAME.test(name) ? `${start}${name}=…` : all,
    )
    .replaceAll(/(bmk_live_)[0-9a-z]+/gi, '$1…')
}

/** The form in which a key is stored: without the pepper a stolen table cannot be tried against guesses. */
export function hashKey(key: string, pepper: string): Buffer {
  return createHmac('sha256', pepper).update(key).digest()
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, '0')
}

/** Whose key this is. An immutable fact; whether the key may act is asked of admission for every request. */
export type KeyIdentity = { accountId: number; keyId: number }
