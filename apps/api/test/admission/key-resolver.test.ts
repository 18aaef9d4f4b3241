import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { KeyConcurrencyLimiter } from '../../admission/key-concurrency-limiter.ts'
import { KeyResolver, FailedLookupLimitError } from '../../admission/key-resolver.ts'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { buildKey } from '@brickmark/core/account/api-key'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { createTestAccount, PEPPER } from '@brickmark/tests/support/fixtures'

let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 1 }))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

test('limits unknown keys after 50 failed lookups per address, and never known keys', async () => {
  const pool = openPool(asRole(database.url, 'brickmark_api'), { size: 3 })
  const resolver = new KeyResolver(pool, ['an older pepper, no longer used for new keys', PEPPER])
  const { key, accountId, keyId } = await createTestAccount(db)
  expect(await resolver.resolve(key, { ip: 'a' })).toMatchObject({ accountId, keyId })
  const guess = async () => resolver.resolve(buildKey(randomBytes(20)), { ip: 'a' })
  for (let miss = 0; miss < 50; miss++) expect(await guess()).toBeUndefined()
  // The limit refills a little while this runs.
  const more = await Promise.allSettled(Array.from({ length: 100 }, guess))
  expect(more.filter((result) => result.status === 'fulfilled' && result.value !== undefined)).toEqual([])
  await expect(guess()).rejects.toBeInstanceOf(FailedLookupLimitError)
  expect(await resolver.resolve(buildKey(randomBytes(20)), { ip: 'b' })).toBeUndefined()
  expect(await resolver.resolve(key, { ip: 'a' })).toMatchObject({ accountId, keyId })
  await pool.end()
})

test('guesses at the same time don’t all pass, and addresses of one IPv6 network count together', async () => {
  const pool = openPool(asRole(database.url, 'brickmark_api'), { size: 1 })
  const resolver = new KeyResolver(pool, [PEPPER])
  const results = await Promise.allSettled(
    Array.from({ length: 500 }, async (_, index) =>
      resolver.resolve(buildKey(randomBytes(20)), { ip: `2001:db8:1:2:${index.toString(16)}::1` }),
    ),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(50)
  expect(await resolver.resolve(buildKey(randomBytes(20)), { ip: '2001:db8:1:3::1' })).toBeUndefined()
  await pool.end()
})

test('however many keys are looked up, only one query runs at a time', async () => {
  const pool = openPool(asRole(database.url, 'brickmark_api'), { size: 5 })
  const resolver = new KeyResolver(pool, [PEPPER])
  const accounts = await Promise.all(Array.from({ length: 5 }, () => createTestAccount(db)))
  const found = await Promise.all(
    Array.from({ length: 200 }, async (_, index) =>
      resolver.resolve(index < 5 ? accounts[index]!.key : buildKey(randomBytes(20)), { ip: `10.0.0.${index}` }),
    ),
  )
  expect(found.map((key) => key?.accountId)).toEqual([
    ...accounts.map(({ accountId }) => accountId),
    ...Array.from({ length: 195 }, () => undefined),
  ])
  expect(pool.totalCount).toBe(1)
  await pool.end()
})

test('rejects malformed keys without a query and without counting them', async () => {
  const unreachable = openPool('postgres://nobody@127.0.0.1:1/none')
  const resolver = new KeyResolver(unreachable, [PEPPER])
  for (let tries = 0; tries < 60; tries++) expect(await resolver.resolve('bmk_live_junk', { ip: 'a' })).toBeUndefined()
  await expect(resolver.resolve(buildKey(randomBytes(20)), { ip: 'a' })).rejects.toThrow('ECONNREFUSED')
  await unreachable.end()
})

test('all requests of a key share its state, even those that looked it up at the same time', async () => {
  const pool = openPool(asRole(database.url, 'brickmark_api'), { size: 3 })
  const resolver = new KeyResolver(pool, [PEPPER])
  const { key } = await createTestAccount(db)
  const [first, second] = await Promise.all([1, 2].map(async () => resolver.resolve(key, { ip: 'a' })))
  expect(first).toBeDefined()
  expect(second).toBe(first)
  expect(resolver.resolve(key, { ip: 'a' })).toBe(first)
  await pool.end()
})

test('forgets the oldest key, but none with a request in flight', async () => {
  const pool = openPool(asRole(database.url, 'brickmark_api'), { size: 3 })
  const resolver = new KeyResolver(pool, [PEPPER], { maxCachedKeys: 2 })
  const accounts = await Promise.all([1, 2, 3].map(() => createTestAccount(db)))
  const [busy, idle, third] = accounts.map(({ key }) => key) as [string, string, string]
  const limiter = new KeyConcurrencyLimiter()
  void limiter.acquire((await resolver.resolve(busy, { ip: 'a' }))!, false, 1000)
  await resolver.resolve(idle, { ip: 'a' })
  await resolver.resolve(third, { ip: 'a' })
  const isCached = (key: string) => !(resolver.resolve(key, { ip: 'a' }) instanceof Promise)
  expect([busy, third].map(isCached)).toEqual([true, true])
  expect(isCached(idle)).toBe(false)
  await pool.end()
})
