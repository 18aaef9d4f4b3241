import pg from 'pg'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { charge } from '@brickmark/core/account/admission-commands'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { findQuotaBloatRatio } from '@brickmark/core/account/quota-queries'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { createTestAccount } from '@brickmark/tests/support/fixtures'

let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(asRole(database.url, 'brickmark_worker'), { size: 1 }))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

test('findQuotaBloatRatio reports dead tuples while a snapshot holds them and 0 after a vacuum', async () => {
  const owner = openDatabase(openPool(database.url, { size: 2 }))
  const { accountId, keyId } = await createTestAccount(owner)
  const api = new pg.Client(asRole(database.url, 'brickmark_api'))
  await api.connect()
  await owner
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      await sql`select count(*) from account.account`.execute(transaction)
      for (let n = 0; n < 300; n++) await charge(api, [{ key: { accountId, keyId }, cost: 1, count: 1 }])
      // Flush the statistics now instead of when the connection has been idle for a while.
      await api.query('select pg_stat_force_next_flush()')
    })
  await expect.poll(() => findQuotaBloatRatio(db)).toBeGreaterThan(2)

  // Poll, because other tests on this server may hold snapshots of their own.
  const keptAfterVacuum = async () => {
    await sql`vacuum account.api_key_quota`.execute(owner)
    return findQuotaBloatRatio(db)
  }
  await expect.poll(keptAfterVacuum, { timeout: 20_000 }).toBe(0)
  await api.end()
  await owner.destroy()
})
