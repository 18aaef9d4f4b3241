import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import type pg from 'pg'
import { pino } from 'pino'
import { Peppers } from '@brickmark/core/account/peppers'
import { parseEnvironment } from '@brickmark/core/runtime/environment'
import { z } from 'zod'
import { migrate } from '@brickmark/core/db/migrate'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { changePlan, createAccount } from '@brickmark/core/account/account-commands'
import { issueKey, revokeApiKey } from '@brickmark/core/account/api-key-commands'
import { setOperator } from '@brickmark/core/account/user-commands'
import { declareSource } from '@brickmark/core/source/source-commands'
import type { MarketContext } from '@brickmark/core/db/context'
import { finalizeDueMonths } from '@brickmark/core/market/month-finalization-commands'
import { retryQuarantine } from '@brickmark/core/source/quarantine-commands'
import { recomputeDirty } from '@brickmark/core/market/recompute-commands'
import { archiveWal } from './backup/archive-wal.ts'
import { restore } from './backup/restore.ts'
import { takeBackup } from './backup/take-backup.ts'
import { runChecks, formatChecks } from './commands/doctor.ts'
import { importRebrickable } from './commands/ingest-rebrickable.ts'
import { ingestFeed, formatIngestResult } from './commands/ingest.ts'
import { listQuarantine } from './commands/quarantine.ts'
import type { FeedName } from '@brickmark/core/source/feeds/feed-rows'

/** The operator CLI. DATABASE_URL must connect as the role that owns the database. */
const program = new Command('ops')
  .description('Operate a Brickmark service.')
  .showHelpAfterError('(run with --help for usage)')

program
  .command('doctor')
  .description('check the service’s dependencies and suggest fixes')
  .option('--api <url>', 'also check an API process, e.g. http://127.0.0.1:8080')
  .action(async ({ api }: { api?: string }) => {
    const findings = await runChecks({ databaseUrl: databaseUrl(), apiUrl: api, mailUrl: process.env['MAIL_URL'] })
    process.stdout.write(`${formatChecks(findings)}\n`)
    if (findings.some(({ ok }) => !ok)) process.exitCode = 1
  })

program
  .command('migrate')
  .description('run pending migrations')
  .action(async () => {
    const done = await migrate(databaseUrl())
    process.stdout.write(done.length === 0 ? 'Schema is up to date.\n' : `Applied ${done.join(', ')}.\n`)
  })

program
  .command('account-create')
  .description('create an account and print its ID')
  .argument('<name>')
  .option('--plan <plan>', 'hobby or reseller', 'reseller')
  .action((name: string, { plan }: { plan: string }) =>
    withDatabase(async (db) => {
      process.stdout.write(`${await createAccount(db, { name, plan, actor: 'operator' })}\n`)
    }),
  )

program
  .command('account-plan')
  .description('change an account’s plan')
  .argument('<account-id>', undefined, parsePositiveInt)
  .argument('<plan>', 'hobby or reseller')
  .action((accountId: number, plan: string) =>
    withDatabase(async (db) => {
      const changed = await changePlan(db, { accountId, plan, actor: 'operator' })
      if (!changed) throw new Error(`Account ${accountId} or plan ${plan} not found.`)
      process.stdout.write(`Account ${accountId} is now on the ${plan} plan.\n`)
    }),
  )

program
  .command('operator')
  .description('grant or revoke admin access for a user')
  .argument('<email>')
  .option('--revoke', 'revoke access', false)
  .action((email: string, { revoke }: { revoke: boolean }) =>
    withDatabase(async (db) => {
      if (!(await setOperator(db, email, !revoke))) throw new Error(`No user with email ${email}.`)
      process.stdout.write(`${email} ${revoke ? 'is no longer an admin' : 'is now an admin'}.\n`)
    }),
  )

program
  .command('key-create')
  .description('create an API key and print it once')
  .argument('<account-id>', undefined, parsePositiveInt)
  .argument('<name>', 'what the key is for')
  .option('--expires <date>', 'expiry date (inclusive), e.g. 2027-01-31', parseEndOfDay)
  .action((accountId: number, name: string, { expires }: { expires?: Date }) =>
    withDatabase(async (db) => {
      const { API_KEY_PEPPERS: peppers } = parseEnvironment(z.object({ API_KEY_PEPPERS: Peppers }), process.env)
      const { id: keyId, key } = await issueKey(db, peppers, { accountId, name, expiresAt: expires ?? null })
      process.stderr.write(`Created key ${keyId} for account ${accountId}. This is the only time it’s shown:\n`)
      process.stdout.write(`${key}\n`)
    }),
  )

program
  .command('key-revoke')
  .description('revoke an API key immediately')
  .argument('<account-id>', undefined, parsePositiveInt)
  .argument('<key-id>', undefined, parsePositiveInt)
  .action((accountId: number, keyId: number) =>
    withDatabase(async (db) => {
      const revoked = await revokeApiKey(db, { accountId, keyId, actor: 'operator' })
      if (!revoked) throw new Error(`Account ${accountId} has no active key ${keyId}.`)
      process.stdout.write(`Revoked key ${keyId}.\n`)
    }),
  )

program
  .command('source-add')
  .description('register a licensed data source')
  .argument('<source>', 'source ID used in files')
  .argument('<licence>', 'license ID')
  .requiredOption('--name <name>', 'display name of the source')
  .requiredOption('--terms <terms>', 'summary of the license terms')
  .option('--rank <number>', 'priority when sources disagree (higher wins)', parsePositiveInt, 1)
  .action((source: string, licence: string, options: { name: string; terms: string; rank: number }) =>
    withPool(async (pool) => {
      await declareSource(pool, { source, licence, ...options })
      process.stdout.write(`Registered source ${source} with license ${licence}.\n`)
    }),
  )

