import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { LOCK_NOT_AVAILABLE } from './lock-timeout.ts'
import { prepareStatements } from './prepared-statements.ts'
import { connectionConfig } from './primary-discovery.ts'
import type { DB } from './schema.generated.ts'
import { DatabaseBusyError, FairQueue } from './fair-queue.ts'
import { SharedConnections } from './shared-connections.ts'

/** Typed handle that every query function takes: a pool, or a transaction on one of its connections. */
export type Database = Kysely<DB>

// `date` stays text (a local Date would shift it by the time zone), numeric stays text (money is never a float), bigint
// becomes a number (ids and counts stay below 2^53).
pg.types.setTypeParser(pg.types.builtins.DATE, String)
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * Read connections per API process, and account reads on each of them at a time. Results that arrive together are processed
 * in one event-loop tick, so more reads in flight mean longer ticks: under overload, twelve had 40 % higher latency than
 * six, for as many short reads per second.
 */
export const READ_POOL_SIZE = 3
export const CALLS_PER_CONNECTION = 2

export type PoolOptions = {
  size?: number
  statementTimeoutMs?: number
  connectTimeoutMs?: number
  pipelined?: boolean
  /** Receives errors of idle connections. Queries report their own. */
  onError?: (error: Error) => void
}

/**
 * Opens a process's connection pool; if `url` lists several servers, it connects to the primary. node-postgres has no
 * default timeouts, so they are set here; how long to wait for a lock is a setting of the role (`roles.sql`). A `pipelined`
 * pool sends queries without waiting for earlier results and prepares every statement; it can't COPY.
 */
export function openPool(url: string, options: PoolOptions = {}): pg.Pool {
  const { size = 10, statementTimeoutMs = 2000, connectTimeoutMs = 2000, pipelined = false } = options
  const pool = new pg.Pool({
    pipeline: pipelined,
    ...connectionConfig(url),
    max: size,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + 1000,
    idle_in_transaction_session_timeout: Math.max(5000, statementTimeoutMs),
    keepAlive: true,
    application_name: 'brickmark',
  })
  // The pool replaces a broken connection on next use, and the pending query itself rejects; without a listener Node
  // would exit the process.
  pool.on('error', options.onError ?? (() => {}))
  pool.on('connect', (client) => client.on('error', () => {}))
  if (pipelined) pool.on('connect', prepareStatements)
  return pool
}

const IN_FAILED_TRANSACTION = '25P02'
const UNAVAILABLE_CODES = /^(ECONN|EPIPE|ETIMEDOUT|08|25006|57P0|57014|55P03|53)/
const UNAVAILABLE_MESSAGES =
  /connection terminated|not queryable|connection error|timeout exceeded|read timeout|cannot use a pool/i

/**
 * Returns true if PostgreSQL is unreachable, starting up, shutting down or no longer the primary, or if no connection
 * or time was left. node-postgres reports some of these only through the error message.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseBusyError) return true
  const code = errorCode(error)
  return typeof code === 'string' ? UNAVAILABLE_CODES.test(code) : UNAVAILABLE_MESSAGES.test(error.message)
}

function errorCode(error: unknown): unknown {
  return (error as { code?: unknown }).code
}

type PoolEntry = { pool: pg.Pool; queue: FairQueue; shared: SharedConnections }

const pools = new WeakMap<Database, PoolEntry>()

/**
 * Creates a Kysely instance on top of a pool. `readAs` and `callAs` wait at most `waitMs` for their turn. If there may be
 * several calls per connection, the pool must be pipelined; `readAs` still gets a connection of its own.
 */
export function openDatabase(pool: pg.Pool, { waitMs = 2000, callsPerConnection = 1 } = {}): Database {
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  const queue = new FairQueue(pool.options.max * callsPerConnection, waitMs)
  pools.set(db, { pool, queue, shared: new SharedConnections(pool, breaksConnection) })
  return db
}

/**
 * Returns true if a read for this account would be rejected immediately because, with `inFlight` requests, it already exceeds
 * its fair share of the connections.
 */
export function exceedsFairShare(db: Database, accountId: number, inFlight: number): boolean {
  return poolEntry(db).queue.wouldReject(accountId, inFlight)
}

/**
 * A Kysely instance on one pooled connection, for one transaction of an account. It sends queries immediately; Kysely's own
 * single-connection handle waits for each result before sending the next query. Once `end` was called it throws: the
 * connection may belong to another account by then.
 */
class PinnedConnection {
  readonly db: Database
  /** Errors of its queries, in order. */
  readonly failures: unknown[] = []
  #hasEnded = false

