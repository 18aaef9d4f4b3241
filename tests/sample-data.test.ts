import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { declareSource } from '@brickmark/core/source/source-commands'
import { seedDemoInto } from '@brickmark/tools/demo/seed'
import { createDatabase, type TestDatabase } from './support/database.ts'
import { addSet, createTestAccount } from './support/fixtures.ts'

let database: TestDatabase
let pool: ReturnType<typeof openPool>
let db: Database

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  pool = openPool(database.url, { size: 2 })
  db = openDatabase(pool)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

test('is loaded once, and says so if an earlier attempt stopped halfway', async () => {
  const load = () => seedDemoInto(database.url, 'pepper', () => {})
  await addSet(db, { set_number: '1-1' })
  expect(await load()).toBeUndefined()
  await declareSource(pool, { source: 'demo', name: 'Demo', license: 'demo', terms: 'None.', rank: 1 })
  await expect(load()).rejects.toThrow('stopped halfway')
  await createTestAccount(db)
  expect(await load()).toBeUndefined()
})
