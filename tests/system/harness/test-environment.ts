import { setTimeout as sleep } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { connectionConfig } from '@brickmark/core/db/primary-discovery'
import { generateMarket, type SyntheticMarket } from '@brickmark/tools/synthetic/index'
import { asRole, copyStatements, inDatabase, ROLE_PASSWORD } from '../../support/database.ts'
import { createTestAccount, PEPPER, type TestAccount } from '../../support/fixtures.ts'
import { startApiNode, type ApiNode } from '../../support/api-node.ts'
import { DedicatedPostgres } from './dedicated-postgres.ts'
import { REPOSITORY } from '../../support/paths.ts'
import type { MutantCopy } from './mutant.ts'
import { registerCleanup } from '../../support/cleanup.ts'

export type TestEnvironmentOptions = {
  nodes: number
  /** Maximum duration of the scenario: the quota day must not end during it. */
  maxSeconds: number
  /** True if a charge must be flushed to disk before it is acknowledged, as in production. */
  synchronousCommit: boolean
  /** Starts without the synthetic market: migrated, and nothing else. */
  empty?: boolean
  /** Runs on the new database before the API starts. */
  seed?: (db: Database) => Promise<void>
  /** Superuser URL of a server that the scenario started itself, used instead of the shared one. */
  postgres?: string
  /** Root of another version of the service, used for schema and API. */
  version?: string
}

/** A populated database and API processes using it. */
export type TestEnvironment = {
  nodes: ApiNode[]
  /** Starts another API process without waiting until it is ready. */
  startNode(options?: { env?: Record<string, string>; port?: number }): Promise<ApiNode>
  /** Root of the code under test. */
  root: string
  /** Set for scenarios with `dedicatedPostgres`. */
  postgres: DedicatedPostgres | undefined
  /** Connected as superuser. */
  db: Database
  url: string
  /** URL with which the API itself connects. */
  apiUrl: string
  market: SyntheticMarket
  createAccount(options?: { plan?: string; limit?: number }): Promise<TestAccount>
  /** Credits used today, by key. */
  creditsUsed(): Promise<Map<number, number>>
}

const SEED = 1
/** Arbitrary, but the same for all scenarios on a server. */
const MIGRATION_LOCK = 7_201

/**
 * A PostgreSQL server, started when first needed, with a template database of the synthetic market that every
 * environment copies.
 */
export class Testbed {
  /** URL of the server in TEST_DATABASE_URL, or a dedicated server. */
  #server: Promise<DedicatedPostgres | string> | undefined
  readonly #dedicated: boolean
  readonly #log: (text: string) => void
  readonly #market = generateMarket(SEED, new Date())
  #template: string | undefined
  readonly #stops: (() => Promise<void>)[] = []

  constructor(log: (text: string) => void, { dedicatedPostgres }: { dedicatedPostgres: boolean }) {
    this.#log = log
    this.#dedicated = dedicatedPostgres
  }

  /**
   * Returns the server of TEST_DATABASE_URL (superuser), or starts a dedicated one if there is none or the scenario
   * requires it.
   */
  async #startServer(): Promise<DedicatedPostgres | string> {
    const url = process.env['TEST_DATABASE_URL']
    if (url !== undefined && !this.#dedicated) return url
    const postgres = await DedicatedPostgres.create()
    this.#log('PostgreSQL started')
    return postgres
  }

  async openEnvironment(options: TestEnvironmentOptions, mutantCopy: MutantCopy | undefined): Promise<TestEnvironment> {
    const { nodes, maxSeconds, synchronousCommit, seed, version } = options
    await this.#waitUntilDayIsLongEnough(maxSeconds)
    const url = await this.#createDatabase(options, mutantCopy, synchronousCommit)
    const db = openDatabase(openPool(url, { size: 5, statementTimeoutMs: 60_000, connectTimeoutMs: 30_000 }))
    this.#stops.push(registerCleanup(() => db.destroy()))
    await seed?.(db)
    const apiUrl = asRole(url, 'brickmark_api')
    const server = await this.#server
    const root = version ?? mutantCopy?.root ?? REPOSITORY
    const startNode: TestEnvironment['startNode'] = async ({ env = {}, port } = {}) => {
      const node = await startApiNode(
        root,
        { DATABASE_URL: apiUrl, API_KEY_PEPPERS: PEPPER, ...env },
        port === undefined ? {} : { port },
      )
      this.#stops.push(registerCleanup(() => node.stop(), node.pid))
      return node
    }
    const started: ApiNode[] = []
    // Sequentially, registering each one right away: if one fails to start, those already running must be stopped.
    for (let index = 0; index < nodes; index++) started.push(await startNode())
    await Promise.all(started.map((node) => node.waitUntilReady()))
    if (nodes > 0) this.#log(`${nodes} API ${nodes === 1 ? 'process is' : 'processes are'} ready`)
    return {
      nodes: started,
      startNode,
      root,
      postgres: typeof server === 'string' ? undefined : server,
      db,
      url,
      apiUrl,
      market: this.#market,
      createAccount: (options) => createTestAccount(db, options),
      creditsUsed: () => creditsUsedToday(db),
    }
  }

