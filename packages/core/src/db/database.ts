import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { enablePipelining } from './pipelining.ts'
import { connectionConfig } from './primary-discovery.ts'
import type { DB } from './schema.generated.ts'
import { DatabaseBusyError, FairQueue } from './fair-queue.ts'

/** The typed handle that every query function takes: a pool, or a transaction on one of its connections. */
export type Database = Kysely<DB>

// `date` stays text (a local Date would move it by a time zone), numeric stays text (money is never a float),
// bigint becomes a number: ids and counts stay below 2^53.
pg.types.setTypeParser(pg.types.builtins.DATE, String)
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * Connections of an api process for private reads. What comes back together is worked on in one turn of the event loop, and
 * whoever asks meanwhile waits for it: with ten, a flood was answered half as late again as with six, for a tenth more
 * short reads a second.
 */
export const READ_POOL_SIZE = 6

/**
 * One pool for one process; with several servers in `url` its connections go to the primary. node-postgres has no time
 * limits of its own, so each of them is set here. A `pipelined` pool sends what is asked at once without waiting in
 * between, and has every statement prepared; it cannot COPY.
 */
export function openPool(
  url: string,
  { size = 10, statementTimeoutMs = 2000, connectTimeoutMs = 2000, lockTimeoutMs = 0, pipelined = false } = {},
): pg.Pool {
  const pool = new pg.Pool({
    pipeline: pipelined,
    ...connectionConfig(url),
    max: size,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    query_timeout: statementTimeoutMs + 1000,
    idle_in_transaction_session_timeout: Math.max(5000, statementTimeoutMs),
    keepAlive: true,
    application_name: 'brickmark',
  })
  // A connection that breaks, idle or in use, is replaced on next use, and whoever waits on it is told by the query
  // itself; without a listener node would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  if (pipelined) pool.on('connect', enablePipelining)
  return pool
}

const IN_FAILED_TRANSACTION = '25P02'
const LOCK_NOT_AVAILABLE = '55P03'
const UNAVAILABLE_CODES = /^(ECONN|EPIPE|ETIMEDOUT|08|25006|57P0|57014|55P03|53)/
const UNAVAILABLE_MESSAGES =
  /connection terminated|not queryable|connection error|timeout exceeded|read timeout|cannot use a pool/i

/**
 * Whether an error means that PostgreSQL could not be reached, is shutting down, starting or no longer the primary, or
 * had no connection or time to spare. node-postgres tells some of that only in words.
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

const pools = new WeakMap<Database, { pool: pg.Pool; queue: FairQueue }>()

/**
 * Kysely over a pool: builds and types the SQL, the pool runs it. Reading as an account waits at most `waitMs` for a
 * connection.
 */
export function openDatabase(pool: pg.Pool, { waitMs: queueTimeoutMs = 2000 } = {}): Database {
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, { pool, queue: new FairQueue(pool.options.max, queueTimeoutMs) })
  return db
}

/** Whether reading as this account would be refused at once, because it has its share of the connections and more. */
export function exceedsFairShare(db: Database, accountId: number): boolean {
  return poolEntry(db).queue.wouldReject(accountId)
}

type PinnedConnection = {
  db: Database
  /** What failed in the transaction that is under way, in order. */
  failures: unknown[]
  /** Whether its end was sent: what is asked then would see nothing. */
  committed: boolean
}

const pinnedConnections = new WeakMap<pg.PoolClient, PinnedConnection>()

/**
 * Kysely over one connection of a pool, which hands on at once what it is asked. Kysely's own handle on a connection waits
 * for each answer before it sends the next query.
 */
function pinConnection(client: pg.PoolClient): PinnedConnection {
  const known = pinnedConnections.get(client)
  if (known) return known
  const query = (text: string, values: unknown[]) => {
    if (pinned.committed) throw new Error('Asked after everything had been asked at once: use readAs.')
    // Of the transaction in which it was asked: when it fails, the next may be under way already.
    const { failures } = pinned
    const answer = client.query(text, values)
    answer.catch((error: unknown) => failures.push(error))
    return answer
  }
  const clientFacade = { query: query as pg.PoolClient['query'], release() {} }
  const pool = { connect: () => Promise.resolve(clientFacade), end: () => Promise.resolve(), options: {} }
  const pinned: PinnedConnection = {
    db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }),
    failures: [],
    committed: false,
  }
  pinnedConnections.set(client, pinned)
  return pinned
}

type Callback<T> = (db: Database) => Promise<T>

/** Runs `work` in the transaction that is under way, or in one of its own. */
export function inTransaction<T>(db: Database, work: Callback<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}

/** Runs `work`, all of it or nothing, in a transaction that row-level security confines to one account. */
export function writeAs<T>(db: Database, accountId: number, work: Callback<T>): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    await setAccountContext(transaction, accountId)
    return work(transaction)
  })
}

/**
 * The same for work that only reads: the statements that open the transaction go out together with the first reads, and
 * nobody waits for the one that ends it. They end in order whatever fails.
 */
export function readAs<T>(db: Database, accountId: number, work: Callback<T>): Promise<T> {
  return readAsAccount(db, accountId, work, { singleBatch: false })
}

/**
 * The same for work that asks all it wants to know without waiting for any of it: then the end goes out in the same piece as
 * the rest, and PostgreSQL is woken once.
 */
export function readBatchAs<T>(db: Database, accountId: number, work: Callback<T>): Promise<T> {
  return readAsAccount(db, accountId, work, { singleBatch: true })
}

async function readAsAccount<T>(
  db: Database,
  accountId: number,
  work: Callback<T>,
  { singleBatch }: { singleBatch: boolean },
): Promise<T> {
  const { pool, queue } = poolEntry(db)
  await queue.acquire(accountId)
  const client = await pool.connect().catch((error: unknown) => {
    queue.release(accountId)
    throw error
  })
  const connection = pinConnection(client)
  const failures: unknown[] = []
  connection.failures = failures
  connection.committed = false
  const commit = () => {
    connection.committed = true
    return client.query('commit')
  }
  const releaseAfter = (ending: Promise<unknown>) => {
    const release = (failure?: Error) => {
      // A read waits only for a lock on a whole table: whoever waits for a connection would meet it too.
      if (failures.some((failure) => errorCode(failure) === LOCK_NOT_AVAILABLE)) queue.rejectQueued()
      client.release(failure)
      queue.release(accountId)
    }
    ending.then(() => release(), release)
  }
  // Runs when all that the work asks in this turn was asked, and before it leaves.
  if (singleBatch) process.nextTick(() => releaseAfter(commit()))
  const transactionStarted = Promise.all([client.query('begin read only'), setAccountContext(connection.db, accountId)])
  try {
    const [result] = await Promise.all([work(connection.db), transactionStarted])
    return result
  } catch (error) {
    // Of queries sent together the first that failed says why; the others only say that one did.
    throw errorCode(error) === IN_FAILED_TRANSACTION ? (failures[0] ?? error) : error
  } finally {
    if (!singleBatch) releaseAfter(transactionStarted.then(commit))
  }
}

function poolEntry(db: Database): { pool: pg.Pool; queue: FairQueue } {
  const known = pools.get(db)
  if (!known) throw new Error('Reading as an account needs a handle on a pool, not on one of its connections.')
  return known
}

/** The setting ends with the transaction, so a pooled connection can never carry it to the next request. */
async function setAccountContext(db: Database, accountId: number): Promise<void> {
  await sql`select set_config('brickmark.account_id', ${String(accountId)}, true)`.execute(db)
}
