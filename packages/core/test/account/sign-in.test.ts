import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { changePlan } from '@brickmark/core/account/account-commands'
import { setOperator } from '@brickmark/core/account/user-commands'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'

/** Signing up creates a separate account, and the web application's role can't assign any other. */

let database: TestDatabase
let db: Database
let web: pg.Client

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 2 }))
  web = new pg.Client(asRole(database.url, 'brickmark_web'))
  await web.connect()
})
afterAll(async () => {
  await web.end()
  await db.destroy()
  await database.drop()
})

async function signUp(id: string): Promise<number> {
  const { rows } = await web.query<{ account_id: number }>(
    `insert into auth."user" (id, name, email) values ($1, $2, $3) returning *`,
    [id, `Name of ${id}`, `${id}@example.com`],
  )
  return rows[0]!.account_id
}

test('signing up creates an account on the hobby plan and records it in the audit log', async () => {
  const accountId = await signUp('ann')
  const account = await db.selectFrom('account.account').selectAll().where('id', '=', accountId).execute()
  expect(account).toMatchObject([{ name: 'Name of ann', plan: 'hobby' }])
  const log = await db.selectFrom('account.audit_log').selectAll().where('account_id', '=', accountId).execute()
  expect(log).toMatchObject([{ actor: 'owner', action: 'account.created' }])
  expect(await signUp('bob')).not.toBe(accountId)
})

test("the web role can't choose an account, make operators or create accounts directly", async () => {
  for (const statement of [
    `insert into auth."user" (id, name, email, account_id) values ('eve', 'Eve', 'eve@example.com', 1)`,
    `insert into auth."user" (id, name, email, operator) values ('eve', 'Eve', 'eve@example.com', true)`,
    `update auth."user" set account_id = 1`,
    `update auth."user" set operator = true`,
    `delete from auth."user"`,
    `insert into account.account (name, plan) values ('Eve', 'reseller')`,
    `select auth.open_account()`,
  ]) {
    await expect(web.query(statement), statement).rejects.toThrow('permission denied')
  }
})

test('deleting an account deletes its user and sessions', async () => {
  const accountId = await signUp('carl')
  await web.query(
    `insert into auth.session (id, user_id, token, expires_at, created_at, updated_at)
     values ('s', 'carl', 't', now(), now(), now())`,
  )
  await db.deleteFrom('account.account').where('id', '=', accountId).execute()
  expect((await web.query(`select from auth.session where id = 's'`)).rowCount).toBe(0)
})

test('a new password ends the password resets of its user, and no others', async () => {
  for (const id of ['edna', 'fred']) {
    await signUp(id)
    await web.query(
      `insert into auth.credential (id, user_id, account_id, provider_id, password, created_at, updated_at)
       values ($1, $1, $1, 'credential', 'hash', now(), now())`,
      [id],
    )
    for (const mail of [1, 2]) {
      await web.query(
        `insert into auth.verification (id, identifier, value, expires_at, created_at, updated_at)
         values ($1, $1, $2, now() + interval '1 hour', now(), now())`,
        [`${id} ${mail}`, id],
      )
    }
  }
  const open = async () => {
    const { rows } = await web.query<{ id: string }>('select id from auth.verification order by id')
    return rows.map((row) => row.id)
  }
  await web.query(`update auth.credential set updated_at = now() where user_id = 'edna'`)
  expect(await open()).toEqual(['edna 1', 'edna 2', 'fred 1', 'fred 2'])
  await web.query(`update auth.credential set password = 'another hash' where user_id = 'edna'`)
  expect(await open()).toEqual(['fred 1', 'fred 2'])
})

test('setOperator finds the user by email, ignoring case', async () => {
  await signUp('dora')
  const operators = () => db.selectFrom('auth.user').select('id').where('operator', '=', true).execute()
  await web.query(`update auth."user" set two_factor_enabled = true where id = 'dora'`)
  expect(await setOperator(db, 'DORA@example.com', true)).toBeUndefined()
  expect(await operators()).toEqual([{ id: 'dora' }])
  expect(await setOperator(db, 'dora@example.com', false)).toBeUndefined()
  expect(await operators()).toEqual([])
  expect(await setOperator(db, 'nobody@example.com', true)).toBe('not_found')
})

test('an operator always has a second factor', async () => {
  await signUp('otto')
  const isOperator = async () =>
    (await db.selectFrom('auth.user').select('operator').where('id', '=', 'otto').executeTakeFirstOrThrow()).operator
  const addPasskey = (id: string) =>
    web.query(`insert into auth.passkey (id, user_id, public_key, credential_id, counter, device_type, backed_up)
               values ('${id}', 'otto', 'key', '${id}', 0, 'singleDevice', false)`)
  expect(await setOperator(db, 'otto@example.com', true)).toBe('no_second_factor')
  expect(await isOperator()).toBe(false)
  await addPasskey('first')
  expect(await setOperator(db, 'otto@example.com', true)).toBeUndefined()
  await addPasskey('second')
  await web.query(`delete from auth.passkey where id = 'first'`)
  expect(await isOperator()).toBe(true)
  await web.query(`delete from auth.passkey where id = 'second'`)
  expect(await isOperator()).toBe(false)

  await web.query(`update auth."user" set two_factor_enabled = true where id = 'otto'`)
  expect(await isOperator()).toBe(false)
  expect(await setOperator(db, 'otto@example.com', true)).toBeUndefined()
  await web.query(`update auth."user" set two_factor_enabled = false where id = 'otto'`)
  expect(await isOperator()).toBe(false)
})

test('changePlan is recorded in the audit log; an unknown plan or account changes nothing', async () => {
  const accountId = await signUp('emil')
  const change = (plan: string, id = accountId) => changePlan(db, { accountId: id, plan, actor: 'operator' })
  expect(await change('reseller')).toBe(true)
  expect(await change('golden')).toBe(false)
  expect(await change('hobby', 999_999)).toBe(false)
  const log = await db
    .selectFrom('account.audit_log')
    .select(['action', 'detail'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
  expect(log[1]).toEqual({ action: 'plan.changed', detail: { from: 'hobby', to: 'reseller' } })
  expect(log).toHaveLength(2)
})
