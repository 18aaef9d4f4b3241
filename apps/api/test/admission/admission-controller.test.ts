import { setTimeout as sleep } from 'node:timers/promises'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { ActiveKey } from '../../admission/active-key.ts'
import { AdmissionController } from '../../admission/admission-controller.ts'
import { AdmissionUnavailableError, type Verdict } from '../../admission/verdict.ts'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { charge } from '@brickmark/core/account/admission-commands'
import { revokeApiKey } from '@brickmark/core/account/api-key-commands'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { createTestAccount } from '@brickmark/tests/support/fixtures'
import { timeWithoutStalls } from '@brickmark/tests/support/timing'

let database: TestDatabase
let db: Database
let pool: pg.Pool
let admission: AdmissionController

const admissionPool = (url: string) => openPool(url, { size: 3, statementTimeoutMs: 1500 })

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 3 }))
  pool = admissionPool(asRole(database.url, 'brickmark_api'))
  admission = new AdmissionController(pool)
})
afterAll(async () => {
  await pool.end()
  await db.destroy()
  await database.drop()
})

const account = async (limit: number) => new ActiveKey(await createTestAccount(db, { limit }))
const admitAll = (key: ActiveKey, costs: number[], by = admission) =>
  Promise.all(costs.map((cost) => by.admit(key, cost)))
const times = (count: number, cost: number) => Array<number>(count).fill(cost)
const brief = (verdict: Verdict) => [verdict.kind, 'quota' in verdict && verdict.quota.remaining]

async function used({ keyId }: ActiveKey): Promise<number> {
  const { rows } = await sql<{
    used: number
  }>`select used from account.api_key_quota where api_key_id = ${keyId}`.execute(db)
  return rows[0]?.used ?? 0
}

describe('concurrent requests', () => {
  test('admits the first 100 of 500 requests when 100 credits remain, each with a distinct remaining', async () => {
    const key = await account(100)
    const verdicts = await admitAll(key, times(500, 1))
    const admitted = verdicts.filter((verdict) => verdict.kind === 'admitted')
    expect(admitted.map((verdict) => verdict.quota.remaining)).toEqual(
      Array.from({ length: 100 }, (_, index) => 99 - index),
    )
    expect(verdicts.slice(0, 100)).toEqual(admitted)
    for (const verdict of verdicts.slice(100)) {
      expect(verdict).toMatchObject({ kind: 'exhausted', quota: { limit: 100, remaining: 0 } })
      const { retryAfter } = verdict as { retryAfter: number }
      expect(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 86_400).toBe(true)
    }
    expect(await used(key)).toBe(100)
  })

  test('admits exactly 100 of 500 requests spread over two processes and over time', async () => {
    const key = await account(100)
    const otherPool = admissionPool(asRole(database.url, 'brickmark_api'))
    const other = new AdmissionController(otherPool)
    const keyInOther = new ActiveKey(key)
    const calls = Array.from({ length: 500 }, async (_, index) => {
      await sleep(index % 40)
      return index % 2 === 0 ? admission.admit(key, 1) : other.admit(keyInOther, 1)
    })
    const verdicts = await Promise.all(calls)
    await otherPool.end()
    const remaining = verdicts.flatMap((verdict) => (verdict.kind === 'admitted' ? [verdict.quota.remaining] : []))
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index))
    expect(await used(key)).toBe(100)
  })

  test('handles mixed costs in FIFO order: a rejected large request does not block smaller ones', async () => {
    const key = await account(10)
    expect((await admitAll(key, [4, 4, 4, 1, 1, 1])).map(brief)).toEqual([
      ['admitted', 6],
      ['admitted', 2],
      ['exhausted', 2],
      ['admitted', 1],
      ['admitted', 0],
      ['exhausted', 0],
    ])
    expect(await used(key)).toBe(10)
  })

  test('never exceeds the quota with mixed costs and charges exactly what it admitted', async () => {
    const key = await account(200)
    const costs = Array.from({ length: 300 }, (_, index) => 1 + ((index * 7) % 5))
    const verdicts = await admitAll(key, costs)
    const charged = costs.filter((_, index) => verdicts[index]!.kind === 'admitted').reduce((a, b) => a + b, 0)
    expect(charged).toBe(200)
    expect(await used(key)).toBe(200)
    let remaining = 200
    for (const [index, verdict] of verdicts.entries()) {
      const cost = costs[index]!
      expect(brief(verdict)).toEqual(cost <= remaining ? ['admitted', remaining - cost] : ['exhausted', remaining])
      if (cost <= remaining) remaining -= cost
    }
  })

  test('enforces the quota of each of 30 concurrent keys separately', async () => {
    const keys = await Promise.all(Array.from({ length: 30 }, () => account(7)))
    const all = await Promise.all(keys.map((key) => admitAll(key, times(20, 1))))
    for (const verdicts of all) {
      expect(verdicts.map((verdict) => verdict.kind)).toEqual([
        ...Array(7).fill('admitted'),
        ...Array(13).fill('exhausted'),
      ])
    }
  })
})

