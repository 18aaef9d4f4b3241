import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { accountFunction, callAs, openDatabase, openPool, readAs, type Database } from '@brickmark/core/db/database'
import { createDatabase, type TestDatabase } from '@brickmark/tests/support/database'

let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 2, pipelined: true }), { callsPerConnection: 3 })
  await sql`
    create function public.describe_call(account bigint, action text, out pid integer, out previous_account text)
    language plpgsql as $$
    begin
      previous_account := current_setting('brickmark.account_id', true);
      perform set_config('brickmark.account_id', account::text, true);
      pid := pg_backend_pid();
      if action = 'fail' then raise exception 'failed on purpose'; end if;
      if action = 'time out' then raise exception using errcode = 'lock_not_available'; end if;
      if action = 'terminate' then perform pg_terminate_backend(pid); end if;
      perform pg_sleep(0.02);
    end $$`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const DESCRIBE_CALL = accountFunction('public.describe_call', 2)
const describeCall = (account: number, action = '') =>
  callAs<{ pid: number; previous_account: string | null }>(db, account, DESCRIBE_CALL, action)

const statuses = (results: PromiseSettledResult<unknown>[]) => results.map(({ status }) => status)

test('spreads calls over all connections, and then shares them', async () => {
  const one = await Promise.all([1, 2].map((account) => describeCall(account)))
  expect(new Set(one.map(({ pid }) => pid)).size).toBe(2)
  const many = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((account) => describeCall(account)))
  expect(new Set(many.map(({ pid }) => pid)).size).toBe(2)
})

test('no call sees the account of another', async () => {
  const calls = await Promise.all([1, 2, 3, 4, 5, 6].map((account) => describeCall(account)))
  for (const { previous_account } of calls) expect(previous_account ?? '').toBe('')
})

test('a call that fails leaves the others on its connection alone', async () => {
  const results = await Promise.allSettled([1, 2, 3, 4, 5, 6].map((n) => describeCall(n, n === 3 ? 'fail' : '')))
  expect(statuses(results)).toEqual(results.map((_, index) => (index === 2 ? 'rejected' : 'fulfilled')))
})

test.each([
  ['breaks', 'terminate'],
  ['timed out waiting for a lock', 'time out'],
])('a connection that %s ends only its own calls, and is replaced', async (_, action) => {
  const results = await Promise.allSettled([1, 2, 3, 4, 5, 6].map((n) => describeCall(n, n === 1 ? action : '')))
  // The first, third and fifth call share a connection.
  expect(statuses(results)).toEqual(results.map((_, index) => (index % 2 === 0 ? 'rejected' : 'fulfilled')))
  const next = await Promise.allSettled([1, 2, 3, 4].map((n) => describeCall(n)))
  expect(statuses(next)).toEqual(next.map(() => 'fulfilled'))
})

test('another query gets a connection, even if calls keep all of them busy', async () => {
  let isDone = false
  const callRepeatedly = async (account: number) => {
    while (!isDone) await describeCall(account)
  }
  const calls = Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(callRepeatedly))
  await describeCall(9)
  const query = sql<{ n: number }>`select 1 as n`.execute(db).finally(() => (isDone = true))
  expect((await query).rows).toEqual([{ n: 1 }])
  await calls
})

test('readAs gets a connection of its own beside shared calls, restricted to its account', async () => {
  const transactions = [11, 12, 13].map((account) =>
    readAs(db, account, async (tx) => {
      const { rows } = await sql<{ account: string }>`
        select current_setting('brickmark.account_id') as account, pg_sleep(0.05)`.execute(tx)
      return rows[0]!
    }),
  )
  const calls = Promise.all([1, 2, 3, 4, 5, 6].map((account) => describeCall(account)))
  const results = await Promise.all(transactions)
  expect(results.map(({ account }) => account)).toEqual(['11', '12', '13'])
  for (const { previous_account } of await calls) expect(previous_account ?? '').toBe('')
})
