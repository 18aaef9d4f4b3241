import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { AdmissionController, AdmissionUnavailableError, type Verdict } from '../../admission/admission-controller.ts'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { revokeApiKey } from '@brickmark/core/account/api-key-commands'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { createTestAccount, type TestAccount } from '@brickmark/tests/support/fixtures'

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

const account = (limit: number) => createTestAccount(db, { limit })
const admitAll = (key: TestAccount, prices: number[], by = admission) =>
  Promise.all(prices.map((price) => by.admit(key, price)))
const times = (count: number, price: number) => Array<number>(count).fill(price)
const brief = (verdict: Verdict) => [verdict.kind, 'quota' in verdict && verdict.quota.remaining]

async function used({ keyId }: TestAccount): Promise<number> {
  const { rows } = await sql<{ used: number }>`select used from account.quota_day where key_id = ${keyId}`.execute(db)
  return rows[0]?.used ?? 0
}

describe('many calls at once', () => {
  test('500 of one key with 100 left: the first 100 are admitted, each with its own remaining', async () => {
    const key = await account(100)
    const verdicts = await admitAll(key, times(500, 1))
    const admitted = verdicts.filter((verdict) => verdict.kind === 'admitted')
    expect(admitted.map((verdict) => verdict.quota.remaining)).toEqual(Array.from({ length: 100 }, (_, at) => 99 - at))
    expect(verdicts.slice(0, 100)).toEqual(admitted)
    for (const verdict of verdicts.slice(100)) {
      expect(verdict).toMatchObject({ kind: 'exhausted', quota: { limit: 100, remaining: 0 } })
      const { retryAfter } = verdict as { retryAfter: number }
      expect(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 86_400).toBe(true)
    }
    expect(await used(key)).toBe(100)
  })

  test('500 spread over two processes and over time: exactly 100', async () => {
    const key = await account(100)
    const otherPool = admissionPool(asRole(database.url, 'brickmark_api'))
    const other = new AdmissionController(otherPool)
    const calls = Array.from({ length: 500 }, async (_, at) => {
      await new Promise((resolve) => setTimeout(resolve, at % 40))
      return (at % 2 === 0 ? admission : other).admit(key, 1)
    })
    const verdicts = await Promise.all(calls)
    await otherPool.end()
    const remaining = verdicts.flatMap((verdict) => (verdict.kind === 'admitted' ? [verdict.quota.remaining] : []))
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, at) => at))
    expect(await used(key)).toBe(100)
  })

  test('mixed prices: first come first served, a large one is refused whole and the small ones behind it fit', async () => {
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

  test('mixed prices never exceed the allowance, and what was admitted is what was charged', async () => {
    const key = await account(200)
    const prices = Array.from({ length: 300 }, (_, at) => 1 + ((at * 7) % 5))
    const verdicts = await admitAll(key, prices)
    const charged = prices.filter((_, at) => verdicts[at]!.kind === 'admitted').reduce((a, b) => a + b, 0)
    expect(charged).toBe(200)
    expect(await used(key)).toBe(200)
    let left = 200
    for (const [at, verdict] of verdicts.entries()) {
      const price = prices[at]!
      expect(brief(verdict)).toEqual(price <= left ? ['admitted', left - price] : ['exhausted', left])
      if (price <= left) left -= price
    }
  })

  test('many keys side by side, each with its own allowance', async () => {
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

describe('statements under way', () => {
  /** Holds the rows of the keys while `work` runs, so that every charge of them waits in the database. */
  async function whileHeld(keys: TestAccount[], work: () => Promise<void>): Promise<void> {
    for (const key of keys) await admission.admit(key, 1)
    await db.transaction().execute(async (lock) => {
      const ids = keys.map((key) => key.keyId)
      await sql`select from account.quota_day where key_id = any(${ids}) for update`.execute(lock)
      await work()
    })
  }

  /** How many charges the database has at hand, once that many are there or a moment has passed. */
  async function underWay(wanted: number): Promise<number> {
    for (let tries = 0; ; tries++) {
      const { rows } = await sql<{ count: number }>`
        select count(*) from pg_stat_activity
         where datname = current_database() and state = 'active' and query like '%account.charge%'
           and pid <> pg_backend_pid()`.execute(db)
      if (rows[0]!.count >= wanted || tries === 10) return rows[0]!.count
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  test('one of a key at a time, whatever its calls cost', async () => {
    const key = await account(50)
    let calls: Promise<Verdict[]> = Promise.resolve([])
    await whileHeld([key], async () => {
      calls = admitAll(key, [1, 2, 3])
      expect(await underWay(2)).toBe(1)
    })
    expect((await calls).map(brief)).toEqual([
      ['admitted', 48],
      ['admitted', 46],
      ['admitted', 43],
    ])
  })

  test('two of a process at a time, the calls of other keys wait together', async () => {
    const keys = await Promise.all([account(5), account(5), account(5), account(5)])
    const manyPool = openPool(asRole(database.url, 'brickmark_api'), { size: 5, statementTimeoutMs: 5000 })
    const busy = new AdmissionController(manyPool)
    const calls: Promise<Verdict>[] = []
    await whileHeld(keys, async () => {
      for (const key of keys) {
        calls.push(busy.admit(key, 1))
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      expect(await underWay(3)).toBe(2)
    })
    expect((await Promise.all(calls)).map(brief)).toEqual(keys.map(() => ['admitted', 3]))
    await manyPool.end()
  })
})

describe('one call', () => {
  test('price 0 tells what is left and takes nothing, also when nothing is left', async () => {
    const key = await account(1)
    expect(brief(await admission.admit(key, 0))).toEqual(['admitted', 1])
    await admission.admit(key, 1)
    expect(brief(await admission.admit(key, 0))).toEqual(['admitted', 0])
    expect(await used(key)).toBe(1)
  })

  test('a revoked key is refused by the very next call', async () => {
    const key = await account(5)
    expect((await admission.admit(key, 1)).kind).toBe('admitted')
    await revokeApiKey(db, { ...key, actor: 'test' })
    expect(await admission.admit(key, 1)).toEqual({ kind: 'invalid_key' })
    expect(await admission.admit(key, 0)).toEqual({ kind: 'invalid_key' })
  })

  test('an account without the plan', async () => {
    const key = await createTestAccount(db, { plan: 'hobby' })
    expect(brief(await admission.admit(key, 1))).toEqual(['no_plan', 1000])
  })
})

describe('when the database does not answer', () => {
  /** Two seconds, and what a busy machine may add to any timer. */
  const SOON_MS = 2500

  /** Milliseconds until the refusal. */
  async function refusedAfter(call: Promise<Verdict>): Promise<number> {
    const started = Date.now()
    await expect(call).rejects.toBeInstanceOf(AdmissionUnavailableError)
    return Date.now() - started
  }

  test('refused within 2 s: nobody listens', async () => {
    const gone = admissionPool('postgres://brickmark_api@127.0.0.1:1/brickmark')
    expect(await refusedAfter(new AdmissionController(gone).admit({ accountId: 1, keyId: 1 }, 1))).toBeLessThan(SOON_MS)
    await gone.end()
  })

  test('refused within 2 s: it listens and says nothing; past 10,000 waiting calls, at once', async () => {
    const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const stuck = new AdmissionController(admissionPool(`postgres://brickmark_api@127.0.0.1:${port}/brickmark`))
    const waiting = Array.from({ length: 10_000 }, (_, at) => stuck.admit({ accountId: 1, keyId: at % 100 }, 1))
    const refusals = Promise.allSettled(waiting)
    expect(await refusedAfter(stuck.admit({ accountId: 1, keyId: 1 }, 1))).toBeLessThan(1000)
    expect(await refusedAfter(waiting[0]!)).toBeLessThan(SOON_MS)
    expect((await refusals).every((refusal) => refusal.status === 'rejected')).toBe(true)
    silent.close()
  })

  test('a charge held up too long is refused within 2 s and takes nothing; the next one succeeds', async () => {
    const key = await account(5)
    await admission.admit(key, 1)
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const holding = db.transaction().execute(async (lock) => {
      await sql`select from account.quota_day where key_id = ${key.keyId} for update`.execute(lock)
      await held
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await refusedAfter(admission.admit(key, 1))).toBeLessThan(SOON_MS)
    release()
    await holding
    expect(brief(await admission.admit(key, 1))).toEqual(['admitted', 3])
    expect(await used(key)).toBe(2)
  })

  test('a short refusal of connections is waited out: no call is lost and none is charged twice', async () => {
    const key = await account(50)
    await admission.admit(key, 1)
    const server = new pg.Client(inject('serverUrl'))
    await server.connect()
    const name = new URL(database.url).pathname.slice(1)
    await server.query(`alter database ${name} allow_connections false`)
    await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    await new Promise((resolve) => setTimeout(resolve, 100))
    const calls = admitAll(key, times(20, 1))
    await new Promise((resolve) => setTimeout(resolve, 500))
    await server.query(`alter database ${name} allow_connections true`)
    await server.end()
    expect((await calls).map(brief)).toEqual(Array.from({ length: 20 }, (_, at) => ['admitted', 48 - at]))
    expect(await used(key)).toBe(21)
  })
})