describe('statements in flight', () => {
  /** Locks the quota rows of the keys while `work` runs, so that all of their charges wait in the database. */
  async function whileHeld(keys: ActiveKey[], work: () => Promise<void>): Promise<void> {
    for (const key of keys) await admission.admit(key, 1)
    await db.transaction().execute(async (lock) => {
      const ids = keys.map((key) => key.keyId)
      await sql`select from account.api_key_quota where api_key_id = any(${ids}) for update`.execute(lock)
      await work()
    })
  }

  /** Makes another process charge the key while a charge of `controller` waits for its lock. */
  async function contend(key: ActiveKey, controller: AdmissionController): Promise<void> {
    await admission.admit(key, 1)
    const other = new pg.Client(asRole(database.url, 'brickmark_api'))
    await other.connect()
    await other.query('begin')
    await charge(other, [{ key, cost: 1, count: 1 }])
    const waiting = controller.admit(key, 1)
    expect(await countInFlight(1)).toBe(1)
    await other.query('commit')
    await other.end()
    expect((await waiting).kind).toBe('admitted')
  }

  /** Returns how many charges are active in the database, once there are `expected` of them or after 200 ms. */
  async function countInFlight(expected: number): Promise<number> {
    for (let tries = 0; ; tries++) {
      const { rows } = await sql<{ count: number }>`
        select count(*) from pg_stat_activity
         where datname = current_database() and state = 'active' and query like '%account.charge%'
           and pid <> pg_backend_pid()`.execute(db)
      if (rows[0]!.count >= expected || tries === 10) return rows[0]!.count
      await sleep(20)
    }
  }

  test('charges a key that another process charges too in a statement of its own', async () => {
    const [shared, ...others] = await Promise.all([account(100), account(10), account(10), account(10)])
    const own = new AdmissionController(pool)
    await contend(shared, own)
    let waiting: Promise<Verdict> | undefined
    await whileHeld([shared], async () => {
      const all = [shared, ...others].map((key) => own.admit(key, 1))
      waiting = all[0]
      expect((await Promise.all(all.slice(1))).map((verdict) => verdict.kind)).toEqual(Array(3).fill('admitted'))
      expect(await countInFlight(1)).toBe(1)
    })
    expect((await waiting!).kind).toBe('admitted')
  })

  test('sends one statement per key at a time, even for requests of different costs', async () => {
    const key = await account(50)
    let calls: Promise<Verdict[]> = Promise.resolve([])
    await whileHeld([key], async () => {
      calls = admitAll(key, [1, 2, 3])
      expect(await countInFlight(2)).toBe(1)
    })
    expect((await calls).map(brief)).toEqual([
      ['admitted', 48],
      ['admitted', 46],
      ['admitted', 43],
    ])
  })

  test('sends two statements per process at a time and batches the requests of other keys', async () => {
    const keys = await Promise.all([account(5), account(5), account(5), account(5)])
    const manyPool = openPool(asRole(database.url, 'brickmark_api'), { size: 5, statementTimeoutMs: 5000 })
    const busy = new AdmissionController(manyPool)
    const calls: Promise<Verdict>[] = []
    await whileHeld(keys, async () => {
      for (const key of keys) {
        calls.push(busy.admit(key, 1))
        await sleep(20)
      }
      expect(await countInFlight(3)).toBe(2)
    })
    expect((await Promise.all(calls)).map(brief)).toEqual(keys.map(() => ['admitted', 3]))
    await manyPool.end()
  })

  test('sends a second statement once there are eight keys to charge, or if the first is slow', async () => {
    const batches: number[] = []
    const busy = new AdmissionController(pool, { onBatchCharged: (size) => batches.push(size), onVerdict() {} })
    const [held, ...others] = await Promise.all(Array.from({ length: 10 }, () => account(5)))
    let first: Promise<Verdict> | undefined
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      await whileHeld([held!], async () => {
        first = busy.admit(held!, 1)
        expect(await countInFlight(1)).toBe(1)
        const eight: Promise<Verdict>[] = []
        for (const key of others.slice(0, 8)) {
          expect(batches).toEqual([1])
          eight.push(busy.admit(key, 1))
          await new Promise(setImmediate)
        }
        await Promise.all(eight)
        const last = busy.admit(others[8]!, 1)
        await new Promise(setImmediate)
        expect(batches).toEqual([1, 8])
        vi.setSystemTime(Date.now() + 20)
        await last
        expect(batches).toEqual([1, 8, 1])
        expect(await countInFlight(1)).toBe(1)
      })
      expect((await first!).kind).toBe('admitted')
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('single requests', () => {
  test('cost 0 returns the remaining quota and charges nothing, even when nothing remains', async () => {
    const key = await account(1)
    expect(brief(await admission.admit(key, 0))).toEqual(['admitted', 1])
    await admission.admit(key, 1)
    expect(brief(await admission.admit(key, 0))).toEqual(['admitted', 0])
    expect(await used(key)).toBe(1)
  })

  test('rejects the next request after a key is revoked', async () => {
    const key = await account(5)
    expect((await admission.admit(key, 1)).kind).toBe('admitted')
    await revokeApiKey(db, { accountId: key.accountId, keyId: key.keyId, actor: 'test' })
    expect(await admission.admit(key, 1)).toEqual({ kind: 'invalid_key' })
    expect(await admission.admit(key, 0)).toEqual({ kind: 'invalid_key' })
  })

  test('returns no_plan for an account without the plan', async () => {
    const key = new ActiveKey(await createTestAccount(db, { plan: 'hobby' }))
    expect(brief(await admission.admit(key, 1))).toEqual(['no_plan', 1000])
  })
})

describe('when the database does not respond', () => {
  /** Two seconds, and the tick in which the request is rejected. */
  const MAX_WAIT_MS = 2500

  /** Returns the milliseconds until the request is rejected. */
  const rejectedAfter = (call: Promise<Verdict>) =>
    timeWithoutStalls(() => expect(call).rejects.toBeInstanceOf(AdmissionUnavailableError))

  test('rejects within 2 s when the connection is refused', async () => {
    const unreachable = admissionPool('postgres://brickmark_api@127.0.0.1:1/brickmark')
    expect(
      await rejectedAfter(new AdmissionController(unreachable).admit(new ActiveKey({ accountId: 1, keyId: 1 }), 1)),
    ).toBeLessThan(MAX_WAIT_MS)
    await unreachable.end()
  })

  test('rejects within 2 s when the server is silent, and immediately beyond 10,000 pending requests', async () => {
    const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const stuck = new AdmissionController(admissionPool(`postgres://brickmark_api@127.0.0.1:${port}/brickmark`))
    const keys = Array.from({ length: 100 }, (_, keyId) => new ActiveKey({ accountId: 1, keyId }))
    const pending = Array.from({ length: 10_000 }, (_, index) => stuck.admit(keys[index % 100]!, 1))
    const results = Promise.allSettled(pending)
    expect(await rejectedAfter(stuck.admit(new ActiveKey({ accountId: 1, keyId: 1 }), 1))).toBeLessThan(1000)
    expect(await rejectedAfter(pending[0]!)).toBeLessThan(MAX_WAIT_MS)
    expect((await results).every((result) => result.status === 'rejected')).toBe(true)
    silent.close()
  })

  test('rejects a blocked charge within 2 s without charging; the next request succeeds', async () => {
    const key = await account(5)
    await admission.admit(key, 1)
    const locked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const holding = db.transaction().execute(async (lock) => {
      await sql`select from account.api_key_quota where api_key_id = ${key.keyId} for update`.execute(lock)
      locked.resolve()
      await released.promise
    })
    await locked.promise
    expect(await rejectedAfter(admission.admit(key, 1))).toBeLessThan(MAX_WAIT_MS)
    released.resolve()
    await holding
    expect(brief(await admission.admit(key, 1))).toEqual(['admitted', 3])
    expect(await used(key)).toBe(2)
  })

  test('retries while connections are refused briefly, without losing or double-charging requests', async () => {
    const key = await account(50)
    await admission.admit(key, 1)
    const server = new pg.Client(inject('serverUrl'))
    await server.connect()
    const name = new URL(database.url).pathname.slice(1)
    await server.query(`alter database ${name} allow_connections false`)
    await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    const connections = async () =>
      (await server.query('select from pg_stat_activity where datname = $1', [name])).rowCount
    await expect.poll(connections, { timeout: 10_000 }).toBe(0)
    const calls = admitAll(key, times(20, 1))
    // How long the outage lasts.
    await sleep(500)
    await server.query(`alter database ${name} allow_connections true`)
    await server.end()
    expect((await calls).map(brief)).toEqual(Array.from({ length: 20 }, (_, index) => ['admitted', 48 - index]))
    expect(await used(key)).toBe(21)
  })
})
