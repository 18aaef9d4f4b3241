import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { createAccount } from '@brickmark/core/account/account-commands'
import { createApiKey, replaceApiKey, revokeApiKey } from '@brickmark/core/account/api-key-commands'
import { createDatabase, type TestDatabase } from '@brickmark/tests/support/database'

let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 20, statementTimeoutMs: 20_000 }))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const account = () => createAccount(db, { name: 'test', plan: 'reseller', actor: 'test' })
const create = (accountId: number, expiresAt: Date | null = null, nameOnce = false) =>
  createApiKey(db, {
    accountId,
    name: 'a key',
    requireUniqueName: nameOnce,
    hash: randomBytes(32),
    pepperVersion: 1,
    last4: 'abcd',
    expiresAt,
    actor: 'somebody',
  })

async function createAll(accountId: number, count: number): Promise<number[]> {
  const ids: number[] = []
  for (let created = 0; created < count; created++) {
    const result = await create(accountId)
    if (!result.created) throw new Error(result.reason)
    ids.push(result.id)
  }
  return ids
}

const keysOf = (accountId: number) =>
  db.selectFrom('account.api_key').selectAll().where('account_id', '=', accountId).orderBy('id').execute()

const inPast = () => new Date(Date.now() - 1000)
const rejected = (reason: string) => ({ created: false, reason })

describe('limit of five active keys', () => {
  test('50 concurrent creations leave exactly five keys, each in its own slot', async () => {
    const accountId = await account()
    const results = await Promise.all(Array.from({ length: 50 }, () => create(accountId)))
    expect(results.filter((result) => result.created)).toHaveLength(5)
    expect(results.filter((result) => !result.created)).toEqual(Array(45).fill(rejected('no free slot')))
    const keys = await keysOf(accountId)
    expect(keys.map((key) => Number(key.slot)).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5])
    const { count } = await db
      .selectFrom('account.api_key_directory')
      .where('account_id', '=', accountId)
      .select((e) => e.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(5)
  })

  test('the database enforces the limit by itself', async () => {
    const accountId = await account()
    await createAll(accountId, 5)
    for (const slot of [0, 6]) {
      const values = { account_id: accountId, name: 'x', last4: 'abcd', slot }
      await expect(db.insertInto('account.api_key').values(values).execute()).rejects.toThrow('api_key_slot_check')
    }
    const without = { account_id: accountId, name: 'x', last4: 'abcd' }
    await expect(db.insertInto('account.api_key').values(without).execute()).rejects.toThrow('in_force_has_slot')
    const values = { ...without, slot: 3 }
    await expect(db.insertInto('account.api_key').values(values).execute()).rejects.toThrow('unique')
    const expiring = { ...without, expires_at: new Date(Date.now() + 60_000) }
    await expect(db.insertInto('account.api_key').values(expiring).execute()).rejects.toThrow('one of the five slots')
    const giveUp = db.updateTable('account.api_key').where('account_id', '=', accountId).where('slot', '=', 1)
    await expect(giveUp.set({ slot: null, expires_at: expiring.expires_at }).execute()).rejects.toThrow(
      'one of the five slots',
    )
  })

  test('an expired key frees its slot and stays on record', async () => {
    const accountId = await account()
    await createAll(accountId, 4)
    const expired = await create(accountId, inPast())
    expect(expired.created).toBe(true)
    const next = await create(accountId)
    expect(next).toMatchObject({ created: true })
    expect(await create(accountId)).toEqual(rejected('no free slot'))
    const keys = await keysOf(accountId)
    expect(keys.map((key) => key.slot)).toEqual([1, 2, 3, 4, null, 5])
    expect(keys[4]).toMatchObject({ revoked_at: null })
  })

  test('a key that has not expired yet keeps its slot', async () => {
    const accountId = await account()
    await createAll(accountId, 4)
    await create(accountId, new Date(Date.now() + 60_000))
    expect(await create(accountId)).toEqual(rejected('no free slot'))
  })

  test('slots are per account', async () => {
    const [one, two] = [await account(), await account()]
    await createAll(one, 5)
    expect(await create(two)).toMatchObject({ created: true })
  })
})

describe('a name that must be unique among active keys', () => {
  const createOnce = (accountId: number, expiresAt: Date | null = null) => create(accountId, expiresAt, true)

  test('10 concurrent creations leave one key', async () => {
    const accountId = await account()
    const results = await Promise.all(Array.from({ length: 10 }, () => createOnce(accountId)))
    expect(results.filter((result) => result.created)).toHaveLength(1)
    expect(results.filter((result) => !result.created)).toEqual(Array(9).fill(rejected('name taken')))
    expect(await keysOf(accountId)).toHaveLength(1)
  })

  test('is free again once its key has expired or is revoked, and is free for other accounts', async () => {
    const [one, two] = [await account(), await account()]
    await createOnce(one, inPast())
    const next = await createOnce(one)
    expect(next).toMatchObject({ created: true })
    expect(await createOnce(one)).toEqual(rejected('name taken'))
    expect(await createOnce(two)).toMatchObject({ created: true })
    await revokeApiKey(db, { accountId: one, keyId: (await keysOf(one))[1]!.id, actor: 'somebody' })
    expect(await createOnce(one)).toMatchObject({ created: true })
  })
})

