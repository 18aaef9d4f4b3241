import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openDatabase, openPool, writeAs, type Database } from '@brickmark/core/db/database'
import {
  createAccount,
  deleteAccount,
  setSuspended,
  setSuspendedAsOperator,
} from '@brickmark/core/account/account-commands'
import { createApiKey } from '@brickmark/core/account/api-key-commands'
import { findAccount, findAccounts, findSignals } from '@brickmark/core/account/operator-queries'
import { takeQuotaMail } from '@brickmark/core/account/quota-mail-commands'
import { createUser, setOperator } from '@brickmark/core/account/user-commands'
import { takeDueMail } from '@brickmark/core/alert/due-mail-commands'
import { claimEndpoints, findDueDeliveries } from '@brickmark/core/webhook/delivery-commands'
import { findWebhookBacklog } from '@brickmark/core/webhook/delivery-queries'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { addSet, makeOperator } from '@brickmark/tests/support/fixtures'
import { seedFullAccount } from '@brickmark/tests/support/full-account'

/** Suspended accounts, as the roles of the web application and of the worker see them. */

let database: TestDatabase
let db: Database
let webDatabase: Database
let workerDatabase: Database
let olga: Person

type Person = { accountId: number; userId: string; email: string; token: string }

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 10, statementTimeoutMs: 20_000 }))
  webDatabase = openDatabase(openPool(asRole(database.url, 'brickmark_web'), { size: 10, statementTimeoutMs: 20_000 }))
  workerDatabase = openDatabase(openPool(asRole(database.url, 'brickmark_worker'), { size: 2 }))
  await addSet(db, { set_number: '90001-1' })
  olga = await signUp()
  await makeOperator(db, olga.email)
})
afterAll(async () => {
  await workerDatabase.destroy()
  await webDatabase.destroy()
  await db.destroy()
  await database.drop()
})

async function signUp(): Promise<Person> {
  const userId = randomUUID()
  const email = `${userId.slice(0, 8)}@example.com`
  const accountId = await createAccount(db, { name: 'Robin', plan: 'reseller', actor: 'test' })
  await createUser(db, { id: userId, accountId, name: 'Robin', email, passwordHash: 'x' })
  const now = new Date()
  const session = { id: userId, user_id: userId, token: randomUUID(), created_at: now, updated_at: now }
  await db
    .insertInto('auth.session')
    .values({ ...session, expires_at: new Date(now.getTime() + 3_600_000), second_factor: true })
    .execute()
  return { accountId, userId, email, token: session.token }
}

const suspend = ({ accountId }: { accountId: number }, reason = 'Chargeback') =>
  setSuspended(db, { accountId, suspend: true, reason })
const restore = ({ accountId }: { accountId: number }, reason = 'Settled') =>
  setSuspended(db, { accountId, suspend: false, reason })

function createKey(on: Database, accountId: number) {
  const hash = randomBytes(32)
  const key = { accountId, name: hash.toString('hex'), hash, pepperVersion: 1, last4: 'abcd', expiresAt: null }
  return createApiKey(on, { ...key, actor: 'owner' })
}

/** The flag of the account, and those of its keys and its user. */
async function flags(accountId: number): Promise<{ account: boolean; copies: boolean[] }> {
  const { rows } = await sql<{ account: boolean; copies: boolean[] }>`
    select a.suspended as account, array(select k.suspended from account.api_key k where k.account_id = a.id)
             || array(select u.suspended from auth."user" u where u.account_id = a.id) as copies
      from account.account a where a.id = ${accountId}`.execute(db)
  return rows[0]!
}

const logOf = async (accountId: number, action: string) =>
  (await logEntries(accountId)).filter((entry) => entry.action === action)
