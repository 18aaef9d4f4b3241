import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { runner, type MigrationBuilder } from 'node-pg-migrate'
import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import { retryOnLockTimeout } from './lock-timeout.ts'
import { findMigrations, MIGRATIONS, MIGRATIONS_TABLE, predatesBaseline } from './migration-queries.ts'
import { connectionConfig } from './primary-discovery.ts'
import { findRoleProblems } from './role-queries.ts'

const ROLES = fileURLToPath(new URL('../../roles.sql', import.meta.url))
const OWNER = 'brickmark_owner'

/**
 * A migration waiting for a lock blocks every query queued behind it, so give up quickly (which rolls it back) and
 * retry.
 */
const LOCK_TIMEOUT_MS = 100
const MAX_ATTEMPTS = 120

/** First line of a migration that can't run in a transaction; the rest is a single `create index concurrently`. */
export const NO_TRANSACTION_MARKER = '-- outside a transaction'

/**
 * Migrates the schema to this version of the code and returns the names of the applied migrations. Everything is created
 * as brickmark_owner. If the connecting role is a superuser, roles are created and brought up to date first; otherwise it must
 * be a member of brickmark_owner, and the roles must be those that this version needs. Throws if the database was created
 * before the baseline.
 */
export async function migrate(databaseUrl: string, dir = MIGRATIONS): Promise<string[]> {
  await prepareOwner(databaseUrl)
  await requireBaseline(databaseUrl, dir)
  const applied: string[] = []
  for (;;) {
    const name = await retryOnLockTimeout(() => runNext(databaseUrl, dir), MAX_ATTEMPTS)
    if (name === undefined) break
    applied.push(name)
  }
  await migrateJobQueue(databaseUrl)
  return applied
}

/** Creates the roles that are missing and repairs those that differ. Needs an administrator. */
export async function applyRoles(client: pg.ClientBase): Promise<void> {
  await client.query(await readFile(ROLES, 'utf8'))
}

async function prepareOwner(databaseUrl: string): Promise<void> {
  const client = await connect(databaseUrl)
  try {
    const { rows } = await client.query<{ superuser: boolean; member: boolean; database: string }>(`
      select rolsuper as superuser, quote_ident(current_database()) as database,
             exists (select from pg_roles where rolname = '${OWNER}')
               and pg_has_role(current_user, (select oid from pg_roles where rolname = '${OWNER}'), 'member') as member
        from pg_roles where rolname = current_user`)
    const { superuser, member, database } = rows[0]!
    if (superuser) {
      await applyRoles(client)
      await client.query(`alter database ${database} owner to ${OWNER}`)
    } else if (!member) {
      throw new Error(
        `Migrations run as ${OWNER}. Run packages/core/roles.sql as an administrator and grant ${OWNER} to this role.`,
      )
    } else {
      const problems = await findRoleProblems(client)
      if (problems.length > 0)
        throw new Error(
          `The roles of this server aren’t those that this version needs: ${problems.join('; ')}. Run \`ops roles\` or packages/core/roles.sql as an administrator, then migrate again.`,
        )
    }
  } finally {
    await client.end()
  }
}

/** Without this check, node-pg-migrate would reject the order of the migrations, which doesn't tell what to do. */
async function requireBaseline(databaseUrl: string, dir: string): Promise<void> {
  const client = await connect(databaseUrl)
  try {
    await client.query(`set role ${OWNER}`)
    const table = `public.${MIGRATIONS_TABLE}`
    const { rowCount } = await client.query('select where to_regclass($1) is not null', [table])
    if (rowCount === 0) return
    const { rows } = await client.query<{ name: string }>(`select name from ${table}`)
    const applied = rows.map(({ name }) => name)
    if (!predatesBaseline(applied, await findMigrations(dir))) return
    throw new Error(
      'This database was created before version 0.1 and can’t be migrated: create a new one and import your data again.',
    )
  } finally {
    await client.end()
  }
}

async function connect(databaseUrl: string, config: pg.ClientConfig = {}): Promise<pg.Client> {
  const { Client, connectionString } = connectionConfig(databaseUrl)
  const client = new Client({ connectionString, application_name: 'brickmark migrate', ...config })
  await client.connect()
  return client
}

async function runNext(databaseUrl: string, dir: string): Promise<string | undefined> {
  const client = await connect(databaseUrl, { lock_timeout: LOCK_TIMEOUT_MS })
  try {
    await client.query(`set role ${OWNER}`)
    const [migration] = await runner({
      dbClient: client,
      dir,
      direction: 'up',
      count: 1,
      migrationsTable: MIGRATIONS_TABLE,
      checkOrder: true,
      migrationLoaderStrategies: [{ extensions: ['.sql'], loader: loadSqlMigrations }],
      logger: SILENT_LOGGER,
    })
    return migration?.name
  } finally {
    await client.end()
  }
}

/** Lets pg-boss create or upgrade its tables. The worker, which uses them, isn't allowed to. */
async function migrateJobQueue(databaseUrl: string): Promise<void> {
  const client = await connect(databaseUrl)
  await client.query(`set role ${OWNER}`)
  const boss = new PgBoss({
    db: { executeSql: (text, values) => client.query(text, values) },
    schema: 'pgboss',
    createSchema: false,
    supervise: false,
    schedule: false,
  })
  let failure: unknown
  boss.on('error', (error) => (failure ??= error))
  try {
    await boss.start()
    await boss.stop({ graceful: false })
    await client.query('revoke execute on all functions in schema pgboss from public')
    await client.query('grant execute on all functions in schema pgboss to brickmark_worker')
  } finally {
    await client.end()
  }
  if (failure !== undefined) throw failure
}

const SILENT_LOGGER = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

function loadSqlMigrations(filePaths: string[]) {
  return Promise.all(
    filePaths.map(async (filePath) => {
      const text = await readFile(filePath, 'utf8')
      return { id: filePath, filePaths: [filePath], actions: { up: (pgm: MigrationBuilder) => addSql(pgm, text) } }
    }),
  )
}

function addSql(pgm: MigrationBuilder, text: string): void {
  if (!text.startsWith(NO_TRANSACTION_MARKER)) return pgm.sql(text)
  pgm.noTransaction()
  // Blocks no other query, but has to wait for every transaction that started earlier.
  pgm.sql('set lock_timeout = 0')
  pgm.sql(text)
  pgm.sql('reset lock_timeout')
}
