import { createHmac } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Prefix of every key, so that a leaked key can be recognized. */
const KEY_PREFIX = 'bmk_live_'

const KEY_PATTERN = /^bmk_live_[0-9a-f]{48}$/

/** Builds a key from 20 random bytes: the prefix, 40 hex characters, and 8 hex characters of CRC-32 over both. */
export function buildKey(random: Uint8Array): string {
  const body = KEY_PREFIX + Buffer.from(random).toString('hex')
  return body + checksum(body)
}

/** Whether a text has the format and checksum of a key. Rejects typos and junk without a lookup. */
export function isWellFormedKey(text: string): boolean {
  return KEY_PATTERN.test(text) && checksum(text.slice(0, -8)) === text.slice(-8)
}

/**
 * Matches a URL query parameter. The character classes exclude the delimiters, so matching never backtracks over the
 * same text.
 */
const QUERY_PARAM = /([?&])([^=&?\s]*)=([^&\s]+)/g

const SECRET_PARAM_NAME = /key|token|secret|passw|pwd|auth|session|cookie|signature/i

/**
 * Redacts a text for storage or display: truncates everything that looks like a full or partial key, and removes the
 * values of query parameters named like secrets.
 */
export function redactSecrets(text: string): string {
  const plain = redactPlain(text)
  // An encoded key (bmk%5Flive_…) is only recognized once it is decoded.
  const decoded = decodePercent(plain)
  const redacted = redactPlain(decoded)
  return redacted === decoded ? plain : redacted
}

/** Decodes `%XX` like a server would, up to three times over; a sequence that isn't valid stays as it is. */
function decodePercent(text: string): string {
  let decoded = text
  for (let pass = 0; pass < 3 && /%[0-9a-f]{2}/i.test(decoded); pass++) {
    decoded = decoded.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  }
  return decoded
}

function redactPlain(text: string): string {
  return (
    text
      .replaceAll(QUERY_PARAM, (all, start: string, name: string) =>
        SECRET_PARAM_NAME.test(name) ? `${start}${name}=…` : all,
      )
      .replaceAll(/(bmk_live_)[0-9a-z]+/gi, '$1…')
      // The body of a key without its prefix.
      .replaceAll(/[0-9a-f]{48,}/gi, '…')
  )
}

/** Hashes a key for storage. Without the pepper, a stolen table can't be tested against guessed keys. */
export function hashKey(key: string, pepper: string): Buffer {
  return createHmac('sha256', pepper).update(key).digest()
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, '0')
}

/** The account and id of a key. Immutable; admission checks on every request whether the key is still valid. */
export type KeyIdentity = { accountId: number; keyId: number }