const logEntries = (accountId: number) =>
  db
    .selectFrom('account.audit_log')
    .select(['actor', 'action', 'detail'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()

/** Every row of an account, except the log. */
async function everything(accountId: number): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', c.table_schema, c.table_name) as name
      from information_schema.columns c join pg_class t on t.oid = format('%I.%I', c.table_schema, c.table_name)::regclass
     where c.column_name = 'account_id' and c.table_schema in ('account', 'alert', 'portfolio', 'webhook')
       and not t.relispartition and t.relkind in ('r', 'p') and c.table_name <> 'audit_log'`.execute(db)
  const contents: Record<string, unknown[]> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ row: unknown }>`
      select to_jsonb(t) as row from ${sql.table(name)} t where account_id = ${accountId} order by to_jsonb(t)::text`.execute(
      db,
    )
    contents[name] = rows.map(({ row }) => row)
  }
  return contents
}

test('suspends and restores once; restoring leaves every row as it was', async () => {
  const person = await signUp()
  await seedFullAccount(db, person, 'canary')
  const before = await everything(person.accountId)
  expect(Object.values(before).filter((rows) => rows.length > 0).length).toBeGreaterThan(20)

  expect(await suspend(person)).toBe('done')
  expect(await flags(person.accountId)).toEqual({ account: true, copies: [true, true] })
  expect(await suspend(person)).toBe('unchanged')
  expect(await restore(person)).toBe('done')
  expect(await flags(person.accountId)).toEqual({ account: false, copies: [false, false] })
  expect(await restore(person)).toBe('unchanged')

  expect(await everything(person.accountId)).toEqual(before)
  const log = (await logEntries(person.accountId)).slice(-2)
  expect(log).toEqual([
    { actor: 'operator', action: 'account.suspended', detail: { reason: 'Chargeback' } },
    { actor: 'operator', action: 'account.restored', detail: { reason: 'Settled' } },
  ])
})

test('a reason is required, and the account must exist', async () => {
  const person = await signUp()
  for (const reason of ['', '  ', 'x'.repeat(501)]) await expect(suspend(person, reason)).rejects.toThrow('reason')
  expect(await flags(person.accountId)).toMatchObject({ account: false })
  expect(await suspend({ accountId: 999_999 })).toBe('not_found')
})

describe('operators', () => {
  const asOperator = ({ token }: Person, { accountId }: Person, on = true) =>
    setSuspendedAsOperator(webDatabase, token, { accountId, suspend: on, reason: 'Stolen password' })

  test('both logs say who suspended whom and why', async () => {
    const person = await signUp()
    expect(await asOperator(olga, person)).toBe('done')
    expect(await asOperator(olga, person, false)).toBe('done')
    const [suspended] = await logOf(person.accountId, 'account.suspended')
    expect(suspended).toEqual({
      actor: 'operator',
      action: 'account.suspended',
      detail: { reason: 'Stolen password', by_account: olga.accountId },
    })
    for (const action of ['operator.suspended-account', 'operator.restored-account']) {
      expect(await logOf(olga.accountId, action)).toEqual([
        { actor: 'owner', action, detail: { reason: 'Stolen password', of_account: person.accountId } },
      ])
    }
  })

  test('others can’t suspend anybody, and the web role can’t set the flags', async () => {
    const [person, victim] = [await signUp(), await signUp()]
    await expect(asOperator(person, victim)).rejects.toThrow('Only operators may do this')
    const direct = sql`select account.set_suspended(${victim.accountId}, true, 'x', null)`
    await expect(direct.execute(webDatabase)).rejects.toThrow('permission denied')
    await createKey(db, person.accountId)
    await suspend(person)
    for (const table of ['account.account', 'account.api_key'])
      await expect(
        writeAs(webDatabase, person.accountId, (tx) =>
          sql`update ${sql.table(table)} set suspended = false`.execute(tx),
        ),
      ).rejects.toThrow('permission denied')
    await expect(sql`update auth."user" set suspended = false`.execute(webDatabase)).rejects.toThrow(
      'permission denied',
    )
  })

  test('can’t suspend themself or the last operator; a suspended one is none', async () => {
    expect(await asOperator(olga, olga)).toBe('self')
    expect(await suspend(olga)).toBe('last_operator')
    const paul = await signUp()
    await makeOperator(db, paul.email)
    expect(await asOperator(paul, olga)).toBe('done')
    await expect(asOperator(olga, paul)).rejects.toThrow('Only operators may do this')
    expect(await suspend(paul)).toBe('last_operator')
    expect(await asOperator(paul, olga, false)).toBe('done')
    olga.token = await newSession(olga)
    await setOperator(db, paul.email, false)
  })

  test('two who suspend each other at the same time don’t both succeed', async () => {
    for (let round = 0; round < 10; round++) {
      const [ann, ben] = [await signUp(), await signUp()]
      await setOperator(db, olga.email, false)
      await makeOperator(db, ann.email)
      await makeOperator(db, ben.email)
      const outcomes = await Promise.all(
        [asOperator(ann, ben), asOperator(ben, ann)].map((outcome) => outcome.catch((error: Error) => error.message)),
      )
      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
      await makeOperator(db, olga.email)
      for (const { email } of [ann, ben]) await setOperator(db, email, false)
    }
  })
})

async function newSession({ userId }: Person): Promise<string> {
  const [now, token] = [new Date(), randomUUID()]
  const times = { created_at: now, updated_at: now, expires_at: new Date(now.getTime() + 3_600_000) }
  await db
    .insertInto('auth.session')
    .values({ id: token, user_id: userId, token, second_factor: true, ...times })
    .execute()
  return token
}

test('a session from before a suspension doesn’t come back, and deletes no suspended account', async () => {
  const person = await signUp()
  const sessions = () => db.selectFrom('auth.session').select('token').where('user_id', '=', person.userId).execute()
  await suspend(person)
  expect(await deleteAccount(webDatabase, person.token)).toBe(false)
  expect(await findAccount(webDatabase, olga.token, person.accountId)).toMatchObject({ signed_in_at: null })
  await restore(person)
  expect(await sessions()).toEqual([])
})

describe('a key that is created meanwhile', () => {
  test('is suspended too, however they overlap', async () => {
    for (let round = 0; round < 20; round++) {
      const { accountId } = await signUp()
      await Promise.all([
        createKey(db, accountId),
        writeAs(webDatabase, accountId, (tx) => createKey(tx, accountId)),
        suspend({ accountId }),
        createKey(db, accountId),
      ])
      expect(await flags(accountId)).toEqual({ account: true, copies: [true, true, true, true] })
    }
  })

  test('is waited for, even without the lock of a key’s creation', async () => {
    const { accountId } = await signUp()
    const client = new pg.Client(database.url)
    await client.connect()
    await client.query('begin')
    await client.query("insert into account.api_key (account_id, name, last4, slot) values ($1, 'k', 'abcd', 1)", [
      accountId,
    ])
    const suspended = suspend({ accountId })
    // It waits for the transaction; without the lock it would be done by now.
    expect(await Promise.race([suspended, sleep(500)])).toBeUndefined()
    await client.query('commit')
    expect(await suspended).toBe('done')
    await client.end()
    expect(await flags(accountId)).toEqual({ account: true, copies: [true, true] })
  })

  test('works after restoring, like a user who was added meanwhile', async () => {
    const accountId = await createAccount(db, { name: 'x', plan: 'reseller', actor: 'test' })
    await suspend({ accountId })
    await createKey(db, accountId)
    const userId = randomUUID()
    await createUser(db, { id: userId, accountId, name: 'x', email: `${userId}@example.com`, passwordHash: 'x' })
    expect(await flags(accountId)).toEqual({ account: true, copies: [true, true] })
    await restore({ accountId })
    expect(await flags(accountId)).toEqual({ account: false, copies: [false, false] })
  })
})

test('mail and webhooks wait while an account is suspended, and are sent after it is restored', async () => {
  const person = await signUp()
  const { accountId } = person
  await seedFullAccount(db, person, 'waits')
  await sql`update alert.mail_schedule set due_at = now() where account_id = ${accountId}`.execute(db)
  await sql`update alert.mail_settings set quota_mail = true where account_id = ${accountId}`.execute(db)
  await sql`update account.api_key_quota set used = 1000 where account_id = ${accountId}`.execute(db)
  await sql`update webhook.delivery set status = 'waiting', next_attempt_at = now() where account_id = ${accountId}`.execute(
    db,
  )
  await sql`update webhook.endpoint set next_attempt_at = now() where account_id = ${accountId}`.execute(db)
  const endpoint = await db
    .selectFrom('webhook.endpoint')
    .select('id as endpointId')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  const due = async () => ({
    alerts: (await takeDueMail(webDatabase, 10)).length,
    credits: (await takeQuotaMail(webDatabase, 10)).length,
    deliveries: (await findDueDeliveries(workerDatabase, { accountId, ...endpoint }, 10)).length,
    backlog: (await findWebhookBacklog(workerDatabase)).endpoints,
    endpoints: (await claimEndpoints(workerDatabase, 10, 60)).length,
  })
  await suspend(person)
  expect(await due()).toEqual({ alerts: 0, credits: 0, deliveries: 0, backlog: 0, endpoints: 0 })
  await restore(person)
  expect(await due()).toEqual({ alerts: 1, credits: 1, deliveries: 1, backlog: 1, endpoints: 1 })
})

describe('what an operator sees', () => {
  test('since when and why an account is suspended, and a list of those that are', async () => {
    const person = await signUp()
    const others = await findAccounts(webDatabase, olga.token, { search: '', onlySuspended: true, limit: 100 })
    expect(others.accounts.map(({ account_id }) => account_id)).not.toContain(person.accountId)
    await suspend(person, 'First')
    await restore(person)
    await suspend(person, 'Second')
    const found = await findAccounts(webDatabase, olga.token, {
      search: person.email,
      onlySuspended: true,
      limit: 100,
    })
    expect(found.accounts).toMatchObject([{ account_id: person.accountId, suspension_reason: 'Second' }])
    expect(found.accounts[0]!.suspended_at!.getTime()).toBeGreaterThan(Date.now() - 60_000)
    await restore(person)
    expect(await findAccount(webDatabase, olga.token, person.accountId)).toMatchObject({
      suspended_at: null,
      suspension_reason: null,
    })
  })

  const signalsOf = ({ accountId }: Person) => findSignals(webDatabase, olga.token, [accountId])

  test('signals with their number and when they were last seen; none of other accounts', async () => {
    const [person, quiet] = [await signUp(), await signUp()]
    expect(await signalsOf(person)).toEqual([])
    const device = (daysAgo: number) =>
      sql`insert into account.audit_log (account_id, actor, action, at)
          values (${person.accountId}, 'owner', 'sign-in.new-device', now() - make_interval(days => ${daysAgo}))`.execute(
        db,
      )
    // The first one of an account isn't news, and neither is one from long ago.
    await device(3)
    expect(await signalsOf(person)).toEqual([])
    await device(8)
    expect(await signalsOf(person)).toEqual([])
    await device(1)
    await device(0)
    await sql`insert into alert.mail_settings (account_id, bounced_at) values (${person.accountId}, now() - interval '40 days')`.execute(
      db,
    )
    const created = await createKey(db, person.accountId)
    const keyId = created.created ? created.id : 0
    const requests = (status: number, daysAgo: number, count: number) =>
      sql`insert into account.api_key_usage (account_id, api_key_id, day, status, requests)
          values (${person.accountId}, ${keyId}, (now() at time zone 'utc')::date - ${daysAgo}::integer, ${status}, ${count})`.execute(
        db,
      )
    await requests(200, 0, 999)
    await requests(429, 0, 5)
    await requests(429, 6, 7)
    await requests(429, 7, 100)
    await requests(401, 2, 3)
    await requests(503, 1, 4)
    const [own, all] = [
      await signalsOf(person),
      await findSignals(webDatabase, olga.token, [person.accountId, quiet.accountId]),
    ]
    expect(all).toEqual(own)
    expect(Object.fromEntries(own.map(({ signal, count }) => [signal, count]))).toEqual({
      new_devices: 2,
      quota_exceeded: 12,
      shed: 4,
      ended_keys: 3,
      mail_bounced: 1,
    })
    const latest = own.find(({ signal }) => signal === 'new_devices')!
    expect(Date.now() - latest.last_at.getTime()).toBeLessThan(60_000)
    const refused = own.find(({ signal }) => signal === 'quota_exceeded')!
    expect(refused.last_at.toISOString().slice(0, 10)).toBe(new Date().toISOString().slice(0, 10))
    expect(own.at(-1)!.signal).toBe('mail_bounced')
    await expect(findSignals(webDatabase, person.token, [person.accountId])).rejects.toThrow(
      'Only operators may do this',
    )
  })
})
