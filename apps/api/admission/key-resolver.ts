import { hash } from 'node:crypto'
import { hashKey, isWellFormedKey, type KeyIdentity } from '@brickmark/core/account/api-key'
import { withTimeout } from '@brickmark/core/db/with-timeout'
import type pg from 'pg'
import { findKeyIdentity } from '@brickmark/core/account/api-key-queries'
import { FailedLookupLimiter } from './failed-lookup-limiter.ts'

/** Thrown when a client address has exceeded its limit of failed key lookups. */
export class FailedLookupLimitError extends Error {}

const MAX_CACHED_KEYS = 100_000

/** Leaves room for the charge within the 2 s response budget. */
const LOOKUP_TIMEOUT_MS = 1500

/**
 * Resolves API keys to their account and key id. Malformed keys are rejected without I/O; known keys come from a cache.
 */
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
   * Returns undefined if the key doesn't exist. Cached keys resolve synchronously, without a promise. A failed lookup
   * counts against `caller.ip`, which is read only when a lookup is needed, because the getter queries the socket.
   */
  resolve(key: string, caller: { ip: string }): KeyIdentity | undefined | Promise<KeyIdentity | undefined> {
    // The cache is keyed by digest, so that plaintext keys don't stay in memory after the request.
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
    return findKeyIdentity(this.#pool, hashes)
  }

  #addToCache(digest: string, identity: KeyIdentity): void {
    const [oldest] = this.#cache.keys()
    if (this.#cache.size >= MAX_CACHED_KEYS && oldest !== undefined) this.#cache.delete(oldest)
    this.#cache.set(digest, identity)
  }
}
