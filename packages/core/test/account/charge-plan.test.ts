import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from 'kysely'
import { charge } from '@brickmark/core/account/admission-commands'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'

const KEYS = 3000
const CHARGED_KEYS = 20

let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 1, statementTimeoutMs: 60_000 }))
  // Its reads would count as those of the charge.
  for (const table of ['account', 'api_key', 'api_key_quota', 'plan'])
    await sql`alter table ${sql.table(`account.${table}`)} set (autovacuum_enabled = off)`.execute(db)
  await sql`insert into account.plan values ('plenty', true, 1000000)`.execute(db)
  await sql`insert into account.account (name, plan) select 'a' || n, 'plenty' from generate_series(1, ${KEYS}) n`.execute(
    db,
  )
  await sql`insert into account.api_key (account_id, name, last4, slot) select id, 'k', 'abcd', 1 from account.account`.execute(
    db,
  )
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

async function rowsRead(): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read
      from pg_stat_user_tables where schemaname = 'account'`.execute(db)
  return rows[0]!.read
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(asRole(database.url, 'brickmark_api'))
  await client.connect()
  return client
}

async function chargeSome(client: pg.Client): Promise<void> {
  const keys = await db
    .selectFrom('account.api_key')
    .select(['account_id', 'id'])
    .orderBy('id')
    .limit(CHARGED_KEYS)
    .execute()
  const groups = keys.map((key) => ({ key: { accountId: key.account_id, keyId: key.id }, cost: 1, count: 1 }))
  await charge(client, groups)
}

/** Returns how many rows a charge of some keys reads. */
async function rowsReadByCharge(client: pg.Client): Promise<number> {
  const flushStatistics = 'select pg_stat_force_next_flush()'
  // Flush now: up to a second later it would be attributed to the charge.
  await sql.raw(flushStatistics).execute(db)
  await client.query(flushStatistics)
  const before = await rowsRead()
  await chargeSome(client)
  await client.query(flushStatistics)
  await expect.poll(rowsRead).toBeGreaterThan(before)
  return (await rowsRead()) - before
}

const chargeEveryKey = sql`
  insert into account.api_key_quota (account_id, api_key_id, day, used, daily_limit, last_cost, last_count, last_granted)
  select account_id, id, (now() at time zone 'utc')::date, 1, 1000000, 1, 1, 1 from account.api_key
  on conflict do nothing`

test.each([
  ['before any analyze', sql`select`],
  ['at the start of a day', sql`analyze`],
  ['after every key was charged, before analyze', chargeEveryKey],
  ['after every key was charged and analyzed', sql`analyze`],
])('%s, a charge reads only the rows of its keys', async (_, prepare) => {
  await prepare.execute(db)
  const client = await connect()
  expect(await rowsReadByCharge(client)).toBeLessThan(CHARGED_KEYS * 10)
  await client.end()
})

test('a charge planned while there were no counters reads only the rows of its keys', async () => {
  await sql`truncate account.api_key_quota`.execute(db)
  const client = await connect()
  await chargeSome(client)
  await chargeEveryKey.execute(db)
  expect(await rowsReadByCharge(client)).toBeLessThan(CHARGED_KEYS * 10)
  await client.end()
})
