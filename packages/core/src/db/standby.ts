import type pg from 'pg'
import type { Logger } from 'pino'
import {
  CALLS_PER_CONNECTION,
  isDatabaseUnavailable,
  openDatabase,
  openPool,
  READ_POOL_SIZE,
  type Database,
} from './database.ts'

const PROBE_INTERVAL_MS = 250
const MAX_LAG_MS = 2000

/** The primary's flush LSN at a point in (local) time. */
type LsnSample = { at: number; lsn: number }

/**
 * A streaming standby. It may be read from only while it is known to have replayed everything the primary had
 * acknowledged two seconds ago.
 *
 * Every 250 ms, compares the primary's flush LSN with the standby's replay LSN. This doesn't depend on synchronized
 * clocks, doesn't mistake an idle primary for a lagging standby, and doesn't mistake a disconnected standby for a
 * current one.
 */
export class Standby {
  readonly db: Database
  readonly #pool: pg.Pool
  readonly #primary: pg.Pool
  readonly #log: Logger
  #samples: LsnSample[] = []
  /** The standby has replayed everything acknowledged up to this time. */
  #caughtUpAt = -Infinity
  #timer: NodeJS.Timeout | undefined

  constructor(url: string, primary: pg.Pool, log: Logger) {
    // Short timeouts: a read that fails here is retried on the primary within the request's deadline.
    this.#pool = openPool(url, {
      size: READ_POOL_SIZE,
      statementTimeoutMs: 500,
      connectTimeoutMs: 500,
      pipelined: true,
    })
    this.db = openDatabase(this.#pool, { callsPerConnection: CALLS_PER_CONNECTION })
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
      if (this.isCurrent && !before) this.#log.info('standby caught up; routing private reads to it')
      if (!this.isCurrent && before) this.#log.warn(`standby ${problem}; routing private reads to the primary`)
      await new Promise((resolve) => (this.#timer &&= setTimeout(resolve, PROBE_INTERVAL_MS).unref()))
    }
  }

  async #probe(): Promise<string> {
    try {
      const at = performance.now()
      this.#samples.push({ at, lsn: await flushedLsn(this.#primary) })
      const replayed = await replayedLsn(this.#pool)
      // While the primary is writing, the newest sample is rarely replayed yet, but one of the previous ones is.
      const caughtUp = this.#samples.findLast((sample) => sample.lsn <= replayed)
      if (caughtUp) this.#caughtUpAt = caughtUp.at
      this.#samples = this.#samples.filter((sample) => sample.lsn > replayed && at - sample.at <= MAX_LAG_MS)
      return `is more than ${MAX_LAG_MS} ms behind`
    } catch (error) {
      this.#caughtUpAt = -Infinity
      return `is unusable (${(error as Error).message})`
    }
  }
}

/** Returns true if a read failed for a reason specific to the standby, so that it may succeed on the primary. */
export function isStandbyFailure(error: unknown): boolean {
  // 40001: WAL replay on the standby removed rows the query still needed.
  return isDatabaseUnavailable(error) || (error as { code?: unknown }).code === '40001'
}

/** Returns the primary's flush LSN: nothing beyond it was acknowledged. */
async function flushedLsn(primary: pg.Pool): Promise<number> {
  const { rows } = await primary.query<{ lsn: string }>(`select pg_current_wal_flush_lsn() - '0/0'::pg_lsn as lsn`)
  return Number(rows[0]!.lsn)
}

/** Returns the standby's replay LSN. Throws if the server isn't safe to read from. */
async function replayedLsn(standby: pg.Pool): Promise<number> {
  const { rows } = await standby.query<{ lsn: string; unsafe: boolean }>(
    `select pg_last_wal_replay_lsn() - '0/0'::pg_lsn as lsn, rolsuper or rolbypassrls as unsafe
       from pg_roles where rolname = current_user and pg_is_in_recovery()`,
  )
  const [state] = rows
  if (!state) throw new Error('not a standby')
  if (state.unsafe) throw new Error('its role bypasses row-level security')
  return Number(state.lsn)
}