  constructor(client: pg.PoolClient) {
    const query = (text: string, values: unknown[]) => {
      if (this.#hasEnded) throw new Error('A query came after the end of its transaction.')
      const result = client.query(text, values)
      result.catch((error: unknown) => this.failures.push(error))
      return result
    }
    const clientFacade = { query: query as pg.PoolClient['query'], release() {} }
    const pool = { connect: () => Promise.resolve(clientFacade), end: () => Promise.resolve(), options: {} }
    this.db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  }

  end(): void {
    this.#hasEnded = true
  }
}

type Callback<T> = (db: Database) => Promise<T>

/** Runs `work` in the current transaction, or in a new one if there is none. */
export function joinTransaction<T>(db: Database, callback: Callback<T>): Promise<T> {
  return db.isTransaction ? callback(db) : db.transaction().execute(callback)
}

/** Runs `work` in a transaction that row-level security restricts to one account. */
export function writeAs<T>(db: Database, accountId: number, callback: Callback<T>): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    await setAccountContext(transaction, accountId)
    return callback(transaction)
  })
}

/**
 * Like `writeAs`, for read-only work: the statements that open the transaction are sent together with the first reads,
 * and the caller doesn't wait for the commit. Statements complete in order even if one fails. 1.5 to 2 times as many requests
 * per second as with a transaction of Kysely.
 */
export async function readAs<T>(db: Database, accountId: number, callback: Callback<T>): Promise<T> {
  const { client, release } = await acquireConnection(db, accountId)
  const connection = new PinnedConnection(client)
  const { failures } = connection
  const transactionStarted = Promise.all([client.query('begin read only'), setAccountContext(connection.db, accountId)])
  try {
    const [result] = await Promise.all([callback(connection.db), transactionStarted])
    return result
  } catch (error) {
    // In a pipelined transaction only the first error is meaningful; the rest are 25P02.
    throw errorCode(error) === IN_FAILED_TRANSACTION ? (failures[0] ?? error) : error
  } finally {
    connection.end()
    transactionStarted
      .then(() => client.query('commit'))
      .then(
        () => release(failures),
        (error: unknown) => release([...failures, error], error as Error),
      )
  }
}

/** A SQL function whose first argument is an account, to which it restricts row-level security itself. */
export type AccountFunction = { name: string; text: string }

export function accountFunction(name: string, argumentCount: number): AccountFunction {
  const placeholders = Array.from({ length: argumentCount }, (_, index) => `$${index + 1}`)
  return { name, text: `select * from ${name}(${placeholders.join(', ')})` }
}

/**
 * Calls a function for an account and returns its row. Needs no transaction, but also works in one. With rows in a packed
 * `bytea`, 1.8 to 3.1 times as many requests per second as `readAs`, which is the plain way.
 */
export async function callAs<Row extends object>(
  db: Database,
  accountId: number,
  { name, text }: AccountFunction,
  ...parameters: unknown[]
): Promise<Row> {
  const values = [accountId, ...parameters]
  const entry = pools.get(db)
  if (!entry) return (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows[0]!
  const { queue, shared } = entry
  await queue.acquire(accountId)
  try {
    const { rows } = await shared.call((client) => client.query<Row>({ name, text, values }))
    return rows[0]!
  } catch (error) {
    rejectQueuedIfLocked(queue, [error])
    throw error
  } finally {
    queue.release(accountId)
  }
}

/**
 * Whether an error makes a connection unusable. Unless PostgreSQL itself reported it, a late result could still arrive.
 * After a lock timeout, the calls queued behind it on the same connection would time out too.
 */
function breaksConnection(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || error.code === LOCK_NOT_AVAILABLE
}

/** Waits for the account's turn to get a connection. `release` takes the errors that occurred meanwhile. */
async function acquireConnection(db: Database, accountId: number) {
  const { pool, queue } = poolEntry(db)
  await queue.acquire(accountId)
  const client = await pool.connect().catch((error: unknown) => {
    queue.release(accountId)
    throw error
  })
  const release = (failures: readonly unknown[], broken?: Error) => {
    rejectQueuedIfLocked(queue, failures)
    client.release(broken)
    queue.release(accountId)
  }
  return { client, release }
}

/** Reads only ever wait for table-level locks, so every queued read would hit the same lock. */
function rejectQueuedIfLocked(queue: FairQueue, failures: readonly unknown[]): void {
  if (failures.some((failure) => errorCode(failure) === LOCK_NOT_AVAILABLE)) queue.rejectQueued()
}

function poolEntry(db: Database): PoolEntry {
  const known = pools.get(db)
  if (!known) throw new Error('readAs needs a database opened on a pool, not on a single connection.')
  return known
}

/** The setting is transaction-local, so a pooled connection never carries it to the next request. */
async function setAccountContext(db: Database, accountId: number): Promise<void> {
  await sql`select set_config('brickmark.account_id', ${String(accountId)}, true)`.execute(db)
}
