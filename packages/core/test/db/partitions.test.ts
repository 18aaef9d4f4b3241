import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'

/** The tables partitioned by day and by month are maintained by the same two functions. */

let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 2 }))
  await sql`insert into source.licence values ('test', 'none')`.execute(db)
  await sql`insert into source.source values ('test', 'Test', 'test')`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

async function value<T>(query: ReturnType<typeof sql<{ value: T }>>): Promise<T> {
  const { rows } = await query.execute(db)
  return rows[0]!.value
}

const add = (parent: string, first: string, last: string, step: string) =>
  value<number>(sql`select account.add_partitions(${parent}::regclass, ${first}, ${last}, ${step}::interval) as value`)
const drop = (parent: string, keepFrom: string) =>
  value<number>(sql`select account.drop_partitions(${parent}::regclass, ${keepFrom}) as value`)

/** Name and bounds of the partitions whose names match, in order. */
async function partitions(parent: string, like = '%'): Promise<string[]> {
  const { rows } = await sql<{ name: string; bounds: string }>`
    select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = ${parent}::regclass and c.relname like ${like} order by 1`.execute(db)
  return rows.map((row) => `${row.name} ${row.bounds}`)
}

const where = (table: string, id: string) =>
  sql<{ at: string }>`select tableoid::regclass::text as at from ${sql.raw(table)} where ${sql.raw(id)}`
    .execute(db)
    .then(({ rows }) => rows.map((row) => row.at))

describe('by day: account.quota_day', () => {
  const parent = 'account.quota_day'
  const insert = (key: number, day: string) =>
    sql`
    insert into account.quota_day (account_id, key_id, day, used, daily_limit, last_price, last_calls, last_granted)
    values (1, ${key}, ${day}, 1, 1, 1, 1, 1)`.execute(db)

  test('creates each partition once and moves matching rows out of the default partition', async () => {
    await insert(1, '2031-02-27')
    await insert(2, '2031-02-28')
    await insert(3, '2031-03-01')
    await insert(4, '2031-03-02')
    expect(await where(parent, 'account_id = 1')).toEqual(Array(4).fill('account.quota_day_default'))
    expect(await add(parent, '2031-02-28', '2031-03-01', '1 day')).toBe(2)
    expect(await partitions(parent, 'quota_day_2031%')).toEqual([
      "quota_day_20310228 FOR VALUES FROM ('2031-02-28') TO ('2031-03-01')",
      "quota_day_20310301 FOR VALUES FROM ('2031-03-01') TO ('2031-03-02')",
    ])
    const expected = ['default', '20310228', '20310301', 'default'].map((end) => `account.quota_day_${end}`)
    for (const [index, partition] of expected.entries()) {
      expect(await where(parent, `account_id = 1 and key_id = ${index + 1}`)).toEqual([partition])
    }
    expect(await add(parent, '2031-02-28', '2031-03-01', '1 day')).toBe(0)
    expect(await add(parent, '2031-02-28', '2031-03-02', '1 day')).toBe(1)
    // The new partition has the primary key.
    await expect(insert(2, '2031-02-28')).rejects.toThrow('duplicate key')
  })

  test('drops only partitions entirely before the day, and never the default partition', async () => {
    await insert(9, '2019-05-05')
    await add(parent, '2020-01-01', '2020-01-03', '1 day')
    expect(await drop(parent, '2020-01-02')).toBe(1)
    expect(await partitions(parent, 'quota_day_2020%')).toEqual([
      "quota_day_20200102 FOR VALUES FROM ('2020-01-02') TO ('2020-01-03')",
      "quota_day_20200103 FOR VALUES FROM ('2020-01-03') TO ('2020-01-04')",
    ])
    expect(await drop(parent, '2020-01-02')).toBe(0)
    expect(await drop(parent, '2020-01-04')).toBe(2)
    expect(await where(parent, 'key_id = 9')).toEqual(['account.quota_day_default'])
  })

  test('keep_partitions keeps 40 days back to two weeks ahead', async () => {
    await sql`select account.keep_partitions()`.execute(db)
    const day = (offset: number) =>
      value<string>(sql`select to_char((now() at time zone 'utc')::date + ${offset}::integer, 'YYYY-MM-DD') as value`)
    await add(parent, await day(-43), await day(-40), '1 day')
    const count = async () => (await partitions(parent)).length
    const before = await count()
    // Of the partitions from 43 to 40 days ago, all but the last end 40 or more days ago.
    expect(await value<number>(sql`select account.keep_partitions() as value`)).toBe(3)
    expect(await count()).toBe(before - 3)
    expect(await value<number>(sql`select account.keep_partitions() as value`)).toBe(0)
    const names = (await partitions(parent)).map((line) => line.split(' ')[0])
    for (const offset of [-40, -1, 0, 1, 14]) {
      expect(names).toContain(`quota_day_${(await day(offset)).replaceAll('-', '')}`)
    }
    expect(names).not.toContain(`quota_day_${(await day(-41)).replaceAll('-', '')}`)
  })
})

