import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { charge, recordRequests } from '@brickmark/core/account/admission-commands'
import { findApiKeys, findKeyIdentities } from '@brickmark/core/account/api-key-queries'
import { findAccounts } from '@brickmark/core/account/operator-queries'
import { findUsage } from '@brickmark/core/account/usage-queries'
import { openDatabase, openPool, readAs, type Database } from '@brickmark/core/db/database'
import { findSales } from '@brickmark/core/portfolio/sale-queries'
import { findCollectionsWithLots, findHeldLots } from '@brickmark/core/portfolio/held-lot-queries'
import { findOwnershipIntervals } from '@brickmark/core/portfolio/portfolio-queries'
import { findLatestMarketSales } from '@brickmark/core/source/market-sale-queries'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { createTestAccount } from '@brickmark/tests/support/fixtures'

/**
 * Runs the queries that production runs most often, as their own roles, with auto_explain, and checks the plans that
 * PostgreSQL really chose: no sequential scan, few buffers, and few scans, because planning time grows with them.
 */

const ACCOUNTS = 3000
const ACCOUNT = 700
/** Tables that are small whatever happens. A sequential scan of them is right. */
const SMALL = new Set(['plan', 'source', 'license'])

let database: TestDatabase
let ownerDatabase: Database
let keyHash: Buffer

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  ownerDatabase = openDatabase(openPool(database.url, { size: 1, statementTimeoutMs: 120_000 }))
  await createTestAccount(ownerDatabase)
  for (const statement of SEED) await sql.raw(statement).execute(ownerDatabase)
  const { rows } = await sql<{ hash: Buffer }>`
    select hash from account.api_key_directory where account_id = ${ACCOUNT}`.execute(ownerDatabase)
  keyHash = rows[0]!.hash
})
afterAll(async () => {
  await ownerDatabase.destroy()
  await database.drop()
})

const SEED = [
  `insert into catalog.set (set_number, title, theme) select (10000 + n) || '-1', 'Set ' || n, 'T' from generate_series(1, 500) n`,
  `insert into account.account (name, plan) select 'account ' || n, 'reseller' from generate_series(2, ${ACCOUNTS}) n`,
  `insert into account.api_key (account_id, name, last4, slot) select id, 'k', 'abcd', 1 from account.account where id > 1`,
  `insert into account.api_key_directory select sha256(int8send(id)), account_id, id, 1 from account.api_key where account_id > 1`,
  `insert into account.api_key_quota select account_id, id, (now() at time zone 'utc')::date, 5, 1000, 1, 1, 1 from account.api_key`,
  `insert into account.api_key_quota_history select account_id, id, (now() at time zone 'utc')::date - n, 5, 1000, now()
     from account.api_key, generate_series(1, 35) n`,
  `insert into account.api_key_usage select account_id, id, (now() at time zone 'utc')::date - n, 200, 5
     from account.api_key, generate_series(0, 35) n`,
  `insert into auth."user" (id, name, email, account_id, operator, two_factor_enabled)
     select 'u' || id, name, 'person' || id || '@example.com', id, id = 1, id = 1 from account.account`,
  `insert into auth.session select 't' || id, id, 't' || id, now(), null, null, now(), now() from auth."user"`,
  `insert into auth.session values ('s', 'u1', 'operator', now() + interval '1 day', null, null, now(), now(), true)`,
  `insert into account.audit_log (account_id, actor, action) select id, 'owner', 'account.created' from account.account`,
  `insert into account.api_key_last_request select account_id, id, now(), gen_random_uuid(), 'GET /', 200 from account.api_key`,
  `insert into portfolio.collection (account_id, name, is_default) select id, 'Stock', true from account.account`,
  `insert into portfolio.lot (account_id, collection_id, set_number, condition, quantity, purchase_price_cents, purchase_date)
     select c.account_id, c.id, (10001 + (n * 37) % 500) || '-1', 'sealed', 1, 6000, date '2025-01-01' + n
       from generate_series(1, 20) n, portfolio.collection c`,
  `insert into portfolio.sale (account_id, set_number, platform, sale_date, quantity, gross_proceeds_cents)
     select account_id, set_number, 'ebay', purchase_date + 20, 1, 9000 from portfolio.lot`,
  `insert into portfolio.sale_lot select s.account_id, s.id, l.id, 1
     from portfolio.sale s join portfolio.lot l using (account_id, set_number)`,
  `insert into source.license values ('l', 't')`,
  `insert into source.source values ('s', 'S', 'l')`,
  `insert into source.sale_observation
     select 's', n::text, 'l', 'set', (10001 + n % 500) || '-1', 'sealed', current_date - n % 900, 5000, 'USD', 1, 1, 'a', 'b', null,
            current_date - n % 900
       from generate_series(1, 40000) n`,
  'vacuum analyze',
]

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[]; [name: string]: unknown }
type Summary = { scans: string[]; sequential: string[]; buffers: number }

/** Runs `work` on one connection of a role and summarizes the plans of its statements, also those inside functions. */
async function explain(role: string, work: (pool: pg.Pool, db: Database) => Promise<unknown>): Promise<Summary> {
  const pool = openPool(database.url, { size: 1 })
  const plans: Plan[] = []
  const client = await pool.connect()
  client.on('notice', ({ message = '' }) => {
    const json = message.slice(message.indexOf('{'))
    if (message.includes('plan:')) plans.push((JSON.parse(json) as { Plan: Plan }).Plan)
  })
  await client.query(`load 'auto_explain'`)
  for (const setting of [
    'log_min_duration = 0',
    'log_analyze = on',
    'log_timing = off',
    'log_buffers = on',
    'log_nested_statements = on',
    'log_format = json',
    'log_level = notice',
  ])
    await client.query(`set auto_explain.${setting}`)
  await client.query(`set role ${role}`)
  plans.length = 0
  client.release()
  const db = openDatabase(pool)
  // Twice: the first run of a prepared statement also loads the system catalog.
  await work(pool, db)
  plans.length = 0
  await work(pool, db)
  await db.destroy()
  const summary: Summary = { scans: [], sequential: [], buffers: 0 }
  for (const plan of plans) {
    // The buffers of a function call are those of the statements inside, which have plans of their own.
    if (plan['Node Type'] !== 'Function Scan')
      summary.buffers += Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks'])
    visit(plan, summary)
  }
  return summary
}

