import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const EVERY_MS = 10

/** Continuously samples who waits for a lock in a database, and records the longest wait. */
export class LockMonitor {
  longestMs = 0
  samples = 0
  #stopped = false
  readonly #watching: Promise<void>

  constructor(url: string) {
    this.#watching = this.#watch(url)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#watching
  }

  async #watch(url: string): Promise<void> {
    const client = new pg.Client(url)
    await client.connect()
    while (!this.#stopped) {
      const { rows } = await client.query<{ ms: number }>(
        `select coalesce(max(extract(epoch from clock_timestamp() - waitstart)) * 1000, 0)::float8 as ms
         from pg_locks where not granted and locktype = 'relation'
           and database = (select oid from pg_database where datname = current_database())`,
      )
      this.longestMs = Math.max(this.longestMs, rows[0]!.ms)
      this.samples++
      await sleep(EVERY_MS)
    }
    await client.end()
  }
}