  /** Registers a teardown function. It runs after the environments opened later have been stopped. */
  stopAtEnd(stop: () => Promise<unknown>, pid?: number): void {
    this.#stops.push(registerCleanup(stop, pid))
  }

  /** Stops everything the environments started; the server and the template stay for the next run. */
  async tearDown(): Promise<void> {
    for (const stop of this.#stops.splice(0).toReversed()) await stop()
  }

  async #createDatabase(
    { postgres: externalServer, version, empty = false }: TestEnvironmentOptions,
    mutantCopy: MutantCopy | undefined,
    synchronousCommit: boolean,
  ): Promise<string> {
    const name = `brickmark_test_${randomBytes(6).toString('hex')}`
    const postgres = externalServer ?? serverUrl(await (this.#server ??= this.#startServer()))
    const versionRoot = version ?? (mutantCopy?.inSchema ? mutantCopy.root : undefined)
    if (empty) await this.#createEmptyDatabase(postgres, name, versionRoot ?? REPOSITORY)
    else if (externalServer !== undefined || versionRoot !== undefined)
      await this.#createMarketDatabase(postgres, name, versionRoot ?? REPOSITORY)
    else {
      this.#template ??= await this.#createTemplate(postgres, `${name}_market`)
      for (const statement of copyStatements(name, this.#template)) await onServer(postgres, statement)
    }
    // Lets scenarios count charge statements.
    await onServer(postgres, `alter database ${name} set track_functions = 'pl'`)
    if (!synchronousCommit) await onServer(postgres, `alter database ${name} set synchronous_commit = off`)
    // A server owned by the scenario is removed with it.
    if (externalServer === undefined)
      this.#stops.push(registerCleanup(() => onServer(postgres, `drop database ${name} with (force)`)))
    return inDatabase(postgres, name)
  }

  async #createTemplate(postgres: string, name: string): Promise<string> {
    await this.#createMarketDatabase(postgres, name, REPOSITORY)
    // A dedicated server is removed with all its databases.
    if (typeof (await this.#server) === 'string')
      registerCleanup(() => onServer(postgres, `drop database ${name} with (force)`))
    return name
  }

  async #createEmptyDatabase(postgres: string, name: string, root: string): Promise<string> {
    await onServer(postgres, `create database ${name}`)
    const url = inDatabase(postgres, name)
    await this.#migrate(postgres, url, root)
    return url
  }

  async #createMarketDatabase(postgres: string, name: string, root: string): Promise<void> {
    const url = await this.#createEmptyDatabase(postgres, name, root)
    const { insertMarket } = (await import(
      pathToFileURL(join(root, 'tools/synthetic/index.ts')).href
    )) as typeof import('@brickmark/tools/synthetic/index')
    const pool = openPool(url, { statementTimeoutMs: 60_000, connectTimeoutMs: 30_000 })
    await insertMarket(pool, this.#market)
    await pool.end()
    this.#log('synthetic market created')
  }

  /** Roles are shared by the whole server, so concurrent migrations that create them would conflict. */
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

  /** Counters that reset in the middle of a run would look like a defect. */
  async #waitUntilDayIsLongEnough(maxSeconds: number): Promise<void> {
    const remaining = 86_400 - ((Date.now() / 1000) % 86_400)
    if (remaining > maxSeconds) return
    this.#log(`the quota day ends in ${Math.ceil(remaining)} s; waiting for the next one`)
    await sleep((remaining + 2) * 1000)
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
    select api_key_id as key_id, used from account.api_key_quota where day = (now() at time zone 'utc')::date`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.key_id, row.used]))
}