describe('by month: source.sale_observation', () => {
  const parent = 'source.sale_observation'
  const insert = (event: string, day: string) =>
    sql`
    insert into source.sale_observation (source_id, event_id, licence_id, sold_on, item_kind, item_number, condition,
      unit_price_usd, currency, fx_rate, quantity, known_on)
    values ('test', ${event}, 'test', ${day}, 'set', '1-1', 'sealed', 10, 'USD', 1, 1, ${day})`.execute(db)

  test('creates each partition once, from the first of the month, across the turn of the year', async () => {
    const days = ['2031-11-30', '2031-12-01', '2032-01-31', '2032-02-29', '2032-03-01']
    for (const day of days) await insert(day, day)
    expect(await add(parent, '2031-12-17', '2032-02-01', '1 month')).toBe(3)
    expect(await partitions(parent, 'sale_observation_203%')).toEqual([
      "sale_observation_203112 FOR VALUES FROM ('2031-12-01') TO ('2032-01-01')",
      "sale_observation_203201 FOR VALUES FROM ('2032-01-01') TO ('2032-02-01')",
      "sale_observation_203202 FOR VALUES FROM ('2032-02-01') TO ('2032-03-01')",
    ])
    const expected = ['default', '203112', '203201', '203202', 'default'].map((end) => `source.sale_observation_${end}`)
    for (const [index, day] of days.entries()) {
      expect(await where(parent, `event_id = '${day}'`)).toEqual([expected[index]])
    }
    expect(await add(parent, '2031-12-17', '2032-02-01', '1 month')).toBe(0)
  })

  test('a new partition has the indexes and checks of its parent', async () => {
    await add(parent, '2033-01-01', '2033-01-31', '1 month')
    await insert('twin', '2033-01-05')
    await expect(insert('twin', '2033-01-05')).rejects.toThrow('duplicate key')
    const free = sql`
      insert into source.sale_observation (source_id, event_id, licence_id, sold_on, item_kind, item_number, condition,
        unit_price_usd, currency, fx_rate, quantity, known_on)
      values ('test', 'free', 'test', '2033-01-05', 'set', '1-1', 'sealed', 0, 'USD', 1, 1, '2033-01-05')`
    await expect(free.execute(db)).rejects.toThrow('check')
    const indexes = await value<number>(
      sql`select count(*) as value from pg_index where indrelid = 'source.sale_observation_203301'::regclass`,
    )
    expect(indexes).toBe(2)
  })

  test('drops only partitions entirely before the day', async () => {
    await add(parent, '2001-01-01', '2001-03-01', '1 month')
    expect(await drop(parent, '2001-02-15')).toBe(1)
    expect(await partitions(parent, 'sale_observation_2001%')).toHaveLength(2)
  })

  test('keep_partitions keeps three years back to half a year ahead and is idempotent', async () => {
    expect(await value<number>(sql`select source.keep_partitions() as value`)).toBe(0)
    const name = (months: number) =>
      value<string>(
        sql`select to_char(current_date + ${months}::integer * interval '1 month', '"sale_observation_"YYYYMM') as value`,
      )
    const names = (await partitions(parent)).map((line) => line.split(' ')[0])
    for (const months of [-36, -1, 0, 1, 6]) expect(names).toContain(await name(months))
    await sql`drop table ${sql.raw(`source.${await name(2)}`)}`.execute(db)
    expect(await value<number>(sql`select source.keep_partitions() as value`)).toBe(1)
  })
})

describe('privileges', () => {
  test.each([
    ['brickmark_worker', 'select account.keep_partitions()', true],
    ['brickmark_worker', 'select source.keep_partitions()', true],
    ['brickmark_worker', "select account.drop_partitions('account.quota_day', '2031-01-01')", false],
    [
      'brickmark_worker',
      "select account.add_partitions('account.quota_day', '2031-01-01', '2031-01-01', '1 day')",
      false,
    ],
    ['brickmark_api', 'select account.keep_partitions()', false],
    ['brickmark_api', 'select source.keep_partitions()', false],
    ['brickmark_web', 'select account.keep_partitions()', false],
    ['brickmark_web', "select account.drop_partitions('account.quota_day', '2031-01-01')", false],
  ] as const)('%s may run "%s": %s', async (role, query, allowed) => {
    const client = new pg.Client(asRole(database.url, role))
    await client.connect()
    try {
      const result = client.query(query)
      await (allowed ? expect(result).resolves.toBeDefined() : expect(result).rejects.toThrow('permission denied'))
    } finally {
      await client.end()
    }
  })
})
