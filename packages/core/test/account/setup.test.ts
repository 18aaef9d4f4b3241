import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createAccount } from '@brickmark/core/account/account-commands'
import { findSetupNonce } from '@brickmark/core/account/setup-queries'
import { appointFirstOperator, createUser } from '@brickmark/core/account/user-commands'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { makeOperator } from '@brickmark/tests/support/fixtures'

/** The first operator, as the web application's role may appoint one. */

let database: TestDatabase
let db: Database
let webDatabase: Database

beforeEach(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 2 }))
  webDatabase = openDatabase(openPool(asRole(database.url, 'brickmark_web'), { size: 5 }))
})
afterEach(async () => {
  await webDatabase.destroy()
  await db.destroy()
  await database.drop()
})

/** Returns the token of a session. */
async function signIn(name: string, { secondFactor = true, minutes = 60 } = {}): Promise<string> {
  const accountId = await createAccount(db, { name, plan: 'hobby', actor: 'test' })
  const id = randomUUID()
  await createUser(db, { id, accountId, name, email: `${name}@example.com`, passwordHash: 'x' })
  await db.updateTable('auth.user').set({ two_factor_enabled: true }).where('id', '=', id).execute()
  const now = new Date()
  const expires_at = new Date(now.getTime() + minutes * 60_000)
  const times = { expires_at, created_at: now, updated_at: now }
  const session = { id, user_id: id, token: randomUUID(), second_factor: secondFactor, ...times }
  await db.insertInto('auth.session').values(session).execute()
  return session.token
}

const countOperators = async () =>
  (await db.selectFrom('auth.user').select('id').where('operator', '=', true).execute()).length

test('of several people at once, exactly one becomes the operator, and nobody afterwards', async () => {
  const tokens = await Promise.all(['ann', 'ben', 'cleo', 'dan', 'eve'].map((name) => signIn(name)))
  const results = await Promise.all(tokens.map((token) => appointFirstOperator(webDatabase, token)))
  expect(results.filter(Boolean)).toHaveLength(1)
  expect(await countOperators()).toBe(1)
  expect(await appointFirstOperator(webDatabase, await signIn('finn'))).toBe(false)
  expect(await countOperators()).toBe(1)
})

test('a session that has ended or began without a second factor doesn’t count', async () => {
  expect(await appointFirstOperator(webDatabase, await signIn('ann', { secondFactor: false }))).toBe(false)
  expect(await appointFirstOperator(webDatabase, await signIn('ben', { minutes: -1 }))).toBe(false)
  expect(await appointFirstOperator(webDatabase, randomUUID())).toBe(false)
  expect(await countOperators()).toBe(0)
  expect(await findSetupNonce(webDatabase)).toBeDefined()
})

test('an operator appointed on the command line ends the setup, also when they are revoked', async () => {
  await signIn('ann')
  await makeOperator(db, 'ann@example.com')
  expect(await findSetupNonce(webDatabase)).toBeUndefined()
  await db.updateTable('auth.user').set({ operator: false }).execute()
  expect(await appointFirstOperator(webDatabase, await signIn('ben'))).toBe(false)
})
