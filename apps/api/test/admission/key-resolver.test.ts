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

test('a known key is never held up, an unknown one only after 50 misses of its address', async () => {
  const pool = openPool(asRole(database.url, 'brickmark_api'), { size: 3 })
  const directory = new KeyResolver(pool, ['an older pepper, no longer used for new keys', PEPPER])
  const { key, accountId, keyId } = await createTestAccount(db)
  expect(await directory.resolve(key, { ip: 'a' })).toEqual({ accountId, keyId })
  const guess = async () => directory.resolve(buildKey(randomBytes(20)), { ip: 'a' })
  for (let miss = 0; miss < 50; miss++) expect(await guess()).toBeUndefined()
  // The budget refills a little while this runs.
  const more = await Promise.allSettled(Array.from({ length: 100 }, guess))
  expect(more.filter((one) => one.status === 'fulfilled' && one.value !== undefined)).toEqual([])
  await expect(guess()).rejects.toBeInstanceOf(FailedLookupLimitError)
  expect(await directory.resolve(buildKey(randomBytes(20)), { ip: 'b' })).toBeUndefined()
  expect(await directory.resolve(key, { ip: 'a' })).toEqual({ accountId, keyId })
  await pool.end()
})

test('junk is refused without asking the database and without being counted', async () => {
  const nowhere = openPool('postgres://nobody@127.0.0.1:1/none')
  const directory = new KeyResolver(nowhere, [PEPPER])
  for (let tries = 0; tries < 60; tries++) expect(await directory.resolve('bmk_live_junk', { ip: 'a' })).toBeUndefined()
  await expect(directory.resolve(buildKey(randomBytes(20)), { ip: 'a' })).rejects.toThrow('ECONNREFUSED')
  await nowhere.end()
})
