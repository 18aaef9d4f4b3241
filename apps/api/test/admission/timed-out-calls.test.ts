import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { ActiveKey } from '../../admission/active-key.ts'
import { AdmissionController } from '../../admission/admission-controller.ts'
import { AdmissionUnavailableError, type Verdict } from '../../admission/verdict.ts'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { createTestAccount } from '@brickmark/tests/support/fixtures'

/** Requests that time out while all connections are in use: unless `maybeCharged` is set, they must not be charged. */

let database: TestDatabase
let db: Database
let pool: pg.Pool
let admission: AdmissionController
let verdicts: [verdict: string, waitedMs: number][]
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
  ;[verdicts, charged] = [[], []]
  pool = openPool(asRole(database.url, 'brickmark_api'), { size: 1, statementTimeoutMs: 1500 })
  admission = new AdmissionController(pool, {
    onBatchCharged: (calls) => charged.push(calls),
    onVerdict: (verdict, waitedMs) => verdicts.push([verdict, waitedMs]),
  })
})
afterEach(() => pool.end())

const account = async () => new ActiveKey(await createTestAccount(db, { limit: 10 }))
/** Start time of a request with 150 ms left before its timeout. */
const almostTimedOut = () => Date.now() - 1650

async function used({ keyId }: ActiveKey): Promise<number> {
  const { rows } = await sql<{
    used: number
  }>`select used from account.api_key_quota where api_key_id = ${keyId}`.execute(db)
  return rows[0]?.used ?? 0
}

const outcomeOf = (call: Promise<Verdict>) =>
  call.then(
    (verdict) => ('quota' in verdict ? verdict.quota.remaining : verdict.kind),
    (error: unknown) => {
      if (!(error instanceof AdmissionUnavailableError)) return 'another error'
      return `${error.message}, ${error.maybeCharged ? 'maybe' : 'not'} charged`
    },
  )

/** Takes the only connection and releases it after this many requests were rejected. */
async function takeConnectionUntil(rejections: number): Promise<void> {
  const client = await pool.connect()
  void (async () => {
    for (let tries = 0; verdicts.length < rejections && tries < 200; tries++) {
      await sleep(20)
    }
    client.release()
  })()
}

test('charges only those requests of a key that have not timed out', async () => {
  const key = await account()
  await takeConnectionUntil(1)
  const calls = [admission.admit(key, 1, almostTimedOut()), admission.admit(key, 1), admission.admit(key, 1)]
  expect(await Promise.all(calls.map(outcomeOf))).toEqual(['admission timed out, not charged', 9, 8])
  expect(await used(key)).toBe(2)
  expect(charged).toEqual([2])
  expect(verdicts.map(([verdict]) => verdict)).toEqual(['unavailable', 'admitted', 'admitted'])
  expect(verdicts[0]![1]).toBeGreaterThanOrEqual(1800)
  expect(verdicts[0]![1]).toBeLessThan(2500)
})

test('does not charge a key whose requests all timed out, but charges others', async () => {
  const [timedOut, other] = [await account(), await account()]
  await takeConnectionUntil(1)
  const calls = [admission.admit(timedOut, 1, almostTimedOut()), admission.admit(other, 1)]
  expect(await Promise.all(calls.map(outcomeOf))).toEqual(['admission timed out, not charged', 9])
  expect([await used(timedOut), await used(other)]).toEqual([0, 1])
  expect(charged).toEqual([1])
})

test('removes a timed-out request that is queued behind a request of another cost', async () => {
  const key = await account()
  await takeConnectionUntil(2)
  const calls = [
    admission.admit(key, 1),
    admission.admit(key, 2, almostTimedOut()),
    admission.admit(key, 2),
    admission.admit(key, 3, almostTimedOut()),
  ]
  expect(await Promise.all(calls.map(outcomeOf))).toEqual([
    9,
    'admission timed out, not charged',
    7,
    'admission timed out, not charged',
  ])
  expect(await used(key)).toBe(3)
  expect(charged).toEqual([1, 1])
  expect(admission.pendingCount).toBe(0)
})

test('sends nothing when all requests timed out, and serves the next request', async () => {
  const key = await account()
  await takeConnectionUntil(2)
  const calls = [1, 2].map((cost) => admission.admit(key, cost, almostTimedOut()))
  expect(await Promise.all(calls.map(outcomeOf))).toEqual([
    'admission timed out, not charged',
    'admission timed out, not charged',
  ])
  expect(await outcomeOf(admission.admit(key, 1))).toBe(9)
  expect(await used(key)).toBe(1)
  expect(charged).toEqual([1])
})

test('rejects all requests of a failed charge, with its cause', async () => {
  const key = await account()
  await db.transaction().execute(async (lock) => {
    await sql`lock table account.api_key_quota in access exclusive mode`.execute(lock)
    const calls = [admission.admit(key, 1), admission.admit(key, 1)]
    for (const call of calls) {
      await expect(call).rejects.toMatchObject({ cause: { code: '57014' } })
      expect(await outcomeOf(call)).toBe('charge failed, not charged')
    }
  })
  expect(await used(key)).toBe(0)
  expect(await outcomeOf(admission.admit(key, 1))).toBe(9)
})

/** Locks the quota row of a key while `work` runs, so that its charges wait in the database. */
async function whileHeld(key: ActiveKey, work: () => Promise<void>): Promise<void> {
  await admission.admit(key, 1)
  await db.transaction().execute(async (lock) => {
    await sql`select from account.api_key_quota where api_key_id = ${key.keyId} for update`.execute(lock)
    await work()
  })
}

test('sets maybeCharged when a request times out while its charge is in flight', async () => {
  const key = await account()
  await whileHeld(key, async () => {
    expect(await outcomeOf(admission.admit(key, 1, almostTimedOut()))).toBe('admission timed out, maybe charged')
  })
  expect(await outcomeOf(admission.admit(key, 1))).toBe(7)
})

test('sets maybeCharged when the connection is lost while the charge is in flight', async () => {
  const key = await account()
  await whileHeld(key, async () => {
    const call = outcomeOf(admission.admit(key, 1))
    for (let tries = 0; tries < 100; tries++) {
      const { rows } = await sql<{ ended: boolean }>`
        select pg_terminate_backend(pid) as ended from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%account.charge%'`.execute(db)
      if (rows.length > 0) break
      await sleep(20)
    }
    expect(await call).toBe('charge failed, maybe charged')
  })
})
