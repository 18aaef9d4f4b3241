import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from 'kysely'
import { charge } from '@brickmark/core/account/admission-commands'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'

const KEYS = 3000
const ASKED = 20

let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 1, statementTimeoutMs: 60_000 }))
  await sql`insert into account.plan values ('plenty', true, 1000000)`.execute(db)
  await sql`insert into account.account (name, plan) select 'a' || n, 'plenty' from generate_series(1, ${KEYS}) n`.execute(
    db,
  )
  await sql`insert into account.api_key (account_id, name, last4, slot) select account_id, 'k', 'abcd', 1 from account.account`.execute(
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
  const keys = await db.selectFrom('account.api_key').select(['account_id', 'id']).orderBy('id').limit(ASKED).execute()
  const groups = keys.map((key) => ({ key: { accountId: key.account_id, keyId: key.id }, cost: 1, count: 1 }))
  await charge(client, groups)
}

/** How many rows a charge of some keys reads. */
async function readByACharge(client: pg.Client): Promise<number> {
  const tellWhatWasRead = 'select pg_stat_force_next_flush()'
  // Now, not up to a second later, when it would be counted as the charge's.
  await sql.raw(tellWhatWasRead).execute(db)
  await client.query(tellWhatWasRead)
  const before = await rowsRead()
  await chargeSome(client)
  await client.query(tellWhatWasRead)
  await expect.poll(rowsRead).toBeGreaterThan(before)
  return (await rowsRead()) - before
}

const chargeEverybody = sql`
  insert into account.quota_day (account_id, key_id, day, used, daily_limit, last_price, last_calls, last_granted)
  select account_id, id, (now() at time zone 'utc')::date, 1, 1000000, 1, 1, 1 from account.api_key
  on conflict do nothing`

test.each([
  ['before anything was analyzed', sql`select`],
  ['when a day has just begun', sql`analyze`],
  ['when every key was charged, and nobody has analyzed that', chargeEverybody],
  ['when that was analyzed', sql`analyze`],
])('%s, a charge reads the keys that are asked for and no others', async (_, prepare) => {
  await prepare.execute(db)
  const client = await connect()
  expect(await readByACharge(client)).toBeLessThan(ASKED * 10)
  await client.end()
})

test('so does one that was planned while nobody had been charged', async () => {
  await sql`truncate account.quota_day`.execute(db)
  const client = await connect()
  await chargeSome(client)
  await chargeEverybody.execute(db)
  expect(await readByACharge(client)).toBeLessThan(ASKED * 10)
  await client.end()
})
