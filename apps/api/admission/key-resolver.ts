import { hash } from 'node:crypto'
import { hashKey, isKey, type KeyIdentity } from '@brickmark/core/account/api-key'
import { inTime } from '@brickmark/core/db/with-timeout'
import type pg from 'pg'
import { MissBudget } from './failed-lookup-limiter.ts'

/** Thrown when an address has tried too many unknown keys to be worth another look-up. */
export class TooManyMisses extends Error {}

const REMEMBERED_KEYS = 100_000

/** Nobody is kept waiting for 2 s, and there is a charge to make after this. */
const LOOK_UP_MS = 1500

/** From the text of a key to whose it is. Junk is refused without I/O, a known key is answered from memory. */
export class KeyDirectory {
  readonly #known = new Map<string, KeyIdentity>()
  readonly #misses = new MissBudget()
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
  identify(key: string, caller: { ip: string }): KeyIdentity | undefined | Promise<KeyIdentity | undefined> {
    // The plain key is not kept in memory longer than the request.
    const digest = hash('sha256', key, 'base64')
    return this.#known.get(digest) ?? (isKey(key) ? this.#find(key, digest, caller.ip) : undefined)
  }

  async #find(key: string, digest: string, address: string): Promise<KeyIdentity | undefined> {
    if (this.#misses.spent(address)) throw new TooManyMisses()
    const found = await inTime(this.#lookUp(key), LOOK_UP_MS)
    if (found) this.#remember(digest, found)
    else this.#misses.spend(address)
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

  #remember(digest: string, identity: KeyIdentity): void {
    const [oldest] = this.#known.keys()
    if (this.#known.size >= REMEMBERED_KEYS && oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(digest, identity)
  }
}
