import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { connectionConfig } from '@brickmark/core/db/primary-discovery'
import { generateMarket, type SyntheticMarket } from '@brickmark/tools/synthetic/index'
import { asRole, inDatabase, ROLE_PASSWORD } from '../support/database.ts'
import { createTestAccount, PEPPER, type TestAccount } from '../support/fixtures.ts'
import { startApiNode, type ApiNode } from '../support/api-node.ts'
import { DedicatedPostgres } from './dedicated-postgres.ts'
import { REPOSITORY } from '../support/paths.ts'
import type { MutantCopy } from './mutant.ts'
import { registerCleanup } from '../support/cleanup.ts'

export type TestEnvironmentOptions = {
  nodes: number
  /** How long the proof may take: the quota day must not end meanwhile. */
  maxSeconds: number
  /** Whether a charge must be on the disk before it is answered, as in production, or may be written later. */
  synchronousCommit: boolean
  /** Runs on the new database before the api starts. */
  seed?: (db: Database) => Promise<void>
  /** A server that the proof itself has started, as a superuser, instead of the common one. */
  postgres?: string
  /** Another version of the service: its schema, its api. */
  version?: string
}

/** A filled database and api processes over it. */
export type TestEnvironment = {
  nodes: ApiNode[]
  /** One more api process, not waited for. */
  startNode(options?: { env?: Record<string, string>; port?: number }): Promise<ApiNode>
  /** Where the service under test lies. */
  root: string
  /** Of a proof that asked for a server of its own. */
  postgres: DedicatedPostgres | undefined
  /** As a superuser. */
  db: Database
  url: string
  /** The address under which the api itself connects. */
  apiUrl: string
  market: SyntheticMarket
  createAccount(options?: { plan?: string; limit?: number }): Promise<TestAccount>
  /** Units used today, by key. */
  creditsUsed(): Promise<Map<number, number>>
}

const SEED = 1
/** Any number will do, as long as every proof on a server takes the same. */
const MIGRATION_LOCK = 7_201

/** A server, started when it is first needed, and on it the invented market once, which every stage copies. */
export class Testbed {
  /** The server of TEST_DATABASE_URL, or one of our own. */
  #server: Promise<DedicatedPostgres | string> | undefined
  readonly #ownServer: boolean
  readonly #say: (text: string) => void
  readonly #market = generateMarket(SEED, new Date())
  #template: string | undefined
  readonly #stops: (() => Promise<void>)[] = []

  constructor(log: (text: string) => void, { dedicatedPostgres }: { dedicatedPostgres: boolean }) {
    this.#say = log
    this.#ownServer = dedicatedPostgres
  }

  /** The server of TEST_DATABASE_URL, as a superuser, or one of its own; always its own if it must be. */
  async #startServer(): Promise<DedicatedPostgres | string> {
    const given = process.env['TEST_DATABASE_URL']
    if (given !== undefined && !this.#ownServer) return given
    const postgres = await DedicatedPostgres.create()
    this.#say('PostgreSQL started')
    return postgres
  }

  async stage(options: TestEnvironmentOptions, mutantCopy: MutantCopy | undefined): Promise<TestEnvironment> {
    const { nodes, maxSeconds, synchronousCommit, seed, version } = options
    await this.#awaitLongDay(maxSeconds)
    const url = await this.#makeDatabase(options, mutantCopy, synchronousCommit)
    const db = openDatabase(openPool(url, { size: 5, statementTimeoutMs: 60_000 }))
    this.#stops.push(registerCleanup(() => db.destroy()))
    await seed?.(db)
    const apiUrl = asRole(url, 'brickmark_api')
    const common = await this.#server
    const root = version ?? mutantCopy?.root ?? REPOSITORY
    const start: TestEnvironment['startNode'] = async ({ env = {}, port } = {}) => {
      const node = await startApiNode(root, { DATABASE_URL: apiUrl, API_KEY_PEPPERS: PEPPER, ...env }, port)
      this.#stops.push(registerCleanup(() => node.stop(), node.pid))
      return node
    }
    const started: ApiNode[] = []
    // One after another, noting each at once: a failure half way must stop those that run.
    for (let index = 0; index < nodes; index++) started.push(await start())
    await Promise.all(started.map((node) => node.waitUntilReady()))
    if (nodes > 0) this.#say(`${nodes} api ${nodes === 1 ? 'process is' : 'processes are'} ready`)
    return {
      nodes: started,
      startNode: start,
      root,
      postgres: typeof common === 'string' ? undefined : common,
      db,
      url,
      apiUrl,
      market: this.#market,
      createAccount: (options) => createTestAccount(db, options),
      creditsUsed: () => creditsUsedToday(db),
    }
  }

