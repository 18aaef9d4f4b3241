import { hash } from 'node:crypto'
import { hashKey, isWellFormedKey, type KeyIdentity } from '@brickmark/core/account/api-key'
import { withTimeout } from '@brickmark/core/db/with-timeout'
import type pg from 'pg'
import { FailedLookupLimiter } from './failed-lookup-limiter.ts'

/** Thrown when an address has tried too many unknown keys to be worth another look-up. */
export class FailedLookupLimitError extends Error {}

const MAX_CACHED_KEYS = 100_000

/** Nobody is kept waiting for 2 s, and there is a charge to make after this. */
const LOOKUP_TIMEOUT_MS = 1500

/** From the text of a key to whose it is. Junk is refused without I/O, a known key is answered from memory. */
export class KeyResolver {
  readonly #cache = new Map<string, KeyIdentity>()
  readonly #failedLookups = new FailedLookupLimiter()
  readonly #pool: pg.Pool
  readonly #peppers: string[]

  constructor(pool: pg.Pool, peppers: string[]) {
    this.#pool = pool
    this.#peppers = peppers
  }

  /**
   * Undefined when there is no such key. A known key is answered at once, without a promise. The budget of `caller.ip` is
   * charged for a miss, and only then is the socket asked for it.
   */
  resolve(key: string, caller: { ip: string }): KeyIdentity | undefined | Promise<KeyIdentity | undefined> {
    // The plain key is not kept in memory longer than the request.
    const digest = hash('sha256', key, 'base64')
    return this.#cache.get(digest) ?? (isWellFormedKey(key) ? this.#lookUpWithLimit(key, digest, caller.ip) : undefined)
  }

  async #lookUpWithLimit(key: string, digest: string, address: string): Promise<KeyIdentity | undefined> {
    if (this.#failedLookups.isExhausted(address)) throw new FailedLookupLimitError()
    const found = await withTimeout(this.#lookUp(key), LOOKUP_TIMEOUT_MS)
    if (found) this.#addToCache(digest, found)
    else this.#failedLookups.recordFailure(address)
    return found
  }

  async #lookUp(key: string): Promise<KeyIdentity | undefined> {
    const hashes = this.#peppers.map((pepper) => hashKey(key, pepper))
    const { rows } = await this.#pool.query<{ account_id: number; key_id: number }>({
      name: 'identify_keys',
      text: 'select account_id, key_id from account.identify_keys($1)',
      values: [hashes],
    })
    return rows[0] && { accountId: rows[0].account_id, keyId: rows[0].key_id }
  }

  #addToCache(digest: string, identity: KeyIdentity): void {
    const [oldest] = this.#cache.keys()
    if (this.#cache.size >= MAX_CACHED_KEYS && oldest !== undefined) this.#cache.delete(oldest)
    this.#cache.set(digest, identity)
  }
}
