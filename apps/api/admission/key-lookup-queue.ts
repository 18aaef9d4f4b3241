import type pg from 'pg'
import type { KeyIdentity } from '@brickmark/core/account/api-key'
import { findKeyIdentities } from '@brickmark/core/account/api-key-queries'

const MAX_KEYS_PER_QUERY = 500

/** The hashes of a key with each pepper, and who waits for it. */
type Waiting = { hashes: Buffer[]; resolve: (key: KeyIdentity | undefined) => void; reject: (error: unknown) => void }

/**
 * Looks keys up on a connection of its own, one query at a time: keys that arrive meanwhile share the next one. However many
 * are guessed, charges keep their connections and a customer's new key waits for two short queries.
 */
export class KeyLookupQueue {
  readonly #pool: pg.Pool
  #waiting: Waiting[] = []
  #isBusy = false

  /** The pool should have a single connection. */
  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  find(hashes: Buffer[]): Promise<KeyIdentity | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ hashes, resolve, reject })
      if (!this.#isBusy) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isBusy = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_KEYS_PER_QUERY)
      try {
        const found = await findKeyIdentities(
          this.#pool,
          batch.flatMap(({ hashes }) => hashes),
        )
        for (const { hashes, resolve } of batch)
          resolve(hashes.map((hash) => found.get(hash.toString('base64'))).find((key) => key !== undefined))
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#isBusy = false
  }
}
