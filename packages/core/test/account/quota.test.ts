import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { charge } from '@brickmark/core/account/admission-commands'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { revokeApiKey } from '@brickmark/core/account/api-key-commands'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { createTestAccount, type TestAccount } from '@brickmark/tests/support/fixtures'

let database: TestDatabase
let db: Database
let client: pg.Client

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 2 }))
  client = new pg.Client(asRole(database.url, 'brickmark_api'))
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await db.destroy()
  await database.drop()
})

const account = (limit: number) => createTestAccount(db, { limit })
const chargeKey = (key: TestAccount, cost: number, count = 1) =>
  charge(client, [{ key, cost, count }]).then(([result]) => result!)
const brief = async (key: TestAccount, cost: number, count = 1) => {
  const { verdict, granted, used, limit } = await chargeKey(key, cost, count)
  return [verdict, granted, used, limit]
}

type Row = { used: number; day: string; last_at: Date }
async function rowsOf({ accountId, keyId }: TestAccount): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select used, day, last_at from account.api_key_quota
     where account_id = ${accountId} and api_key_id = ${keyId}
    union all
    select used, day, last_at from account.api_key_quota_history
     where account_id = ${accountId} and api_key_id = ${keyId} order by day`.execute(db)
  return rows
}

async function today(): Promise<{ day: string; reset: Date }> {
  const { rows } = await sql<{ day: string; reset: Date }>`
    select (now() at time zone 'utc')::date as day,
           ((now() at time zone 'utc')::date + 1)::timestamp at time zone 'utc' as reset`.execute(db)
  return rows[0]!
}

describe('charging', () => {
  test('grants requests one by one until the quota is used up', async () => {
    const key = await account(3)
    expect(await brief(key, 1)).toEqual(['open', 1, 1, 3])
    expect(await brief(key, 1)).toEqual(['open', 1, 2, 3])
    expect(await brief(key, 1)).toEqual(['open', 1, 3, 3])
    expect(await brief(key, 1)).toEqual(['exhausted', 0, 3, 3])
  })

  test('grants as many requests as fit, in order of arrival', async () => {
    const key = await account(10)
    expect(await brief(key, 3, 2)).toEqual(['open', 2, 6, 10])
    expect(await brief(key, 3, 5)).toEqual(['open', 1, 9, 10])
    expect(await brief(key, 3, 1)).toEqual(['exhausted', 0, 9, 10])
    expect(await brief(key, 1, 4)).toEqual(['open', 1, 10, 10])
  })

  test('grants as many requests as fit in the first charge of a day', async () => {
    const key = await account(10)
    expect(await brief(key, 4, 100)).toEqual(['open', 2, 8, 10])
  })

  test('rejects a cost above the daily limit', async () => {
    const key = await account(10)
    expect(await brief(key, 11)).toEqual(['exhausted', 0, 0, 10])
    expect(await rowsOf(key)).toEqual([])
  })

  test('cost 0 is granted without a write, even if the quota is used up', async () => {
    const key = await account(1)
    expect(await brief(key, 0, 7)).toEqual(['open', 7, 0, 1])
    expect(await rowsOf(key)).toEqual([])
    await chargeKey(key, 1)
    expect(await brief(key, 0)).toEqual(['open', 1, 1, 1])
  })

  test('a rejected charge writes nothing', async () => {
    const key = await account(1)
    await chargeKey(key, 1)
    const before = await rowsOf(key)
    expect(before).toMatchObject([{ used: 1 }])
    for (let tries = 0; tries < 3; tries++) expect((await chargeKey(key, 1)).verdict).toBe('exhausted')
    expect(await rowsOf(key)).toEqual(before)
  })

  test('a lower or higher plan limit takes effect immediately', async () => {
    const key = await account(5)
    await chargeKey(key, 1, 4)
    const change = (daily_limit: number) =>
      sql`update account.plan set daily_limit = ${daily_limit} where plan =
            (select plan from account.account where id = ${key.accountId})`.execute(db)
    await change(2)
    expect(await brief(key, 1)).toEqual(['exhausted', 0, 4, 2])
    await change(6)
    expect(await brief(key, 1, 5)).toEqual(['open', 2, 6, 6])
  })

  test('charges many keys in one statement and returns the results in request order', async () => {
    const keys = [await account(5), await account(1), await account(2)]
    await chargeKey(keys[1]!, 1)
    const results = await charge(client, [
      { key: keys[2]!, cost: 1, count: 3 },
      { key: keys[1]!, cost: 1, count: 1 },
      { key: { accountId: 1, keyId: 999_999 }, cost: 1, count: 1 },
      { key: keys[0]!, cost: 5, count: 1 },
    ])
    expect(results.map(({ verdict, granted, used }) => [verdict, granted, used])).toEqual([
      ['open', 2, 2],
      ['exhausted', 0, 1],
      ['invalid_key', 0, 0],
      ['open', 1, 5],
    ])
  })

  test('concurrent charges from many connections never exceed the limit', async () => {
    const key = await account(50)
    const pool = openPool(asRole(database.url, 'brickmark_api'), { size: 8 })
    const charges = Array.from({ length: 60 }, async (_, index) => {
      const connection = await pool.connect()
      try {
        const [result] = await charge(connection, [{ key, cost: 1 + (index % 3), count: 1 }])
        return result!.granted * (1 + (index % 3))
      } finally {
        connection.release()
      }
    })
    const granted = (await Promise.all(charges)).reduce((a, b) => a + b)
    await pool.end()
    expect(granted).toBe(50)
    expect(await rowsOf(key)).toMatchObject([{ used: 50 }])
  })

  test("the quota resets at the next midnight UTC by the database's clock", async () => {
    const key = await account(1)
    const { reset } = await today()
    const { chargedAt, resetsAt } = await chargeKey(key, 1)
    expect(resetsAt).toEqual(reset)
    expect(reset.getTime() - chargedAt.getTime()).toBeLessThanOrEqual(86_400_000)
    expect(reset.getTime()).toBeGreaterThan(chargedAt.getTime())
    expect(reset.toISOString()).toMatch(/T00:00:00\.000Z$/)
  })
})

describe('rejected keys', () => {
  test('a revoked key', async () => {
    const key = await account(5)
    await chargeKey(key, 1)
    await revokeApiKey(db, { ...key, actor: 'test' })
    for (const cost of [0, 1]) expect(await brief(key, cost)).toEqual(['invalid_key', 0, 1, 5])
  })

  test('an expired key, from the instant it expires', async () => {
    const key = await account(5)
    const expire = (at: string) =>
      sql`update account.api_key set expires_at = now() + ${at}::interval where id = ${key.keyId}`.execute(db)
    await expire('1 minute')
    expect((await chargeKey(key, 1)).verdict).toBe('open')
    await expire('0')
    expect((await chargeKey(key, 1)).verdict).toBe('invalid_key')
  })

  test('an unknown key, or a key of another account', async () => {
    const [one, two] = [await account(5), await account(5)]
    expect((await chargeKey({ ...one, keyId: 999_999_999 }, 1)).verdict).toBe('invalid_key')
    expect((await chargeKey({ ...one, accountId: two.accountId }, 1)).verdict).toBe('invalid_key')
  })

  test('an account without API access, even for cost 0, and nothing is charged', async () => {
    const key = await createTestAccount(db, { plan: 'hobby' })
    for (const cost of [0, 1, 5000]) expect(await brief(key, cost)).toEqual(['no_plan', 0, 0, 1000])
    expect(await rowsOf(key)).toEqual([])
  })
})

describe('days', () => {
  /** Sets the counter of a key as if it had last been charged `offset` days from today. */
  const setCounter = (key: TestAccount, offset: number, used: number) =>
    sql`
      insert into account.api_key_quota (account_id, api_key_id, day, used, daily_limit, last_cost, last_count, last_granted)
      values (${key.accountId}, ${key.keyId}, (now() at time zone 'utc')::date + ${offset}::integer, ${used}, 2, 1, 1, 1)
      on conflict (account_id, api_key_id) do update set day = excluded.day, used = excluded.used`.execute(db)

  test('the first charge of a day starts at zero and archives the previous day', async () => {
    const key = await account(2)
    await setCounter(key, -3, 2)
    const { day, reset } = await today()
    expect(await chargeKey(key, 1)).toMatchObject({ verdict: 'open', granted: 1, used: 1, resetsAt: reset })
    expect(await brief(key, 1, 5)).toEqual(['open', 1, 2, 2])
    expect(await rowsOf(key)).toMatchObject([{ used: 2 }, { used: 2, day }])
  })

  test('processes that start a day at the same time share its quota and archive the previous day once', async () => {
    const key = await account(10)
    await setCounter(key, -1, 7)
    const clients = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const one = new pg.Client(asRole(database.url, 'brickmark_api'))
        await one.connect()
        return one
      }),
    )
    const results = await Promise.all(clients.map((one) => charge(one, [{ key, cost: 1, count: 4 }])))
    await Promise.all(clients.map((one) => one.end()))
    expect(results.reduce((sum, [result]) => sum + result!.granted, 0)).toBe(10)
    expect((await rowsOf(key)).map((row) => row.used)).toEqual([7, 10])
  })

  test('a counter that is ahead of the clock keeps its day, so that no day is granted twice', async () => {
    const key = await account(2)
    await setCounter(key, 1, 1)
    const tomorrow = new Date((await today()).reset.getTime() + 86_400_000)
    expect(await chargeKey(key, 1, 3)).toMatchObject({ granted: 1, used: 2, resetsAt: tomorrow })
    expect(await brief(key, 1)).toEqual(['exhausted', 0, 2, 2])
    expect((await rowsOf(key)).map((row) => row.used)).toEqual([2])
  })

  test.each([39, 40, 41, 100, 1000])('a key that was last charged %i days ago is charged', async (days) => {
    const key = await account(2)
    await setCounter(key, -days, 2)
    expect(await brief(key, 1)).toEqual(['open', 1, 1, 2])
    expect((await rowsOf(key)).map((row) => row.used)).toEqual(days < 40 ? [2, 1] : [1])
  })

  test('a day whose archive fails is not charged', async () => {
    const key = await account(2)
    await setCounter(key, -1, 2)
    const { day } = await today()
    await sql`insert into account.api_key_quota_history values (${key.accountId}, ${key.keyId}, ${day}::date - 1, 9, 9, now())`.execute(
      db,
    )
    await expect(chargeKey(key, 1)).rejects.toThrow('duplicate key')
    expect((await rowsOf(key)).map((row) => row.used)).toEqual(expect.arrayContaining([2, 9]))
  })
})

test('a charge says when another process charged the same key at the same time', async () => {
  const [shared, other] = [await account(10), await account(10)]
  const lock = new pg.Client(asRole(database.url, 'brickmark_api'))
  await lock.connect()
  await chargeKey(shared, 1)
  await lock.query('begin')
  await charge(lock, [{ key: shared, cost: 1, count: 1 }])
  const waiting = charge(client, [
    { key: shared, cost: 1, count: 1 },
    { key: other, cost: 1, count: 1 },
  ])
  // The statement has its snapshot once it waits for the lock.
  const blocked = sql<{ blocked: number }>`
    select count(*)::integer as blocked from pg_stat_activity
     where wait_event_type = 'Lock' and datname = current_database()`
  await expect.poll(async () => (await blocked.execute(db)).rows[0]!.blocked).toBe(1)
  await lock.query('commit')
  await lock.end()
  expect((await waiting).map(({ used, contended }) => ({ used, contended }))).toEqual([
    { used: 3, contended: true },
    { used: 1, contended: false },
  ])
  expect((await chargeKey(shared, 1)).contended).toBe(false)
})