function visit(plan: Plan, summary: Summary): void {
  const { 'Node Type': type, 'Relation Name': table } = plan
  if (table !== undefined && type !== 'ModifyTable') {
    summary.scans.push(table)
    // An empty partition has no pages to read.
    const isEmpty = plan['Shared Hit Blocks'] === 0 && plan['Shared Read Blocks'] === 0
    if (type === 'Seq Scan' && !isEmpty && !SMALL.has(table)) summary.sequential.push(table)
  }
  for (const child of plan.Plans ?? []) visit(child, summary)
}

const asAccount = (read: (tx: Database) => Promise<unknown>) => (_: pg.Pool, db: Database) => readAs(db, ACCOUNT, read)
const keys = Array.from({ length: 10 }, (_, n) => ({ accountId: 100 + n, keyId: 100 + n }))

async function chargeKeys(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await charge(
      client,
      keys.map((key) => ({ key, cost: 1, count: 1 })),
    )
  } finally {
    client.release()
  }
}

const summaries = keys.map(({ accountId, keyId }) => ({
  account_id: accountId,
  api_key_id: keyId,
  status: 200,
  requests: 1,
  at: new Date(),
  request_id: '00000000-0000-4000-8000-000000000000',
  endpoints: { '/set/{number}': 1 },
  request: 'GET /api/v1/set/1',
  error_code: undefined,
  error_message: undefined,
  client: undefined,
}))

test.each<
  [string, string, (pool: pg.Pool, db: Database) => Promise<unknown>, { maxBuffers: number; maxScans: number }]
>([
  ['charge ten keys', 'brickmark_api', chargeKeys, { maxBuffers: 350, maxScans: 6 }],
  ['look up a key', 'brickmark_api', (pool) => findKeyIdentities(pool, [keyHash]), { maxBuffers: 6, maxScans: 1 }],
  [
    'record the requests of ten keys',
    'brickmark_api',
    (pool) => recordRequests(pool, summaries),
    { maxBuffers: 250, maxScans: 4 },
  ],
  [
    'a page of lots',
    'brickmark_api',
    (_, db) => findHeldLots(db, ACCOUNT, { limit: 10, offset: 0 }),
    { maxBuffers: 20, maxScans: 2 },
  ],
  [
    'the collections',
    'brickmark_api',
    (_, db) => findCollectionsWithLots(db, ACCOUNT),
    { maxBuffers: 12, maxScans: 2 },
  ],
  [
    'the purchase history',
    'brickmark_api',
    (_, db) => findOwnershipIntervals(db, ACCOUNT, '2025-06-01'),
    { maxBuffers: 150, maxScans: 4 },
  ],
  [
    'a page of sales',
    'brickmark_api',
    (_, db) => findSales(db, ACCOUNT, { limit: 10, offset: 0 }),
    { maxBuffers: 50, maxScans: 2 },
  ],
  ['the keys page', 'brickmark_web', asAccount((tx) => findApiKeys(tx, ACCOUNT)), { maxBuffers: 40, maxScans: 7 }],
  ['the usage page', 'brickmark_web', asAccount((tx) => findUsage(tx, ACCOUNT, 30)), { maxBuffers: 90, maxScans: 6 }],
  [
    'search for an account',
    'brickmark_web',
    (_, db) => findAccounts(db, 'operator', { search: 'person1234', limit: 50 }),
    { maxBuffers: 250, maxScans: 16 },
  ],
  [
    'the newest sales of an item',
    'brickmark_worker',
    (_, db) => {
      const since = Math.floor(Date.now() / 86_400_000) - 730
      return findLatestMarketSales(db, 'set', ['10007-1'], { since, limit: 80, withTraders: false })
    },
    { maxBuffers: 150, maxScans: 45 },
  ],
])('%s, as %s', async (_name, role, work, { maxBuffers, maxScans }) => {
  const { scans, sequential, buffers } = await explain(role, work)
  expect(scans.length, 'no plan was seen').toBeGreaterThan(0)
  expect(sequential).toEqual([])
  expect(buffers).toBeLessThanOrEqual(maxBuffers)
  expect(scans.length, scans.join(', ')).toBeLessThanOrEqual(maxScans)
})

test('a charge locks few relations', async () => {
  const client = new pg.Client(asRole(database.url, 'brickmark_api'))
  await client.connect()
  const countLocks = async () => {
    await client.query('begin')
    await charge(client, [{ key: keys[0]!, cost: 1, count: 1 }])
    const { rows } = await client.query<{ fast: number; slow: number }>(`
      select count(*) filter (where fastpath)::integer as fast, count(*) filter (where not fastpath)::integer as slow
        from pg_locks where pid = pg_backend_pid() and locktype = 'relation' and relation <> 'pg_locks'::regclass`)
    await client.query('rollback')
    return rows[0]!
  }
  // Four tables and their indexes; the fast path has room for 16 on PostgreSQL 15.
  expect((await countLocks()).fast).toBeLessThanOrEqual(14)
  // Another test that changes a schema on this server keeps some locks off the fast path meanwhile.
  await expect.poll(async () => (await countLocks()).slow, { timeout: 20_000 }).toBe(0)
  await client.end()
})
