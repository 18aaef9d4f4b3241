import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
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
  expect(await resolver.resolve(key, { ip: 'a' })).toEqual({ accountId, keyId })
  const guess = async () => resolver.resolve(buildKey(randomBytes(20)), { ip: 'a' })
  for (let miss = 0; miss < 50; miss++) expect(await guess()).toBeUndefined()
  // The limit refills a little while this runs.
  const more = await Promise.allSettled(Array.from({ length: 100 }, guess))
  expect(more.filter((result) => result.status === 'fulfilled' && result.value !== undefined)).toEqual([])
  await expect(guess()).rejects.toBeInstanceOf(FailedLookupLimitError)
  expect(await resolver.resolve(buildKey(randomBytes(20)), { ip: 'b' })).toBeUndefined()
  expect(await resolver.resolve(key, { ip: 'a' })).toEqual({ accountId, keyId })
  await pool.end()
})

test('rejects malformed keys without a query and without counting them', async () => {
  const unreachable = openPool('postgres://nobody@127.0.0.1:1/none')
  const resolver = new KeyResolver(unreachable, [PEPPER])
  for (let tries = 0; tries < 60; tries++) expect(await resolver.resolve('bmk_live_junk', { ip: 'a' })).toBeUndefined()
  await expect(resolver.resolve(buildKey(randomBytes(20)), { ip: 'a' })).rejects.toThrow('ECONNREFUSED')
  await unreachable.end()
})
