import { hash } from 'node:crypto'
import { hashKey, isWellFormedKey } from '@brickmark/core/account/api-key'
import { withTimeout } from '@brickmark/core/db/with-timeout'
import type pg from 'pg'
import { networkOf } from '@brickmark/core/runtime/client-network'
import { ActiveKey } from './active-key.ts'
import { FailedLookupLimiter } from './failed-lookup-limiter.ts'
import { KeyLookupQueue } from './key-lookup-queue.ts'

/** Thrown when a client's network has exceeded its limit of failed key lookups. */
export class FailedLookupLimitError extends Error {}

const MAX_CACHED_KEYS = 100_000

/** Leaves room for the charge within the 2 s response budget. */
const LOOKUP_TIMEOUT_MS = 1500

/**
 * Resolves API keys to the state that this process keeps of them. Malformed keys are rejected without I/O; known keys come from a cache.
 */
export class KeyResolver {
  readonly #cache = new Map<string, ActiveKey>()
  readonly #failedLookups = new FailedLookupLimiter()
  readonly #lookups: KeyLookupQueue
  readonly #peppers: string[]
  readonly #maxCachedKeys: number

  /** The pool should have a single connection, used by nothing else. */
  constructor(pool: pg.Pool, peppers: string[], { maxCachedKeys = MAX_CACHED_KEYS } = {}) {
    this.#lookups = new KeyLookupQueue(pool)
    this.#peppers = peppers
    this.#maxCachedKeys = maxCachedKeys
  }

  /**
   * Returns undefined if the key doesn't exist. Cached keys resolve synchronously, without a promise. A failed lookup
   * counts against the network of `caller.ip`, which is read only when a lookup is needed, because the getter queries the
   * socket.
   */
  resolve(key: string, caller: { ip: string }): ActiveKey | undefined | Promise<ActiveKey | undefined> {
    // The cache is keyed by digest, so that plaintext keys don't stay in memory after the request.
    const digest = hash('sha256', key, 'base64')
    return (
      this.#cache.get(digest) ??
      (isWellFormedKey(key) ? this.#lookUpWithLimit(key, digest, networkOf(caller.ip)) : undefined)
    )
  }

  async #lookUpWithLimit(key: string, digest: string, network: string): Promise<ActiveKey | undefined> {
    if (!this.#failedLookups.take(network)) throw new FailedLookupLimitError()
    const hashes = this.#peppers.map((pepper) => hashKey(key, pepper))
    const found = await withTimeout(this.#lookups.find(hashes), LOOKUP_TIMEOUT_MS)
    if (!found) return undefined
    this.#failedLookups.refund(network)
    // Another request with this key may have been faster; all requests of a key must share its state.
    return this.#cache.get(digest) ?? this.#addToCache(digest, new ActiveKey(found))
  }

  #addToCache(digest: string, key: ActiveKey): ActiveKey {
    if (this.#cache.size >= this.#maxCachedKeys) this.#evictIdleKey()
    this.#cache.set(digest, key)
    return key
  }

  /** Evicts the oldest key without requests: those of a busy key must keep sharing its state. */
  #evictIdleKey(): void {
    for (const [digest, { isIdle }] of this.#cache) {
      if (!isIdle) continue
      this.#cache.delete(digest)
      return
    }
  }
}
