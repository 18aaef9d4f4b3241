import type pg from 'pg'
import type { Logger } from 'pino'
import { isDatabaseUnavailable, openDatabase, openPool, READ_POOL_SIZE, type Database } from './database.ts'

const PROBE_INTERVAL_MS = 250
const MAX_LAG_MS = 2000

/** A place in the primary's log, and when (on this process's clock) nothing acknowledged lay beyond it. */
type LsnSample = { at: number; lsn: number }

/**
 * A streaming standby, and whether it may be read from: only while it is known to hold everything that the primary had
 * acknowledged two seconds ago.
 *
 * Four times a second the primary is asked how far its log reaches, and the standby how far it has replayed. That needs
 * no clocks that agree, does not take a quiet primary for a lagging standby, nor one that was cut off for a current one.
 */
export class Standby {
  readonly db: Database
  readonly #pool: pg.Pool
  readonly #primary: pg.Pool
  readonly #log: Logger
  #samples: LsnSample[] = []
  /** It holds all that was acknowledged until then. */
  #caughtUpAt = -Infinity
  #timer: NodeJS.Timeout | undefined

  constructor(url: string, primary: pg.Pool, log: Logger) {
    // Short limits: a read that fails here is done again on the primary, within the time a caller may wait.
    this.#pool = openPool(url, {
      size: READ_POOL_SIZE,
      statementTimeoutMs: 500,
      connectTimeoutMs: 500,
      pipelined: true,
    })
    this.db = openDatabase(this.#pool)
    this.#primary = primary
    this.#log = log
    void this.#probeLoop()
  }

  get isCurrent(): boolean {
    return performance.now() - this.#caughtUpAt <= MAX_LAG_MS
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.db.destroy()
  }

  async #probeLoop(): Promise<void> {
    this.#timer = setTimeout(() => {}, PROBE_INTERVAL_MS)
    while (this.#timer !== undefined) {
      const before = this.isCurrent
      const problem = await this.#probe()
      if (this.isCurrent && !before) this.#log.info('the standby is current: private reads go there')
      if (!this.isCurrent && before) this.#log.warn(`the standby ${problem}: private reads go to the primary`)
      await new Promise((resolve) => (this.#timer &&= setTimeout(resolve, PROBE_INTERVAL_MS).unref()))
    }
  }

  async #probe(): Promise<string> {
    try {
      const at = performance.now()
      this.#samples.push({ at, lsn: await flushedLsn(this.#primary) })
      const replayed = await replayedLsn(this.#pool)
      // While the primary writes, the newest mark is hardly ever reached yet, but one of the last is.
      const caughtUp = this.#samples.findLast((mark) => mark.lsn <= replayed)
      if (caughtUp) this.#caughtUpAt = caughtUp.at
      this.#samples = this.#samples.filter((mark) => mark.lsn > replayed && at - mark.at <= MAX_LAG_MS)
      return `is more than ${MAX_LAG_MS} ms behind`
    } catch (error) {
      this.#caughtUpAt = -Infinity
      return `cannot be used (${(error as Error).message})`
    }
  }
}

/** Whether a read failed because it was made on a standby, so that the primary may still answer it. */
export function isStandbyFailure(error: unknown): boolean {
  // 40001: what the read looked at was removed by something the standby had to replay.
  return isDatabaseUnavailable(error) || (error as { code?: unknown }).code === '40001'
}

/** Up to where the primary's log is on its disk: nothing acknowledged lies beyond. */
async function flushedLsn(primary: pg.Pool): Promise<number> {
  const { rows } = await primary.query<{ lsn: string }>(`select pg_current_wal_flush_lsn() - '0/0'::pg_lsn as lsn`)
  return Number(rows[0]!.lsn)
}

/** Up to where the standby has replayed. Throws for a server that must not be read from. */
async function replayedLsn(standby: pg.Pool): Promise<number> {
  const { rows } = await standby.query<{ lsn: string; unsafe: boolean }>(
    `select pg_last_wal_replay_lsn() - '0/0'::pg_lsn as lsn, rolsuper or rolbypassrls as unsafe
       from pg_roles where rolname = current_user and pg_is_in_recovery()`,
  )
  const [state] = rows
  if (!state) throw new Error('it is not a standby')
  if (state.unsafe) throw new Error('its role passes by row-level security')
  return Number(state.lsn)
}