  /** Stops something when the proof ends, after the stages that it opens from now on. */
  stopAtEnd(stop: () => Promise<unknown>, pid?: number): void {
    this.#stops.push(registerCleanup(stop, pid))
  }

  /** Stops what the stages started; the server and the template stay for the next. */
  async tearDown(): Promise<void> {
    for (const stop of this.#stops.splice(0).toReversed()) await stop()
  }

  async #makeDatabase(
    { postgres: given, version }: TestEnvironmentOptions,
    mutantCopy: MutantCopy | undefined,
    synchronousCommit: boolean,
  ): Promise<string> {
    const name = `brickmark_prove_${randomBytes(6).toString('hex')}`
    const postgres = given ?? serverUrl(await (this.#server ??= this.#startServer()))
    const own = version ?? (mutantCopy?.inSchema ? mutantCopy.root : undefined)
    if (given !== undefined || own !== undefined) await this.#makeMarket(postgres, name, own ?? REPOSITORY)
    else {
      this.#template ??= await this.#makeTemplate(postgres, `${name}_market`)
      await onServer(postgres, `create database ${name} template ${this.#template}`)
    }
    // Lets a proof see how many charging statements there were.
    await onServer(postgres, `alter database ${name} set track_functions = 'pl'`)
    if (!synchronousCommit) await onServer(postgres, `alter database ${name} set synchronous_commit = off`)
    // A server of the proof's own goes with the proof, if it is still there.
    if (given === undefined)
      this.#stops.push(registerCleanup(() => onServer(postgres, `drop database ${name} with (force)`)))
    return inDatabase(postgres, name)
  }

  async #makeTemplate(postgres: string, name: string): Promise<string> {
    await this.#makeMarket(postgres, name, REPOSITORY)
    // A server of our own is removed with all that is in it.
    if (typeof (await this.#server) === 'string')
      registerCleanup(() => onServer(postgres, `drop database ${name} with (force)`))
    return name
  }

  async #makeMarket(postgres: string, name: string, root: string): Promise<void> {
    await onServer(postgres, `create database ${name}`)
    const url = inDatabase(postgres, name)
    await this.#migrate(postgres, url, root)
    const { insertMarket } = (await import(
      pathToFileURL(join(root, 'tools/synthetic/index.ts')).href
    )) as typeof import('@brickmark/tools/synthetic/index')
    const pool = openPool(url, { statementTimeoutMs: 60_000 })
    await insertMarket(pool, this.#market)
    await pool.end()
    this.#say('market invented')
  }

  /** Roles belong to the whole server: two proofs that make them at once would trip over each other. */
  async #migrate(postgres: string, url: string, root: string): Promise<void> {
    const { migrate } = (await import(
      pathToFileURL(join(root, 'packages/core/src/db/migrate.ts')).href
    )) as typeof import('@brickmark/core/db/migrate')
    const { Client, connectionString } = connectionConfig(postgres)
    const client = new Client({ connectionString })
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
  async #awaitLongDay(maxSeconds: number): Promise<void> {
    const left = 86_400 - ((Date.now() / 1000) % 86_400)
    if (left > maxSeconds) return
    this.#say(`the quota day ends in ${Math.ceil(left)} s: waiting for the next`)
    await new Promise((resolve) => setTimeout(resolve, (left + 2) * 1000))
  }
}

function serverUrl(postgres: DedicatedPostgres | string): string {
  return typeof postgres === 'string' ? postgres : postgres.url
}

async function onServer(postgres: string, statement: string): Promise<void> {
  const { Client, connectionString } = connectionConfig(postgres)
  const client = new Client({ connectionString })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function creditsUsedToday(db: Database): Promise<Map<number, number>> {
  const { rows } = await sql<{ key_id: number; used: number }>`
    select key_id, used from account.quota_day where day = (now() at time zone 'utc')::date`.execute(db)
  return new Map(rows.map((row) => [row.key_id, row.used]))
}
