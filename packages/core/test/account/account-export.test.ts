import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase, openPool, readAs, type Database } from '@brickmark/core/db/database'
import { EXPORT_TABLES, findAccountExport } from '@brickmark/core/account/account-export-queries'
import { createAccount } from '@brickmark/core/account/account-commands'
import { createUser } from '@brickmark/core/account/user-commands'
import { hashKey } from '@brickmark/core/account/api-key'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { addSet, PEPPER } from '@brickmark/tests/support/fixtures'
import { seedFullAccount } from '@brickmark/tests/support/full-account'

let database: TestDatabase
let db: Database
let webDatabase: Database

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 2 }))
  webDatabase = openDatabase(openPool(asRole(database.url, 'brickmark_web'), { size: 2, pipelined: true }))
  await addSet(db, { set_number: '90001-1' })
})
afterAll(async () => {
  await webDatabase.destroy()
  await db.destroy()
  await database.drop()
})

async function makeOwner(canary: string) {
  const accountId = await createAccount(db, { name: canary, plan: 'reseller', actor: 'test' })
  const userId = `user of ${canary}`
  await createUser(db, {
    id: userId,
    accountId,
    name: canary,
    email: `${canary}@example.com`,
    passwordHash: 'the hash',
  })
  return { accountId, userId, ...(await seedFullAccount(db, { accountId, userId }, canary)) }
}

/** Columns that are not exported because they are internal; `account_id` is exported once at the top. */
const EXCLUDED: Record<string, string[]> = {
  // Never set when somebody can export: the account is then suspended.
  'account.api_key': ['suspended'],
  'account.api_key_quota': ['last_cost', 'last_count', 'last_granted'],
  'portfolio.lot': ['imported_as'],
  // Computed from the content of the draft.
  'portfolio.import': ['plan'],
  // The link of a shelf and the secrets of an endpoint are derived from their salts.
  'portfolio.shelf': ['salt', 'token_hash'],
  'webhook.endpoint': ['salt', 'old_salt', 'next_attempt_at', 'leased_until'],
  // What messages to a browser are encrypted with, and the hash of its cookie.
  'webhook.push_subscription': ['p256dh', 'auth', 'device_hash', 'paused_until'],
}
/** Tables that are exported in another form, are computed from others, or contain only secrets or tokens. */
const SPECIAL_TABLES = [
  'account.account',
  'account.api_key_directory',
  'account.deleted_account',
  'portfolio.import_row',
  'portfolio.form_submission',
  'alert.met_rule',
  'alert.mail_schedule',
  'alert.daily_total',
  'alert.inbox',
  'account.quota_notice',
]

test('every column of every private table is exported or explicitly excluded', async () => {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select format('%I.%I', n.nspname, c.relname) as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where n.nspname in ('account', 'portfolio', 'alert', 'webhook') and c.relkind in ('r', 'p') and not c.relispartition
     group by 1 having bool_or(a.attname = 'account_id')`.execute(db)
  expect(rows.length).toBeGreaterThanOrEqual(12)
  const listed = new Map(Object.values(EXPORT_TABLES).map(({ table, columns }) => [table, columns]))
  const missing = rows
    .filter(({ name }) => !SPECIAL_TABLES.includes(name))
    .flatMap(({ name, columns }) => {
      const known = [...(listed.get(name) ?? []), ...(EXCLUDED[name] ?? []), 'account_id']
      return columns.filter((column) => !known.includes(column)).map((column) => `${name}.${column}`)
    })
  expect(
    missing,
    'add them to EXPORT_TABLES in account/account-export-queries.ts and to apps/docs/src/content/docs/account-export-format.md',
  ).toEqual([])
})

test('the export matches the database and contains only this account', async () => {
  const own = await makeOwner('own-canary')
  await makeOwner('foreign-canary')
  const read = await readAs(webDatabase, own.accountId, (tx) => findAccountExport(tx, own.accountId, own.userId))
  const file = JSON.parse(JSON.stringify(read)) as Record<string, Record<string, unknown>[]>
  for (const [name, { table, columns }] of Object.entries(EXPORT_TABLES)) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(t) as row from ${sql.table(table)} t where account_id = ${own.accountId}`.execute(db)
    expect(rows.length, name).toBeGreaterThan(0)
    const expected = rows.map(({ row }) => columns.map((column) => normalize(row[column])).join('|'))
    const exported = file[name]!.map((row) => columns.map((column) => normalize(row[column])).join('|'))
    expect(exported.toSorted(), name).toEqual(expected.toSorted())
  }
  expect(file['account']).toMatchObject({ id: own.accountId, name: 'own-canary', plan: 'reseller' })
  expect(file['person']).toMatchObject({ email: 'own-canary@example.com' })
  expect(file['sessions']).toHaveLength(1)
  expect(file['passkeys']).toHaveLength(1)
  expect(JSON.stringify(file)).not.toContain('foreign')
})

test('the export contains no secrets: no key or hash, no token, no password, no second factor', async () => {
  const own = await makeOwner('third-canary')
  const read = await readAs(webDatabase, own.accountId, (tx) => findAccountExport(tx, own.accountId, own.userId))
  const text = JSON.stringify(read)
  const hash = hashKey(own.key, PEPPER)
  for (const secret of [
    own.key,
    hash.toString('hex'),
    hash.toString('base64'),
    'token third',
    'the hash',
    'secret third',
  ])
    expect(text).not.toContain(secret)
  expect(text).not.toContain('device third')
})

/** Normalizes numbers, times and objects for comparison. */
function normalize(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  const text = JSON.stringify(value).replaceAll('"', '')
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return new Date(text).toISOString()
  return /^-?\d+\.\d+$/.test(text) ? String(Number(text)) : text
}
