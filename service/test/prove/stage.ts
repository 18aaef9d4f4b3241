import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import pg from 'pg'
import { openDatabase, openPool, type Database } from '../../src/db/database.ts'
import { inventMarket, writeMarket, type DemoMarket } from '../../src/demo/index.ts'
import { asRole, inDatabase, ROLE_PASSWORD } from '../support/database.ts'
import { makeAccount, PEPPER, type TestAccount } from '../support/fixtures.ts'
import { startNode, type ApiNode } from './api-node.ts'
import { OwnServer } from './own-server.ts'
import { SERVICE, type Planted } from './planted.ts'
import { stopLater } from './stopping.ts'

export type StageOptions = {
  nodes: number
  /** How long the proof may take: the quota day must not end meanwhile. */
  seconds: number
  /** Whether a charge must be on the disk before it is answered, as in production, or may be written later. */
  durable: boolean
  /** Runs on the new database before the api starts. */
  fill?: (db: Database) => Promise<void>
}

/** A filled database and api processes over it. */
export type Stage = {
  nodes: ApiNode[]
  /** One more api process, not waited for. */
  startNode(options?: { env?: Record<string, string>; port?: number }): Promise<ApiNode>
  /** Where the service under test lies. */
  root: string
  /** Of a proof that asked for a server of its own. */
  server: OwnServer | undefined
  /** As a superuser. */
  db: Database
  url: string
  /** The address under which the api itself connects. */
  apiUrl: string
  market: DemoMarket
  account(options?: { plan?: string; limit?: number }): Promise<TestAccount>
  /** Units used today, by key. */
  used(): Promise<Map<number, number>>
}

const SEED = 1
/** Any number will do, as long as every proof on a server takes the same. */
const MIGRATION_LOCK = 7_201

/** A server, and on it the invented market once, which every stage copies. */
export class Grounds {
  readonly #serverUrl: string
  readonly #server: OwnServer | undefined
  readonly #say: (text: string) => void
  readonly #market = inventMarket(SEED, new Date())
  #template: string | undefined
  readonly #stops: (() => Promise<void>)[] = []

  private constructor(server: OwnServer | string, say: (text: string) => void) {
    this.#serverUrl = typeof server === 'string' ? server : server.url
    this.#server = typeof server === 'string' ? undefined : server
    this.#say = say
  }

  /** On the server of TEST_DATABASE_URL, as a superuser, or on one of its own; always on its own if it must be. */
  static async prepare(say: (text: string) => void, { ownServer }: { ownServer: boolean }): Promise<Grounds> {
    const given = process.env['TEST_DATABASE_URL']
    if (given !== undefined && !ownServer) return new Grounds(given, say)
    const server = await OwnServer.prepare()
    say('PostgreSQL started')
    return new Grounds(server, say)
  }

  async stage({ nodes, seconds, durable, fill }: StageOptions, planted: Planted | undefined): Promise<Stage> {
    await this.#awaitLongDay(seconds)
    const url = await this.#copyTemplate(planted, durable)
    const db = openDatabase(openPool(url, { size: 5, statementTimeoutMs: 60_000 }))
    this.#stops.push(stopLater(() => db.destroy()))
    await fill?.(db)
    const apiUrl = asRole(url, 'brickmark_api')
    const root = planted?.root ?? SERVICE
    const start: Stage['startNode'] = async ({ env = {}, port } = {}) => {
      const node = await startNode(root, { DATABASE_URL: apiUrl, API_KEY_PEPPERS: PEPPER, ...env }, port)
      this.#stops.push(stopLater(() => node.stop(), node.pid))
      return node
    }
    const started: ApiNode[] = []
    // One after another, noting each at once: a failure half way must stop those that run.
    for (let place = 0; place < nodes; place++) started.push(await start())
    await Promise.all(started.map((node) => node.ready()))
    if (nodes > 0) this.#say(`${nodes} api ${nodes === 1 ? 'process is' : 'processes are'} ready`)
    return {
      nodes: started,
      startNode: start,
      root,
      server: this.#server,
      db,
      url,
      apiUrl,
      market: this.#market,
      account: (options) => makeAccount(db, options),
      used: () => usedToday(db),
    }
  }

  /** Stops what the stages started; the server and the template stay for the next. */
  async clear(): Promise<void> {
    for (const stop of this.#stops.splice(0).toReversed()) await stop()
  }

  async #copyTemplate(planted: Planted | undefined, durable: boolean): Promise<string> {
    const name = `brickmark_prove_${randomBytes(6).toString('hex')}`
    if (planted?.inSchema) await this.#makeMarket(name, planted.root)
    else {
      this.#template ??= await this.#makeMarket(`${name}_market`, SERVICE)
      await this.#onServer(`create database ${name} template ${this.#template}`)
    }
    // Lets a proof see how many charging statements there were.
    await this.#onServer(`alter database ${name} set track_functions = 'pl'`)
    if (!durable) await this.#onServer(`alter database ${name} set synchronous_commit = off`)
    this.#stops.push(stopLater(() => this.#onServer(`drop database ${name} with (force)`)))
    return inDatabase(this.#serverUrl, name)
  }

  async #makeMarket(name: string, root: string): Promise<string> {
    await this.#onServer(`create database ${name}`)
    // A server of our own is removed with all that is in it.
    if (root === SERVICE && this.#server === undefined)
      stopLater(() => this.#onServer(`drop database ${name} with (force)`))
    const url = inDatabase(this.#serverUrl, name)
    await this.#migrate(url, root)
    const pool = openPool(url, { statementTimeoutMs: 60_000 })
    await writeMarket(pool, this.#market)
    await pool.end()
    this.#say('market invented')
    return name
  }

  /** Roles belong to the whole server: two proofs that make them at once would trip over each other. */
  async #migrate(url: string, root: string): Promise<void> {
    const { migrate } = (await import(
      pathToFileURL(join(root, 'src/db/migrate.ts')).href
    )) as typeof import('../../src/db/migrate.ts')
    const client = new pg.Client(this.#serverUrl)
    await client.connect()
    try {
      await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
      await migrate(url)
      for (const role of ['brickmark_api', 'brickmark_worker', 'brickmark_web']) {
        await client.query(`alter role ${role} password '${ROLE_PASSWORD}'`)
      }
    } finally {
      await client.end()
    }
  }

  /** A count that begins again in the middle would look like a fault. */
  async #awaitLongDay(seconds: number): Promise<void> {
    const left = 86_400 - ((Date.now() / 1000) % 86_400)
    if (left > seconds) return
    this.#say(`the quota day ends in ${Math.ceil(left)} s: waiting for the next`)
    await new Promise((resolve) => setTimeout(resolve, (left + 2) * 1000))
  }

  async #onServer(statement: string): Promise<void> {
    const client = new pg.Client(this.#serverUrl)
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
}

async function usedToday(db: Database): Promise<Map<number, number>> {
  const { rows } = await sql<{ key_id: number; used: number }>`
    select key_id, used from account.quota_day where day = (now() at time zone 'utc')::date`.execute(db)
  return new Map(rows.map((row) => [row.key_id, row.used]))
}
