import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { connectionTo } from './primary.ts'
import type { DB } from './schema.generated.ts'

/** The typed handle that every query function takes: a pool, or a transaction on one of its connections. */
export type Database = Kysely<DB>

// `date` stays text (a local Date would move it by a time zone), numeric stays text (money is never a float),
// bigint becomes a number: ids and counts stay below 2^53.
pg.types.setTypeParser(pg.types.builtins.DATE, String)
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * One pool for one process; with several servers in `url` its connections go to the primary. node-postgres has no time limits of its own, so
 * each of them is set here.
 */
export function openPool(url: string, { size = 10, statementTimeoutMs = 2000 } = {}): pg.Pool {
  const pool = new pg.Pool({
    ...connectionTo(url),
    max: size,
    connectionTimeoutMillis: 2000,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + 1000,
    idle_in_transaction_session_timeout: Math.max(5000, statementTimeoutMs),
    keepAlive: true,
    application_name: 'brickmark',
  })
  // A connection that breaks, idle or in use, is replaced on next use, and whoever waits on it is told by the query
  // itself; without a listener node would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

const UNAVAILABLE_CODES = /^(ECONN|EPIPE|ETIMEDOUT|08|25006|57P0|57014|53)/
const UNAVAILABLE_MESSAGES =
  /connection terminated|not queryable|connection error|timeout exceeded|read timeout|cannot use a pool/i

/**
 * Whether an error means that PostgreSQL could not be reached, is shutting down, starting or no longer the primary, or
 * had no connection or time to spare. node-postgres tells some of that only in words.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as Error & { code?: unknown }
  return typeof code === 'string' ? UNAVAILABLE_CODES.test(code) : UNAVAILABLE_MESSAGES.test(error.message)
}

/** Kysely over a pool: builds and types the SQL, the pool runs it. */
export function openDatabase(pool: pg.Pool): Database {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}

/**
 * Runs `work` in a read-only transaction that row-level security confines to one account.
 * The setting ends with the transaction, so a pooled connection can never carry it to the next request.
 */
export async function readAs<T>(
  db: Database,
  accountId: number,
  work: (transaction: Transaction<DB>) => Promise<T>,
): Promise<T> {
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (transaction) => {
      await sql`select set_config('brickmark.account_id', ${String(accountId)}, true)`.execute(transaction)
      return work(transaction)
    })
}
