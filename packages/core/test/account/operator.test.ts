import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import {
  findAccount,
  findAccounts,
  findDataFreshness,
  findJobs,
  findSignals,
  findQuarantinedRows,
} from '@brickmark/core/account/operator-queries'
import { changePlanAsOperator, createAccount, setSuspendedAsOperator } from '@brickmark/core/account/account-commands'
import { createUser, setOperator } from '@brickmark/core/account/user-commands'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { addSet, addValue, createTestAccount, makeOperator } from '@brickmark/tests/support/fixtures'
import { withQueue } from '@brickmark/tests/support/queue'

/** Operator queries and commands, run with the web application's role. The database rejects all other users. */

let database: TestDatabase
let db: Database
let webDatabase: Database
/** Session tokens of an operator and of a regular user. */
let token: string
let userToken: string

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 2 }))
  webDatabase = openDatabase(openPool(asRole(database.url, 'brickmark_web'), { size: 2, pipelined: true }))
  userToken = (await signedUp('ann')).token
  token = (await signedUp('olga')).token
  await makeOperator(db, 'olga@example.com')
})
afterAll(async () => {
  await webDatabase.destroy()
  await db.destroy()
  await database.drop()
})

async function signedUp(name: string, lastsMinutes = 60, second_factor = true) {
  const accountId = await createAccount(db, { name, plan: 'hobby', actor: 'test' })
  const userId = randomUUID()
  await createUser(db, { id: userId, accountId, name, email: `${name}@example.com`, passwordHash: 'x' })
  const now = new Date()
  const expires_at = new Date(now.getTime() + lastsMinutes * 60_000)
  const session = { id: userId, user_id: userId, token: randomUUID(), expires_at, created_at: now, updated_at: now }
  await db
    .insertInto('auth.session')
    .values({ ...session, second_factor })
    .execute()
  return { accountId, token: session.token }
}

const page = { search: '', limit: 50 }
const quarantinePage = { feed: '', limit: 50, offset: 0 }
const OPERATOR_CALLS: [string, (token: string) => Promise<unknown>][] = [
  ['accounts', (tx) => findAccounts(webDatabase, tx, page)],
  ['one account', (tx) => findAccount(webDatabase, tx, 1)],
  ['signals', (tx) => findSignals(webDatabase, tx, [1])],
  ['suspensions', (tx) => setSuspendedAsOperator(webDatabase, tx, { accountId: 999_999, suspend: true, reason: 'x' })],
  ['plan changes', (tx) => changePlanAsOperator(webDatabase, tx, { accountId: 1, plan: 'reseller' })],
  ['freshness', (tx) => findDataFreshness(webDatabase, tx)],
  ['jobs', (tx) => findJobs(webDatabase, tx)],
  ['the quarantine', (tx) => findQuarantinedRows(webDatabase, tx, quarantinePage)],
]

describe.each(OPERATOR_CALLS)('%s', (_, call) => {
  test("rejects users who aren't operators", async () => {
    await expect(call(userToken)).rejects.toThrow('Only operators may do this')
    await expect(call('')).rejects.toThrow('Only operators may do this')
    await expect(call(randomUUID())).rejects.toThrow('Only operators may do this')
    await call(token)
  })

  test('rejects an operator who signed in with a password alone', async () => {
    const name = `weak-${randomUUID()}`
    const weak = await signedUp(name, 60, false)
    await makeOperator(db, `${name}@example.com`)
    await expect(call(weak.token)).rejects.toThrow('Only operators may do this')
  })

  test('rejects an expired session and a user who is no longer an operator', async () => {
    const name = `former-${randomUUID().slice(0, 8)}`
    const expired = await signedUp(`late-${name}`, -1)
    await makeOperator(db, `late-${name}@example.com`)
    await expect(call(expired.token)).rejects.toThrow('Only operators may do this')
    const former = await signedUp(name)
    await makeOperator(db, `${name}@example.com`)
    await call(former.token)
    await setOperator(db, `${name}@example.com`, false)
    await expect(call(former.token)).rejects.toThrow('Only operators may do this')
  })
})

test("findAccounts searches by name, email and number and returns today's usage", async () => {
  const { accountId, keyId } = await createTestAccount(db)
  await db
    .insertInto('account.api_key_quota')
    .values({
      account_id: accountId,
      api_key_id: keyId,
      day: new Date().toISOString().slice(0, 10),
      used: 12,
      daily_limit: 1000,
      last_cost: 1,
      last_count: 1,
      last_granted: 1,
    })
    .execute()
  const found = await findAccounts(webDatabase, token, { ...page, search: String(accountId) })
  // A name or an email may contain these digits too.
  const byNumber = found.accounts.find(({ account_id }) => account_id === accountId)
  expect(byNumber).toMatchObject({ email: null, active_keys: 1, used_today: 12 })
  expect((await findAccounts(webDatabase, token, { ...page, search: 'OLGA@' })).accounts).toMatchObject([
    { operator: true },
  ])
  expect(
    (await findAccounts(webDatabase, token, { ...page, search: 'ann' })).accounts.map(({ name }) => name),
  ).toContain('ann')
  expect(await findAccounts(webDatabase, token, { ...page, search: '%' })).toEqual({ accounts: [], hasMore: false })
  const all = await findAccounts(webDatabase, token, page)
  const [newest, second] = all.accounts.map(({ account_id }) => account_id)
  const secondPage = await findAccounts(webDatabase, token, { ...page, limit: 1, beforeId: newest })
  expect(secondPage).toMatchObject({ accounts: [{ account_id: second }], hasMore: true })
  const oldest = all.accounts.at(-1)!.account_id
  expect(await findAccounts(webDatabase, token, { ...page, beforeId: oldest })).toEqual({
    accounts: [],
    hasMore: false,
  })
})

