import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { findWantedSets } from '@brickmark/core/portfolio/wanted-set-queries'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { addCollection, addLot, addSet, createTestAccount } from '@brickmark/tests/support/fixtures'

let database: TestDatabase
let db: Database
let workerDatabase: Database

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 2 }))
  workerDatabase = openDatabase(openPool(asRole(database.url, 'brickmark_worker'), { size: 1 }))
})
afterAll(async () => {
  await Promise.all([db.destroy(), workerDatabase.destroy()])
  await database.drop()
})

test('the worker learns which sets anybody watches or owns, and nothing about whose they are', async () => {
  for (const set_number of ['90001-1', '90002-1', '90003-1', '90004-1']) await addSet(db, { set_number })
  const { accountId: account_id } = await createTestAccount(db)
  const collection_id = await addCollection(db, account_id)
  await addLot(db, { account_id, collection_id, set_number: '90001-1' })
  await addLot(db, { account_id, collection_id, set_number: '90002-1', quantity: 0 })
  await db.insertInto('portfolio.watched_item').values({ account_id, set_number: '90003-1' }).execute()
  expect((await findWantedSets(workerDatabase)).sort()).toEqual(['90001-1', '90003-1'])
  await expect(workerDatabase.selectFrom('portfolio.lot').selectAll().execute()).rejects.toThrow('permission denied')
})