describe('replacement', () => {
  const replace = (accountId: number, keyId: number, overlapMs: number) =>
    replaceApiKey(db, ['pepper'], { accountId, keyId, name: 'a key' }, { overlapMs, expiresAt: null, actor: 'x' })

  test.each([
    ['keeps working', 60_000, 'replaced already'],
    ['stops working immediately', 0, 'no such key'],
  ])('one of five concurrent replacements succeeds; the old key %s', async (_, overlapMs, reason) => {
    const accountId = await account()
    const [keyId] = await createAll(accountId, 1)
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => replace(accountId, keyId!, overlapMs)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ reason })
    expect((await keysOf(accountId)).map(({ name }) => name.replace(/ \(until .*?\)/, ' (until)'))).toEqual([
      overlapMs === 0 ? 'a key' : 'a key (until)',
      'a key',
    ])
  })

  test('a key with its own expiry can still be replaced, but only once', async () => {
    const accountId = await account()
    const key = await create(accountId, new Date(Date.now() + 3_600_000))
    if (!key.created) throw new Error(key.reason)
    const second = await replace(accountId, key.id, 60_000)
    await expect(replace(accountId, key.id, 0)).rejects.toMatchObject({ reason: 'replaced already' })
    expect(await replace(accountId, second.id, 60_000)).toMatchObject({ key: expect.any(String) as string })
  })

  test('without a free slot leaves the old key unchanged, so that it can be replaced later', async () => {
    const accountId = await account()
    const [keyId, other] = await createAll(accountId, 5)
    const before = await keysOf(accountId)
    await expect(replace(accountId, keyId!, 60_000)).rejects.toMatchObject({ reason: 'no free slot' })
    expect(await keysOf(accountId)).toEqual(before)
    await revokeApiKey(db, { accountId, keyId: other!, actor: 'somebody' })
    await replace(accountId, keyId!, 60_000)
  })
})

describe('revocation', () => {
  test('frees the slot only once', async () => {
    const accountId = await account()
    const [, second] = await createAll(accountId, 5)
    const revoke = () => revokeApiKey(db, { accountId, keyId: second!, actor: 'somebody' })
    expect(await revoke()).toBe(true)
    expect(await revoke()).toBe(false)
    const revoked = (await keysOf(accountId))[1]!
    expect(revoked.slot).toBeNull()
    expect(Math.abs(revoked.revoked_at!.getTime() - Date.now())).toBeLessThan(60_000)
    expect(await create(accountId)).toMatchObject({ created: true })
    expect((await keysOf(accountId)).at(-1)?.slot).toBe(2)
    expect(await create(accountId)).toEqual(rejected('no free slot'))
  })

  test('only one of five concurrent revocations succeeds', async () => {
    const accountId = await account()
    const [keyId] = await createAll(accountId, 1)
    const results = await Promise.all(
      Array.from({ length: 5 }, () => revokeApiKey(db, { accountId, keyId: keyId!, actor: 'somebody' })),
    )
    expect(results.filter(Boolean)).toHaveLength(1)
  })

  test('returns false for an unknown key and for a key of another account', async () => {
    const [one, two] = [await account(), await account()]
    const [keyId] = await createAll(one, 1)
    expect(await revokeApiKey(db, { accountId: two, keyId: keyId!, actor: 'somebody' })).toBe(false)
    expect(await revokeApiKey(db, { accountId: one, keyId: keyId! + 1000, actor: 'somebody' })).toBe(false)
    expect((await keysOf(one))[0]).toMatchObject({ revoked_at: null, slot: 1 })
  })
})

describe('limit of ten creations per day', () => {
  async function createAndRevoke(accountId: number, count: number): Promise<void> {
    for (const keyId of await createAll(accountId, count)) await revokeApiKey(db, { accountId, keyId, actor: 'x' })
  }

  test("rejects the eleventh creation even if slots are free; keys from yesterday don't count", async () => {
    const accountId = await account()
    await createAndRevoke(accountId, 5)
    await createAndRevoke(accountId, 5)
    expect(await create(accountId)).toEqual(rejected('too many today'))
    await sql`update account.api_key set created_at = date_trunc('day', now(), 'utc') - interval '1 microsecond'
               where account_id = ${accountId} and id = (select min(id) from account.api_key where account_id = ${accountId})`.execute(
      db,
    )
    expect(await create(accountId)).toMatchObject({ created: true })
    expect(await create(accountId)).toEqual(rejected('too many today'))
  })

  test('after nine creations today, 20 concurrent creations leave one key', async () => {
    const accountId = await account()
    await createAndRevoke(accountId, 5)
    await createAndRevoke(accountId, 4)
    const results = await Promise.all(Array.from({ length: 20 }, () => create(accountId)))
    expect(results.filter((result) => result.created)).toHaveLength(1)
    expect(await keysOf(accountId)).toHaveLength(10)
  })

  test('a rejected creation writes nothing', async () => {
    const accountId = await account()
    await createAll(accountId, 5)
    const before = await auditOf(accountId)
    for (let tries = 0; tries < 3; tries++) expect(await create(accountId)).toEqual(rejected('no free slot'))
    expect(await keysOf(accountId)).toHaveLength(5)
    expect(await auditOf(accountId)).toEqual(before)
  })
})

const auditOf = (accountId: number) =>
  db
    .selectFrom('account.audit_log')
    .select(['actor', 'action', 'detail'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()

test('the audit log records who did what with which key, and never the key itself', async () => {
  const accountId = await account()
  const [keyId] = await createAll(accountId, 1)
  await revokeApiKey(db, { accountId, keyId: keyId!, actor: 'another' })
  await revokeApiKey(db, { accountId, keyId: keyId!, actor: 'late' })
  expect(await auditOf(accountId)).toEqual([
    { actor: 'test', action: 'account.created', detail: { plan: 'reseller' } },
    { actor: 'somebody', action: 'key.created', detail: { key_id: keyId, name: 'a key', last4: 'abcd' } },
    { actor: 'another', action: 'key.revoked', detail: { key_id: keyId, name: 'a key' } },
  ])
})

test('rejects a key for an unknown account', async () => {
  await expect(create(999_999_999)).rejects.toThrow()
})
