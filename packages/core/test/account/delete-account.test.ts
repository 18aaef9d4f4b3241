import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { migrate } from '@brickmark/core/db/migrate'
import { createAccount, deleteAccount } from '@brickmark/core/account/account-commands'
import { deleteExpiredAuthRows, touchSession } from '@brickmark/core/account/session-commands'
import { createUser } from '@brickmark/core/account/user-commands'
import { hashKey } from '@brickmark/core/account/api-key'
import { asRole, createDatabase, inDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { addSet, PEPPER } from '@brickmark/tests/support/fixtures'
import { seedFullAccount, countRowsByTable, findTextAnywhere } from '@brickmark/tests/support/full-account'

/** Deleting an account removes all of its data, requires a recent sign-in, and affects no other account. */

let database: TestDatabase
let db: Database
/** Connected with the web application's role. */
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

async function makeOwner(to: Database) {
  const canary = `canary-${randomUUID().slice(0, 8)}`
  const userId = randomUUID()
  const accountId = await createAccount(to, { name: `Name ${canary}`, plan: 'reseller', actor: 'test' })
  const person = { id: userId, accountId, name: canary, email: `${canary}@example.com`, passwordHash: `hash ${canary}` }
  await createUser(to, person)
  return { accountId, userId, canary, ...(await seedFullAccount(to, { accountId, userId }, canary)) }
}

/** Creates a session that started `ago` minutes ago and lasts `lasts` more; returns its token. */
async function signIn(userId: string, { ago = 0, lasts = 60 } = {}): Promise<string> {
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  const token = randomUUID()
  const times = { created_at: at(-ago), updated_at: at(-ago), expires_at: at(lasts) }
  await db
    .insertInto('auth.session')
    .values({ id: token, user_id: userId, token, ...times })
    .execute()
  return token
}

test('deleting an account removes every row and trace of it and affects no other account', async () => {
  const [deleted, kept] = [await makeOwner(db), await makeOwner(db)]
  const before = await countRowsByTable(db, deleted)
  const empty = Object.keys(before).filter((table) => before[table] === 0)
  expect(empty, 'tables without a row prove nothing: add one in tests/support/full-account.ts').toEqual([])
  const texts = [deleted.canary, deleted.userId, hashKey(deleted.key, PEPPER).toString('hex')]
  expect((await findTextAnywhere(db, texts)).length).toBeGreaterThan(10)
  const others = await countRowsByTable(db, kept)

  expect(await deleteAccount(webDatabase, await signIn(deleted.userId))).toBe(true)

  expect(Object.entries(await countRowsByTable(db, deleted)).filter(([, count]) => count > 0)).toEqual([])
  expect(await findTextAnywhere(db, texts)).toEqual([])
  expect(await countRowsByTable(db, kept)).toEqual(others)
})

describe('deletes nothing', () => {
  test.each([
    ['with a sign-in eleven minutes ago', { ago: 11 }],
    ['with an expired session', { lasts: -1 }],
  ])('%s', async (_, session) => {
    const owner = await makeOwner(db)
    const token = await signIn(owner.userId, session)
    const before = await countRowsByTable(db, owner)
    expect(await deleteAccount(webDatabase, token)).toBe(false)
    expect(await countRowsByTable(db, owner)).toEqual(before)
  })

  test("with a token that isn't a session", async () => {
    const before = await sql<{ count: number }>`select count(*) from account.account`.execute(db)
    for (const token of ['', '%', randomUUID()]) expect(await deleteAccount(webDatabase, token)).toBe(false)
    expect((await sql`select count(*) from account.account`.execute(db)).rows).toEqual(before.rows)
  })

  test('as the API or worker role', async () => {
    for (const role of ['brickmark_api', 'brickmark_worker'] as const) {
      const client = new pg.Client(asRole(database.url, role))
      await client.connect()
      await expect(client.query(`select auth.delete_account('x')`)).rejects.toThrow('permission denied')
      await client.end()
    }
  })
})

test('nightly maintenance removes only the charge that committed after its account was deleted', async () => {
  const [deleted, kept] = [await makeOwner(db), await makeOwner(db)]
  await deleteAccount(webDatabase, await signIn(deleted.userId))
  await sql`
    insert into account.api_key_quota (account_id, api_key_id, day, used, daily_limit, last_cost, last_count, last_granted)
    values (${deleted.accountId}, ${deleted.keyId}, current_date, 1, 1000, 1, 1, 1)`.execute(db)
  await sql`update account.deleted_account set deleted_at = now() - interval '61 minutes'`.execute(db)
  const counts = async () =>
    [deleted, kept].map(async (one) => (await countRowsByTable(db, one))['account.api_key_quota'])
  expect(await Promise.all(await counts())).toEqual([1, 1])
  const worker = new pg.Client(asRole(database.url, 'brickmark_worker'))
  await worker.connect()
  await worker.query('select account.delete_orphans(100)')
  await worker.end()
  expect(await Promise.all(await counts())).toEqual([0, 1])
})

test("deleting an account works if the database owner isn't a superuser, under forced row-level security", async () => {
  const server = new pg.Client(inject('serverUrl'))
  await server.connect()
  const name = `owner_${randomUUID().slice(0, 8)}`
  await server.query(`create role ${name} login password 'test'`)
  await server.query(`create database ${name} owner brickmark_owner`)
  const url = inDatabase(inject('serverUrl').replace(/^(\w+:\/\/)(?:[^@/]*@)?/, `$1${name}:test@`), name)
  await expect(migrate(url)).rejects.toThrow('Migrations run as brickmark_owner')
  await server.query(`grant brickmark_owner to ${name}`)
  await migrate(url)
  const admin = openDatabase(openPool(inDatabase(inject('serverUrl'), name), { size: 1 }))
  const asWeb = openDatabase(openPool(asRole(url, 'brickmark_web'), { size: 1 }))
  try {
    await addSet(admin, { set_number: '90001-1' })
    const owner = await makeOwner(admin)
    expect(await deleteAccount(asWeb, `token ${owner.canary}`)).toBe(true)
    expect(Object.entries(await countRowsByTable(admin, owner)).filter(([, count]) => count > 0)).toEqual([])
  } finally {
    await admin.destroy()
    await asWeb.destroy()
    await server.query(`drop database ${name} with (force)`)
    await server.query(`drop owned by ${name}`)
    await server.query(`drop role ${name}`)
    await server.end()
  }
})

test('removes only expired sessions, secrets, counters and devices, and accounts not confirmed within 48 hours', async () => {
  await deleteExpiredAuthRows(webDatabase)
  const { userId } = await makeOwner(db)
  const [ended, alive] = [await signIn(userId, { lasts: -1 }), await signIn(userId)]
  const secret = (id: string, minutes: number) => {
    const time = new Date(Date.now() + minutes * 60_000)
    return { id, identifier: id, value: id, created_at: time, updated_at: time, expires_at: time }
  }
  await db
    .insertInto('auth.verification')
    .values([secret('old', -1), secret('new', 10)])
    .execute()
  const day = 86_400_000
  await db
    .insertInto('auth.rate_limit')
    .values([
      { id: 'old', key: 'old', count: 1, last_request: Date.now() - 2 * day },
      { id: 'new', key: 'new', count: 1, last_request: Date.now() },
    ])
    .execute()
  await db
    .insertInto('auth.attempt')
    .values([
      { key: 'old', points: 1, expire: Date.now() - 1000 },
      { key: 'new', points: 1, expire: Date.now() + 60_000 },
    ])
    .execute()
  const devices = [366, 364].map((days, n) => ({
    user_id: userId,
    device_hash: Buffer.alloc(32, n),
    last_used_at: new Date(Date.now() - days * day),
  }))
  await db.insertInto('auth.known_device').values(devices).execute()
  const signedUp = (hours: number, email_verified: boolean) => {
    const email = `${hours}-${email_verified}@example.com`
    return { id: email, name: 'Name', email, email_verified, created_at: new Date(Date.now() - hours * 3_600_000) }
  }
  await db
    .insertInto('auth.user')
    .values([signedUp(49, false), signedUp(47, false), signedUp(49, true)] as never)
    .execute()
  const removed = { sessions: 1, secrets: 1, counters: 2, devices: 1, accounts: 1 }
  expect(await deleteExpiredAuthRows(webDatabase)).toEqual(removed)
  const users = await db.selectFrom('auth.user').select('id').where('name', '=', 'Name').orderBy('id').execute()
  expect(users.map(({ id }) => id)).toEqual(['47-false@example.com', '49-true@example.com'])
  const sessions = await db.selectFrom('auth.session').select('token').where('user_id', '=', userId).execute()
  expect(sessions.map(({ token }) => token)).toContain(alive)
  expect(sessions.map(({ token }) => token)).not.toContain(ended)
  expect(await deleteExpiredAuthRows(webDatabase)).toEqual({
    sessions: 0,
    secrets: 0,
    counters: 0,
    devices: 0,
    accounts: 0,
  })
})

test('touchSession updates active sessions but not those idle for over half an hour', async () => {
  const { userId } = await makeOwner(db)
  const seen = async (token: string) => {
    const found = db.selectFrom('auth.session').select('updated_at').where('token', '=', token)
    return Date.now() - (await found.executeTakeFirstOrThrow()).updated_at.getTime()
  }
  const [here, away] = [await signIn(userId, { ago: 29 }), await signIn(userId, { ago: 31 })]
  for (const token of [here, away]) await touchSession(webDatabase, token, 30)
  expect(await seen(here)).toBeLessThan(60_000)
  expect(await seen(away)).toBeGreaterThan(30 * 60_000)
})
