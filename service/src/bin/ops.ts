import { Command, InvalidArgumentError } from 'commander'
import { loadConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase, openPool, type Database } from '../db/database.ts'
import { createAccount } from '../db/write/account.ts'
import { revokeApiKey } from '../db/write/api-key.ts'
import { demo } from '../ops/demo.ts'
import { issueKey } from '../ops/issue-key.ts'

/** The operator's command line. DATABASE_URL names the database, as the role that owns it. */
const program = new Command('ops')
  .description('Run and look after a Brickmark service.')
  .showHelpAfterError('(run with --help for what is possible)')

program
  .command('demo')
  .description('start everything on this machine with an invented market')
  .option('--reset', 'make the data anew', false)
  .option('--port <number>', 'listen on this port', port)
  .action((options: { reset: boolean; port?: number }) =>
    demo({ reset: options.reset, port: options.port, databaseUrl: process.env['DATABASE_URL'] }),
  )

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
  .command('key-create')
  .description('make an API key and print it, once')
  .argument('<account-id>', undefined, id)
  .argument('<name>', 'what the key is for')
  .option('--expires <date>', 'last day it works, like 2027-01-31', day)
  .action((accountId: number, name: string, { expires }: { expires?: Date }) =>
    withDatabase(async (db) => {
      const { peppers } = loadConfig(process.env)
      const { id: keyId, key } = await issueKey(db, peppers, { accountId, name, expiresAt: expires ?? null })
      process.stderr.write(`Key ${keyId} of account ${accountId}. It is shown only now:\n`)
      process.stdout.write(`${key}\n`)
    }),
  )

program
  .command('key-revoke')
  .description('end a key at once')
  .argument('<account-id>', undefined, id)
  .argument('<key-id>', undefined, id)
  .action((accountId: number, keyId: number) =>
    withDatabase(async (db) => {
      const revoked = await revokeApiKey(db, { accountId, keyId, actor: 'operator' })
      if (!revoked) throw new Error(`Account ${accountId} has no active key ${keyId}.`)
      process.stdout.write(`Key ${keyId} is revoked.\n`)
    }),
  )

try {
  await program.parseAsync()
  process.exit(0)
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

async function withDatabase(work: (db: Database) => Promise<void>): Promise<void> {
  const db = openDatabase(openPool(databaseUrl(), { size: 2, statementTimeoutMs: 60_000 }))
  try {
    await work(db)
  } finally {
    await db.destroy()
  }
}

function port(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < 1 || number > 65535) throw new InvalidArgumentError('It must be 1 to 65535.')
  return number
}

function id(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

function day(text: string): Date {
  const end = new Date(`${text}T23:59:59.999Z`)
  if (Number.isNaN(end.getTime())) throw new InvalidArgumentError('It must be a date like 2027-01-31.')
  return end
}
