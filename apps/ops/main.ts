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

/** The operator's command line. DATABASE_URL names the database, as the role that owns it. */
const program = new Command('ops')
  .description('Run and look after a Brickmark service.')
  .showHelpAfterError('(run with --help for what is possible)')

program
  .command('doctor')
  .description('look at everything the service needs, and say what to do about what is missing')
  .option('--api <url>', 'also ask an api process, like http://127.0.0.1:8080')
  .action(async ({ api }: { api?: string }) => {
    const findings = await runChecks({ databaseUrl: databaseUrl(), apiUrl: api, mailUrl: process.env['MAIL_URL'] })
    process.stdout.write(`${formatChecks(findings)}\n`)
    if (findings.some(({ ok }) => !ok)) process.exitCode = 1
  })

program
  .command('migrate')
  .description('bring the schema up to this version')
  .action(async () => {
    const done = await migrate(databaseUrl())
    process.stdout.write(done.length === 0 ? 'The schema is up to date.\n' : `Ran ${done.join(', ')}.\n`)
  })

program
  .command('account-create')
  .description('open an account and print its id')
  .argument('<name>')
  .option('--plan <plan>', 'hobby or reseller', 'reseller')
  .action((name: string, { plan }: { plan: string }) =>
    withDatabase(async (db) => {
      process.stdout.write(`${await createAccount(db, { name, plan, actor: 'operator' })}\n`)
    }),
  )

program
  .command('account-plan')
  .description('put an account on another plan')
  .argument('<account-id>', undefined, parsePositiveInt)
  .argument('<plan>', 'hobby or reseller')
  .action((accountId: number, plan: string) =>
    withDatabase(async (db) => {
      const changed = await changePlan(db, { accountId, plan, actor: 'operator' })
      if (!changed) throw new Error(`There is no account ${accountId}, or no plan ${plan}.`)
      process.stdout.write(`Account ${accountId} is on the plan ${plan}.\n`)
    }),
  )

program
  .command('operator')
  .description('let somebody who has signed up see the operator’s pages')
  .argument('<email>')
  .option('--revoke', 'no longer', false)
  .action((email: string, { revoke }: { revoke: boolean }) =>
    withDatabase(async (db) => {
      if (!(await setOperator(db, email, !revoke))) throw new Error(`Nobody has signed up as ${email}.`)
      process.stdout.write(`${email} ${revoke ? 'is no operator any more' : 'is an operator'}.\n`)
    }),
  )

program
  .command('key-create')
  .description('make an API key and print it, once')
  .argument('<account-id>', undefined, parsePositiveInt)
  .argument('<name>', 'what the key is for')
  .option('--expires <date>', 'last day it works, like 2027-01-31', parseEndOfDay)
  .action((accountId: number, name: string, { expires }: { expires?: Date }) =>
    withDatabase(async (db) => {
      const { API_KEY_PEPPERS: peppers } = parseEnvironment(z.object({ API_KEY_PEPPERS: Peppers }), process.env)
      const { id: keyId, key } = await issueKey(db, peppers, { accountId, name, expiresAt: expires ?? null })
      process.stderr.write(`Key ${keyId} of account ${accountId}. It is shown only now:\n`)
      process.stdout.write(`${key}\n`)
    }),
  )

program
  .command('key-revoke')
  .description('end a key at once')
  .argument('<account-id>', undefined, parsePositiveInt)
  .argument('<key-id>', undefined, parsePositiveInt)
  .action((accountId: number, keyId: number) =>
    withDatabase(async (db) => {
      const revoked = await revokeApiKey(db, { accountId, keyId, actor: 'operator' })
      if (!revoked) throw new Error(`Account ${accountId} has no active key ${keyId}.`)
      process.stdout.write(`Key ${keyId} is revoked.\n`)
    }),
  )

program
  .command('source-add')
  .description('declare a source of licensed data and its licence')
  .argument('<source>', 'its short name, as the files give it')
  .argument('<licence>', 'the short name of its licence')
  .requiredOption('--name <name>', 'what the source is called')
  .requiredOption('--terms <terms>', 'what the licence allows, in a sentence')
  .option('--rank <number>', 'of two sources that differ at one instant, the higher is believed', parsePositiveInt, 1)
  .action((source: string, licence: string, options: { name: string; terms: string; rank: number }) =>
    withPool(async (pool) => {
      await declareSource(pool, { source, licence, ...options })
      process.stdout.write(`Source ${source} is declared under licence ${licence}.\n`)
    }),
  )

