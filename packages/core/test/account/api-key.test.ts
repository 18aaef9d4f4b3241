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
  for (let made = 0; made < count; made++) {
    const result = await create(accountId)
    if (!result.created) throw new Error(result.reason)
    ids.push(result.id)
  }
  return ids
}

const keysOf = (accountId: number) =>
  db.selectFrom('account.api_key').selectAll().where('account_id', '=', accountId).orderBy('id').execute()

const inPast = () => new Date(Date.now() - 1000)
const refused = (reason: string) => ({ created: false, reason })

describe('five active keys', () => {
  test('50 creations at once leave exactly five, each in its own slot', async () => {
    const accountId = await account()
    const results = await Promise.all(Array.from({ length: 50 }, () => create(accountId)))
    expect(results.filter((result) => result.created)).toHaveLength(5)
    expect(results.filter((result) => !result.created)).toEqual(Array(45).fill(refused('no free slot')))
    const keys = await keysOf(accountId)
    expect(keys.map((key) => Number(key.slot)).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5])
    const { count } = await db
      .selectFrom('account.api_key_directory')
      .where('account_id', '=', accountId)
      .select((e) => e.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(5)
  })

  test('the database holds the five, whatever the code does', async () => {
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
  })

  test('an expired key leaves its slot to the next one and stays on record', async () => {
    const accountId = await account()
    await createAll(accountId, 4)
    const expired = await create(accountId, inPast())
    expect(expired.created).toBe(true)
    const next = await create(accountId)
    expect(next).toMatchObject({ created: true })
    expect(await create(accountId)).toEqual(refused('no free slot'))
    const keys = await keysOf(accountId)
    expect(keys.map((key) => key.slot)).toEqual([1, 2, 3, 4, null, 5])
    expect(keys[4]).toMatchObject({ revoked_at: null })
  })

  test('a key that will expire still holds its slot', async () => {
    const accountId = await account()
    await createAll(accountId, 4)
    await create(accountId, new Date(Date.now() + 60_000))
    expect(await create(accountId)).toEqual(refused('no free slot'))
  })

  test('another account has slots of its own', async () => {
    const [one, two] = [await account(), await account()]
    await createAll(one, 5)
    expect(await create(two)).toMatchObject({ created: true })
  })
})

describe('a name that may be active once', () => {
  const createOnce = (accountId: number, expiresAt: Date | null = null) => create(accountId, expiresAt, true)

  test('10 creations at once leave one', async () => {
    const accountId = await account()
    const results = await Promise.all(Array.from({ length: 10 }, () => createOnce(accountId)))
    expect(results.filter((result) => result.created)).toHaveLength(1)
    expect(results.filter((result) => !result.created)).toEqual(Array(9).fill(refused('name taken')))
    expect(await keysOf(accountId)).toHaveLength(1)
  })

  test('is free again once its key has expired or is revoked, and is free for another account', async () => {
    const [one, two] = [await account(), await account()]
    await createOnce(one, inPast())
    const next = await createOnce(one)
    expect(next).toMatchObject({ created: true })
    expect(await createOnce(one)).toEqual(refused('name taken'))
    expect(await createOnce(two)).toMatchObject({ created: true })
    await revokeApiKey(db, { accountId: one, keyId: (await keysOf(one))[1]!.id, actor: 'somebody' })
    expect(await createOnce(one)).toMatchObject({ created: true })
  })
})

describe('replacement', () => {
  const replace = (accountId: number, keyId: number, overlapMs: number) =>
    replaceApiKey(db, ['pepper'], { accountId, keyId, name: 'a key' }, { overlapMs, expiresAt: null, actor: 'x' })

  test.each([
    ['works on', 60_000, 'replaced already'],
    ['ends at once', 0, 'no such key'],
  ])('of five at once one succeeds; the old key %s', async (_, overlapMs, reason) => {
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

  test('a key with an end of its own was not replaced', async () => {
    const accountId = await account()
    const made = await create(accountId, new Date(Date.now() + 3_600_000))
    if (!made.created) throw new Error(made.reason)
    const second = await replace(accountId, made.id, 60_000)
    await expect(replace(accountId, made.id, 0)).rejects.toMatchObject({ reason: 'replaced already' })
    expect(await replace(accountId, second.id, 60_000)).toMatchObject({ key: expect.any(String) as string })
  })

  test('that finds no free slot leaves the old key as it was, and it can be replaced later', async () => {
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
  test('frees the slot, once', async () => {
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
    expect(await create(accountId)).toEqual(refused('no free slot'))
  })

  test('of two at once one succeeds', async () => {
    const accountId = await account()
    const [keyId] = await createAll(accountId, 1)
    const results = await Promise.all(
      Array.from({ length: 5 }, () => revokeApiKey(db, { accountId, keyId: keyId!, actor: 'somebody' })),
    )
    expect(results.filter(Boolean)).toHaveLength(1)
  })

  test('false for a key that does not exist or is of another account', async () => {
    const [one, two] = [await account(), await account()]
    const [keyId] = await createAll(one, 1)
    expect(await revokeApiKey(db, { accountId: two, keyId: keyId!, actor: 'somebody' })).toBe(false)
    expect(await revokeApiKey(db, { accountId: one, keyId: keyId! + 1000, actor: 'somebody' })).toBe(false)
    expect((await keysOf(one))[0]).toMatchObject({ revoked_at: null, slot: 1 })
  })
})

describe('ten creations a day', () => {
  async function createAndRevoke(accountId: number, count: number): Promise<void> {
    for (const keyId of await createAll(accountId, count)) await revokeApiKey(db, { accountId, keyId, actor: 'x' })
  }

  test('the eleventh is refused, though slots are free; yesterday does not count', async () => {
    const accountId = await account()
    await createAndRevoke(accountId, 5)
    await createAndRevoke(accountId, 5)
    expect(await create(accountId)).toEqual(refused('too many today'))
    await sql`update account.api_key set created_at = date_trunc('day', now(), 'utc') - interval '1 microsecond'
               where account_id = ${accountId} and id = (select min(id) from account.api_key where account_id = ${accountId})`.execute(
      db,
    )
    expect(await create(accountId)).toMatchObject({ created: true })
    expect(await create(accountId)).toEqual(refused('too many today'))
  })

  test('20 creations at once over nine of today leave one', async () => {
    const accountId = await account()
    await createAndRevoke(accountId, 5)
    await createAndRevoke(accountId, 4)
    const results = await Promise.all(Array.from({ length: 20 }, () => create(accountId)))
    expect(results.filter((result) => result.created)).toHaveLength(1)
    expect(await keysOf(accountId)).toHaveLength(10)
  })

  test('a refused creation is none: it writes nothing', async () => {
    const accountId = await account()
    await createAll(accountId, 5)
    const before = await auditOf(accountId)
    for (let tries = 0; tries < 3; tries++) expect(await create(accountId)).toEqual(refused('no free slot'))
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

test('everything done to an account is on record: who, what, which key, and never the key', async () => {
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

test('an account that does not exist gets no key', async () => {
  await expect(create(999_999_999)).rejects.toThrow()
})