program
  .command('ingest')
  .description('ingest a feed file: CSV or NDJSON, optionally gzipped (docs/feeds.md)')
  .addArgument(new Argument('<feed>').choices(['catalog', 'sales', 'returns', 'retail']))
  .argument('<file>')
  .action((feed: FeedName, file: string) =>
    withPool(async (pool) => {
      process.stdout.write(`${formatIngestResult(await ingestFeed(pool, feed, file))}\n`)
    }),
  )

program
  .command('import')
  .description('import Rebrickable catalog downloads from a folder')
  .argument('<folder>', 'with sets.csv, themes.csv, minifigs.csv, inventories.csv and inventory_minifigs.csv')
  .requiredOption('--source <source>', 'source ID')
  .requiredOption('--licence <licence>', 'license ID')
  .action((folder: string, options: { source: string; licence: string }) =>
    withPool(async (pool) => {
      process.stdout.write(`${formatIngestResult(await importRebrickable(pool, folder, options))}\n`)
    }),
  )

program
  .command('quarantine')
  .description('list or retry quarantined rows')
  .addOption(new Option('--feed <feed>', 'limit to one feed').choices(['catalog', 'sales', 'returns', 'retail']))
  .option('--limit <number>', 'maximum number of rows to list', parsePositiveInt, 50)
  .option('--retry', 'retry all quarantined rows of --feed', false)
  .action((options: { feed?: FeedName; limit: number; retry: boolean }) =>
    withMarket(async (engine) => {
      if (!options.retry) return listQuarantine(engine.db, options)
      if (options.feed === undefined) throw new Error('--retry requires a feed, e.g. --feed sales.')
      const { accepted, repeated, quarantined } = await retryQuarantine(engine, options.feed)
      process.stdout.write(`${accepted} accepted, ${repeated} duplicates, ${quarantined} still quarantined.\n`)
    }),
  )

program
  .command('settle')
  .description('process pending changes now (retail prices and values)')
  .action(() =>
    withMarket(async (engine) => {
      process.stdout.write(`${JSON.stringify(await recomputeDirty(engine))}\n`)
    }),
  )

program
  .command('finalize')
  .description('finalize every month that is due')
  .action(() =>
    withMarket(async (engine) => {
      process.stdout.write(`${JSON.stringify(await finalizeDueMonths(engine))}\n`)
    }),
  )

program
  .command('backup')
  .description('take and verify a base backup (docs/operations.md)')
  .argument('<folder>', 'backup directory, on a different machine than the database')
  .option('--keep <number>', 'number of backups to keep', parsePositiveInt, 7)
  .action((folder: string, { keep }: { keep: number }) =>
    withPool(async (pool) => {
      process.stdout.write(`${await takeBackup(pool, databaseUrl(), { folder, keep })}\n`)
    }),
  )

program
  .command('archive')
  .description('archive WAL continuously (run as a service)')
  .argument('<folder>', 'backup directory')
  .action((folder: string) =>
    withPool(async (pool) => {
      const stopping = new AbortController()
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort())
      await archiveWal(pool, databaseUrl(), folder, stopping.signal)
    }),
  )

program
  .command('restore')
  .description('restore a data directory from a backup and the WAL archive')
  .argument('<folder>', 'backup directory')
  .requiredOption('--into <folder>', 'new data directory; must be empty or not exist')
  .option('--time <time>', 'point in time to restore to, e.g. 2027-01-31T12:00:00Z (default: latest)', parseTimestamp)
  .action(async (folder: string, { into, time }: { into: string; time?: Date }) => {
    process.stdout.write(`${await restore({ folder, dataDir: into, time })}\n`)
  })

try {
  await program.parseAsync()
  process.exit()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}

function databaseUrl(): string {
  const url = process.env['DATABASE_URL']
  if (url === undefined) throw new Error('Set DATABASE_URL to the database URL, e.g. postgres://owner@host/brickmark.')
  return url
}

async function withDatabase(callback: (db: Database) => Promise<void>): Promise<void> {
  const db = openDatabase(openPool(databaseUrl(), { size: 2, statementTimeoutMs: 60_000 }))
  try {
    await callback(db)
  } finally {
    await db.destroy()
  }
}

function withPool(callback: (pool: pg.Pool) => Promise<void>): Promise<void> {
  return withMarket(({ pool }) => callback(pool))
}

async function withMarket(callback: (engine: MarketContext) => Promise<void>): Promise<void> {
  const pool = openPool(databaseUrl(), { size: 4, statementTimeoutMs: 3_600_000 })
  try {
    await callback({ pool, db: openDatabase(pool), log: pino({ level: 'warn' }), now: () => new Date() })
  } finally {
    await pool.end()
  }
}

function parsePositiveInt(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('Must be a positive integer.')
  return Number(text)
}

function parseEndOfDay(text: string): Date {
  const end = new Date(`${text}T23:59:59.999Z`)
  if (Number.isNaN(end.getTime())) throw new InvalidArgumentError('Must be a date, e.g. 2027-01-31.')
  return end
}

function parseTimestamp(text: string): Date {
  const time = new Date(text)
  if (!/(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('Must be a timestamp with a time zone, e.g. 2027-01-31T12:00:00Z.')
  return time
}