test('changePlanAsOperator changes a plan once, and the audit log identifies the operator by account id', async () => {
  const { accountId } = await signedUp('paul')
  const change = (plan: string, id = accountId) => changePlanAsOperator(webDatabase, token, { accountId: id, plan })
  expect(await change('reseller')).toBe(true)
  expect(await change('reseller')).toBe(false)
  expect(await change('golden')).toBe(false)
  expect(await change('hobby', 999_999)).toBe(false)
  expect(await findAccount(webDatabase, token, accountId)).toMatchObject({ plan: 'reseller' })
  const log = await db
    .selectFrom('account.audit_log')
    .select(['actor', 'action', 'detail'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
  const olga = (await findAccounts(webDatabase, token, { ...page, search: 'olga' })).accounts[0]!
  expect(log.slice(1)).toEqual([
    {
      actor: 'operator',
      action: 'plan.changed',
      detail: { from: 'hobby', to: 'reseller', by_account: olga.account_id },
    },
  ])
})

test('findDataFreshness returns the latest file per feed, the sources, the backlog and the latest value', async () => {
  const nothing = await findDataFreshness(webDatabase, token)
  expect(nothing.feeds.map(({ feed, file_name }) => [feed, file_name])).toEqual([
    ['catalog', null],
    ['sales', null],
    ['returns', null],
    ['retail', null],
  ])
  const file = { feed: 'sales', fingerprint: '', repeated: 1, quarantined: 2 }
  await db
    .insertInto('source.import')
    .values([
      { ...file, file_name: 'monday.csv', accepted: 10, finished_at: new Date(Date.now() - 3 * 86_400_000) },
      { ...file, file_name: 'tuesday.csv', accepted: 20 },
    ])
    .execute()
  await db.insertInto('source.license').values({ id: 'l', terms: 't' }).execute()
  await db.insertInto('source.source').values({ id: 'shop', name: 'Shop', license_id: 'l' }).execute()
  await db.insertInto('source.poll_cursor').values({ source_id: 'shop' }).execute()
  await db.insertInto('source.valuation_queue').values({ item_kind: 'set', item_number: '90001-1' }).execute()
  await addSet(db, { set_number: '90001-1' })
  await addValue(db, { set_number: '90001-1', calculated_at: '2026-01-02T03:04:05Z' })
  const { feeds, sources, backlog, market } = await findDataFreshness(webDatabase, token)
  expect(feeds[1]).toMatchObject({ file_name: 'tuesday.csv', accepted: 20, files_today: 1, accepted_today: 20 })
  expect(sources).toMatchObject([{ source_id: 'shop', license_id: 'l', polled_at: expect.any(Date) as Date }])
  expect(backlog).toMatchObject({ items: 1, products: 0, products_since: null })
  expect(market.values_at?.toISOString()).toBe('2026-01-02T03:04:05.000Z')
})

test('findJobs is empty before a worker has run, then reports waiting, failed and completed jobs', async () => {
  expect(await findJobs(webDatabase, token)).toEqual([])
  await withQueue(database.url, async (boss) => {
    await boss.createQueue('nightly', { retryLimit: 0 })
    await boss.schedule('nightly', '5 0 * * *', null, { tz: 'UTC' })
    const begin = async () => {
      await boss.send('nightly', {})
      return (await boss.fetch('nightly'))[0]!.id
    }
    await boss.complete('nightly', await begin())
    await boss.fail('nightly', await begin(), new Error('the disk is full'))
    await boss.send('nightly', {})
  })
  const jobs = await findJobs(webDatabase, token)
  expect(jobs).toMatchObject([
    { name: 'nightly', schedule: '5 0 * * *', waiting: 1, active: 0, failed: 1, failure: 'the disk is full' },
  ])
  expect(jobs[0]!.done_at).toBeInstanceOf(Date)
  expect(jobs[0]!.failed_at).toBeInstanceOf(Date)
})

test('findQuarantinedRows returns location and reason, but not the contents of a row', async () => {
  const { id: import_id } = await db
    .insertInto('source.import')
    .values({ feed: 'retail', file_name: 'prices.csv', fingerprint: '', accepted: 0, repeated: 0, quarantined: 3 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const row = { import_id, feed: 'retail', reason: 'no such product', raw: 'licensed canary' }
  await db
    .insertInto('source.quarantine')
    .values([
      { ...row, row_number: 1 },
      { ...row, row_number: 2 },
      { ...row, row_number: 3, retried_at: new Date() },
    ])
    .execute()
  const found = await findQuarantinedRows(webDatabase, token, { feed: 'retail', limit: 1, offset: 0 })
  expect(found).toMatchObject({
    total: 2,
    rows: [{ row_number: 2, file_name: 'prices.csv', reason: 'no such product' }],
  })
  expect(JSON.stringify(found)).not.toContain('canary')
  expect(await findQuarantinedRows(webDatabase, token, { feed: 'sales', limit: 1, offset: 0 })).toEqual({
    rows: [],
    total: 0,
  })
})
