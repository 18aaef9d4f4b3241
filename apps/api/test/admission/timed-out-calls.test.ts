import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { AdmissionController, AdmissionUnavailableError, type Verdict } from '../../admission/admission-controller.ts'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { createTestAccount, type TestAccount } from '@brickmark/tests/support/fixtures'

/** Calls whose time runs out while all connections are taken: nobody who was told no may be charged. */

let database: TestDatabase
let db: Database
let pool: pg.Pool
let admission: AdmissionController
let decided: [verdict: string, waitedMs: number][]
let charged: number[]

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 2 }))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})
beforeEach(() => {
  ;[decided, charged] = [[], []]
  pool = openPool(asRole(database.url, 'brickmark_api'), { size: 1, statementTimeoutMs: 1500 })
  admission = new AdmissionController(pool, {
    onBatchCharged: (calls) => charged.push(calls),
    onVerdict: (verdict, waitedMs) => decided.push([verdict, waitedMs]),
  })
})
afterEach(() => pool.end())

const account = () => createTestAccount(db, { limit: 10 })
/** When somebody began to wait who has 150 ms left. */
const almostTooLate = () => Date.now() - 1650

async function used({ keyId }: TestAccount): Promise<number> {
  const { rows } = await sql<{ used: number }>`select used from account.quota_day where key_id = ${keyId}`.execute(db)
  return rows[0]?.used ?? 0
}

const outcomeOf = (call: Promise<Verdict>) =>
  call.then(
    (verdict) => ('quota' in verdict ? verdict.quota.remaining : verdict.kind),
    (error: unknown) => {
      if (!(error instanceof AdmissionUnavailableError)) return 'another error'
      return `${error.message}, ${error.maybeCharged ? 'perhaps' : 'not'} charged`
    },
  )

/** Takes the only connection, and gives it back once as many calls were refused. */
async function takeConnectionUntil(refusals: number): Promise<void> {
  const client = await pool.connect()
  void (async () => {
    for (let tries = 0; decided.length < refusals && tries < 200; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    client.release()
  })()
}

test('of the calls of a key only those that were not refused are charged', async () => {
  const key = await account()
  await takeConnectionUntil(1)
  const calls = [admission.admit(key, 1, almostTooLate()), admission.admit(key, 1), admission.admit(key, 1)]
  expect(await Promise.all(calls.map(outcomeOf))).toEqual(['no verdict in time, not charged', 9, 8])
  expect(await used(key)).toBe(2)
  expect(charged).toEqual([2])
  expect(decided.map(([verdict]) => verdict)).toEqual(['unavailable', 'admitted', 'admitted'])
  expect(decided[0]![1]).toBeGreaterThanOrEqual(1800)
  expect(decided[0]![1]).toBeLessThan(2500)
})

test('a key whose calls were all refused is not charged, others are', async () => {
  const [late, other] = [await account(), await account()]
  await takeConnectionUntil(1)
  const calls = [admission.admit(late, 1, almostTooLate()), admission.admit(other, 1)]
  expect(await Promise.all(calls.map(outcomeOf))).toEqual(['no verdict in time, not charged', 9])
  expect([await used(late), await used(other)]).toEqual([0, 1])
  expect(charged).toEqual([1])
})

test('a call that waits behind another price of its key leaves the queue, and the ones behind it move up', async () => {
  const key = await account()
  await takeConnectionUntil(2)
  const calls = [
    admission.admit(key, 1),
    admission.admit(key, 2, almostTooLate()),
    admission.admit(key, 2),
    admission.admit(key, 3, almostTooLate()),
  ]
  expect(await Promise.all(calls.map(outcomeOf))).toEqual([
    9,
    'no verdict in time, not charged',
    7,
    'no verdict in time, not charged',
  ])
  expect(await used(key)).toBe(3)
  expect(charged).toEqual([1, 1])
  expect(admission.pendingCount).toBe(0)
})

test('when all were refused nothing is sent, and the next call is served', async () => {
  const key = await account()
  await takeConnectionUntil(2)
  const calls = [1, 2].map((price) => admission.admit(key, price, almostTooLate()))
  expect(await Promise.all(calls.map(outcomeOf))).toEqual([
    'no verdict in time, not charged',
    'no verdict in time, not charged',
  ])
  expect(await outcomeOf(admission.admit(key, 1))).toBe(9)
  expect(await used(key)).toBe(1)
  expect(charged).toEqual([1])
})

test('a charge that fails is told to all of its calls, with its cause', async () => {
  const key = await account()
  await db.transaction().execute(async (lock) => {
    await sql`lock table account.quota_day in access exclusive mode`.execute(lock)
    const calls = [admission.admit(key, 1), admission.admit(key, 1)]
    for (const call of calls) {
      await expect(call).rejects.toMatchObject({ cause: { code: '57014' } })
      expect(await outcomeOf(call)).toBe('the charge failed, not charged')
    }
  })
  expect(await used(key)).toBe(0)
  expect(await outcomeOf(admission.admit(key, 1))).toBe(9)
})

/** Holds the day of a key, so that its charges wait in the database, while `work` runs. */
async function whileHeld(key: TestAccount, work: () => Promise<void>): Promise<void> {
  await admission.admit(key, 1)
  await db.transaction().execute(async (lock) => {
    await sql`select from account.quota_day where key_id = ${key.keyId} for update`.execute(lock)
    await work()
  })
}

test('a call whose time runs out while it is being charged is told that it may have been', async () => {
  const key = await account()
  await whileHeld(key, async () => {
    expect(await outcomeOf(admission.admit(key, 1, almostTooLate()))).toBe('no verdict in time, perhaps charged')
  })
  expect(await outcomeOf(admission.admit(key, 1))).toBe(7)
})

test('so is one whose connection is lost with the charge under way', async () => {
  const key = await account()
  await whileHeld(key, async () => {
    const call = outcomeOf(admission.admit(key, 1))
    for (let tries = 0; tries < 100; tries++) {
      const { rows } = await sql<{ ended: boolean }>`
        select pg_terminate_backend(pid) as ended from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%account.charge%'`.execute(db)
      if (rows.length > 0) break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(await call).toBe('the charge failed, perhaps charged')
  })
})