program
  .command('ingest')
  .description('take a file of one of our feeds: CSV or NDJSON, gzip accepted (docs/feeds.md)')
  .addArgument(new Argument('<feed>').choices(['catalog', 'sales', 'returns', 'retail']))
  .argument('<file>')
  .action((feed: FeedName, file: string) =>
    withPool(async (pool) => {
      process.stdout.write(`${formatIngestResult(await ingestFeed(pool, feed, file))}\n`)
    }),
  )

program
  .command('import')
  .description('take the catalog downloads of Rebrickable from a folder')
  .argument('<folder>', 'where sets.csv, themes.csv, minifigs.csv, inventories.csv and inventory_minifigs.csv are')
  .requiredOption('--source <source>', 'the source they are declared as')
  .requiredOption('--licence <licence>', 'and its licence')
  .action((folder: string, options: { source: string; licence: string }) =>
    withPool(async (pool) => {
      process.stdout.write(`${formatIngestResult(await importRebrickable(pool, folder, options))}\n`)
    }),
  )

program
  .command('quarantine')
  .description('list rows that could not be taken, or try them again')
  .addOption(new Option('--feed <feed>', 'only of this feed').choices(['catalog', 'sales', 'returns', 'retail']))
  .option('--limit <number>', 'how many to list', parsePositiveInt, 50)
  .option('--retry', 'try the rows of --feed again', false)
  .action((options: { feed?: FeedName; limit: number; retry: boolean }) =>
    withMarket(async (engine) => {
      if (!options.retry) return listQuarantine(engine.db, options)
      if (options.feed === undefined) throw new Error('Say which feed to retry, like --feed sales.')
      const { accepted, repeated, quarantined } = await retryQuarantine(engine, options.feed)
      process.stdout.write(`${accepted} taken, ${repeated} known already, ${quarantined} still in quarantine.\n`)
    }),
  )

program
  .command('settle')
  .description('compute now what the worker would: retail states and values of everything that changed')
  .action(() =>
    withMarket(async (engine) => {
      process.stdout.write(`${JSON.stringify(await recomputeDirty(engine))}\n`)
    }),
  )

program
  .command('finalize')
  .description('freeze every month that is due and not frozen yet')
  .action(() =>
    withMarket(async (engine) => {
      process.stdout.write(`${JSON.stringify(await finalizeDueMonths(engine))}\n`)
    }),
  )

program
  .command('backup')
  .description('copy the whole server while it runs, and check the copy (docs/operations.md)')
  .argument('<folder>', 'where backups are kept, not on the machine of the database')
  .option('--keep <number>', 'how many backups to keep', parsePositiveInt, 7)
  .action((folder: string, { keep }: { keep: number }) =>
    withPool(async (pool) => {
      process.stdout.write(`${await takeBackup(pool, databaseUrl(), { folder, keep })}\n`)
    }),
  )

program
  .command('archive')
  .description('receive the write-ahead log beside the backups, all the time: run it as a service')
  .argument('<folder>', 'the same as for backup')
  .action((folder: string) =>
    withPool(async (pool) => {
      const stopping = new AbortController()
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort())
      await archiveWal(pool, databaseUrl(), folder, stopping.signal)
    }),
  )

program
  .command('restore')
  .description('make a data directory out of a backup and the archive')
  .argument('<folder>', 'where the backups are')
  .requiredOption('--into <folder>', 'the new data directory: empty, or not there yet')
  .option('--time <time>', 'as of this moment, like 2027-01-31T12:00:00Z; else as late as possible', parseTimestamp)
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
  if (url === undefined)
    throw new Error('Set DATABASE_URL to the address of the database, like postgres://owner@host/brickmark.')
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
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

function parseEndOfDay(text: string): Date {
  const end = new Date(`${text}T23:59:59.999Z`)
  if (Number.isNaN(end.getTime())) throw new InvalidArgumentError('It must be a date like 2027-01-31.')
  return end
}

function parseTimestamp(text: string): Date {
  const time = new Date(text)
  if (!/(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('It must be a moment with its zone, like 2027-01-31T12:00:00Z.')
  return time
}
