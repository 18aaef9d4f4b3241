import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { maintainPartitions } from '@brickmark/core/db/partition-commands'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'

/** All partitioned tables are maintained by the same functions, each according to its policy. */

let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 2 }))
  await sql`insert into source.license values ('test', 'none')`.execute(db)
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

/** Runs a query as the role that owns the partitions, so that maintenance may drop those created here. */
async function asMaintenance(query: ReturnType<typeof sql<{ value: number }>>): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    await sql`set local role brickmark_maintenance`.execute(transaction)
    return (await query.execute(transaction)).rows[0]!.value
  })
}

const add = (parent: string, first: string, last: string, step: string) =>
  asMaintenance(
    sql`select maintenance.add_partitions(${parent}::regclass, ${first}, ${last}, ${step}::interval) as value`,
  )
const drop = (parent: string, keepFrom: string) =>
  asMaintenance(sql`select maintenance.drop_partitions(${parent}::regclass, ${keepFrom}) as value`)
const maintain = (table: string) =>
  value<number>(
    sql`select maintenance.create_partitions(${table}) + maintenance.drop_expired_partitions(${table}) as value`,
  )

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

const shiftedDay = (offset: string) =>
  value<string>(sql`select to_char(((now() at time zone 'utc')::date + ${offset}::interval), 'YYYY-MM-DD') as value`)

describe('by month, without a default partition: account.api_key_usage', () => {
  const parent = 'account.api_key_usage'
  const insert = (key: number, day: string) =>
    sql`insert into account.api_key_usage values (1, ${key}, ${day}, 200, 1)`.execute(db)

  test('creates each partition once, with the keys of its parent', async () => {
    await expect(insert(1, '2031-02-27')).rejects.toThrow('no partition')
    expect(await add(parent, '2031-02-28', '2031-03-01', '1 month')).toBe(2)
    expect(await partitions(parent, 'api_key_usage_2031%')).toEqual([
      "api_key_usage_20310201 FOR VALUES FROM ('2031-02-01') TO ('2031-03-01')",
      "api_key_usage_20310301 FOR VALUES FROM ('2031-03-01') TO ('2031-04-01')",
    ])
    await insert(1, '2031-02-28')
    await insert(1, '2031-03-01')
    expect(await where(parent, 'account_id = 1')).toEqual([
      'account.api_key_usage_20310201',
      'account.api_key_usage_20310301',
    ])
    expect(await add(parent, '2031-02-28', '2031-03-31', '1 month')).toBe(0)
    await expect(insert(1, '2031-02-28')).rejects.toThrow('duplicate key')
  })

  test.each(['account.api_key_usage', 'account.api_key_quota_history'])(
    'maintenance keeps 40 days of %s and half a year ahead',
    async (table) => {
      expect(await maintain(table)).toBe(0)
      const name = table.split('.')[1]!
      const month = async (offset: string) => `${name}_${(await shiftedDay(offset)).slice(0, 7).replace('-', '')}01`
      const names = async () => (await partitions(table)).map((line) => line.split(' ')[0])
      for (const offset of ['-40 days', '0', '6 months']) expect(await names()).toContain(await month(offset))
      await add(table, await shiftedDay('-4 months'), await shiftedDay('-3 months'), '1 month')
      expect(await maintain(table)).toBe(2)
      expect(await names()).not.toContain(await month('-3 months'))
      expect(await maintain(table)).toBe(0)
    },
  )
})

describe('by quarter, with a default partition: source.sale_observation', () => {
  const parent = 'source.sale_observation'
  const insert = (event: string, day: string) =>
    sql`
    insert into source.sale_observation (source_id, event_id, license_id, sold_on, item_kind, item_number, condition,
      unit_price_cents, currency, fx_rate, quantity, known_on)
    values ('test', ${event}, 'test', ${day}, 'set', '1-1', 'sealed', 10, 'USD', 1, 1, ${day})`.execute(db)

  test('creates each partition once, across the turn of the year, and moves matching rows out of the default', async () => {
    const days = ['2031-09-30', '2031-10-01', '2032-01-31', '2032-03-31', '2032-04-01']
    for (const day of days) await insert(day, day)
    expect(await where(parent, "event_id ~ '^203'")).toEqual(Array(5).fill('source.sale_observation_default'))
    expect(await add(parent, '2031-12-17', '2032-02-01', '3 months')).toBe(2)
    expect(await partitions(parent, 'sale_observation_203%')).toEqual([
      "sale_observation_20311001 FOR VALUES FROM ('2031-10-01') TO ('2032-01-01')",
      "sale_observation_20320101 FOR VALUES FROM ('2032-01-01') TO ('2032-04-01')",
    ])
    const expected = ['default', '20311001', '20320101', '20320101', 'default'].map(
      (end) => `source.sale_observation_${end}`,
    )
    for (const [index, day] of days.entries()) {
      expect(await where(parent, `event_id = '${day}'`)).toEqual([expected[index]])
    }
    expect(await add(parent, '2031-12-17', '2032-02-01', '3 months')).toBe(0)
  })

  test('a new partition has the indexes and checks of its parent', async () => {
    await add(parent, '2033-01-01', '2033-01-31', '3 months')
    await insert('twin', '2033-01-05')
    await expect(insert('twin', '2033-01-05')).rejects.toThrow('duplicate key')
    const free = sql`
      insert into source.sale_observation (source_id, event_id, license_id, sold_on, item_kind, item_number, condition,
        unit_price_cents, currency, fx_rate, quantity, known_on)
      values ('test', 'free', 'test', '2033-01-05', 'set', '1-1', 'sealed', 0, 'USD', 1, 1, '2033-01-05')`
    await expect(free.execute(db)).rejects.toThrow('check')
    const indexes = await value<number>(
      sql`select count(*) as value from pg_index where indrelid = 'source.sale_observation_20330101'::regclass`,
    )
    expect(indexes).toBe(2)
  })

  test('drops only partitions entirely before the day', async () => {
    await insert('old', '1999-05-05')
    await add(parent, '2001-01-01', '2001-09-30', '3 months')
    expect(await drop(parent, '2001-04-15')).toBe(1)
    expect(await partitions(parent, 'sale_observation_2001%')).toHaveLength(2)
    expect(await where(parent, "event_id = 'old'")).toEqual(['source.sale_observation_default'])
  })

  test('maintenance keeps four years back to half a year ahead and is idempotent', async () => {
    expect(await maintain(parent)).toBe(0)
    const name = (months: number) =>
      value<string>(
        sql`select to_char(date_trunc('quarter', current_date + ${months}::integer * interval '1 month'), '"sale_observation_"YYYYMMDD') as value`,
      )
    const names = (await partitions(parent)).map((line) => line.split(' ')[0])
    for (const months of [-49, -1, 0, 1, 6]) expect(names).toContain(await name(months))
    await sql`drop table ${sql.raw(`source.${await name(6)}`)}`.execute(db)
    expect(await maintain(parent)).toBe(1)
  })
})

test("bounds don't depend on the time zone of the session", async () => {
  const client = new pg.Client(database.url)
  await client.connect()
  await client.query("set timezone = 'America/New_York'")
  await client.query(
    "select maintenance.add_partitions('source.retail_observation', '2040-01-01', '2040-01-01', '3 months')",
  )
  await client.query("set timezone = 'Asia/Tokyo'")
  await client.query(
    "select maintenance.add_partitions('source.retail_observation', '2040-04-01', '2040-04-01', '3 months')",
  )
  await client.end()
  const utc = new pg.Client(database.url)
  await utc.connect()
  await utc.query("set timezone = 'UTC'")
  const { rows } = await utc.query<{ bounds: string }>(
    `select pg_get_expr(relpartbound, oid) as bounds from pg_class where relname ~ '^retail_observation_2040' and relkind = 'r' order by relname`,
  )
  await utc.end()
  expect(rows.map((row) => row.bounds)).toEqual([
    "FOR VALUES FROM ('2040-01-01 00:00:00+00') TO ('2040-04-01 00:00:00+00')",
    "FOR VALUES FROM ('2040-04-01 00:00:00+00') TO ('2040-07-01 00:00:00+00')",
  ])
})

describe('while another session holds locks', () => {
  /** Locks tables as pg_dump does, which holds a lock on every table for as long as it runs. */
  async function lockLikePgDump(tables: string[]): Promise<pg.Client> {
    const dump = new pg.Client(database.url)
    await dump.connect()
    await dump.query('begin')
    for (const table of tables) await dump.query(`lock table ${table} in access share mode`)
    return dump
  }

  test('maintenance creates partitions, and gives up dropping one after 100 ms', async () => {
    const table = 'account.api_key_usage'
    await add(table, await shiftedDay('-5 months'), await shiftedDay('-5 months'), '1 month')
    const worker = new pg.Client(asRole(database.url, 'brickmark_worker'))
    await worker.connect()
    const dump = await lockLikePgDump([table])
    const dropping = worker.query('select maintenance.drop_expired_partitions($1)', [table])
    await expect(dropping).rejects.toMatchObject({ code: '55P03' })
    expect(await add(table, '2035-01-01', '2035-01-01', '1 month')).toBe(1)
    await dump.end()
    expect((await worker.query('select maintenance.drop_expired_partitions($1) as n', [table])).rows).toEqual([
      { n: 1 },
    ])
    await worker.end()
  })

  test('a locked table is retried until it is free, and the others are maintained meanwhile', async () => {
    const [usage, history] = ['account.api_key_usage', 'account.api_key_quota_history']
    for (const table of [usage, history])
      await add(table, await shiftedDay('-5 months'), await shiftedDay('-5 months'), '1 month')
    const pool = openPool(asRole(database.url, 'brickmark_worker'), { size: 1 })
    const worker = openDatabase(pool)
    const before = (await partitions(history)).length
    const nextMonth = (await shiftedDay('1 month')).slice(0, 7).replace('-', '')
    const [upcoming] = await partitions(usage, `%${nextMonth}01`)
    expect(upcoming).toBeDefined()
    await sql`drop table account.${sql.raw(upcoming!.split(' ')[0]!)}`.execute(db)
    const dump = await lockLikePgDump([usage])
    const maintained = maintainPartitions(worker)
    await expect.poll(async () => (await partitions(history)).length).toBe(before - 1)
    // The locked table can't drop its old partition yet, but has its new one.
    expect(await partitions(usage)).toContain(upcoming)
    await dump.end()
    expect(await maintained).toMatchObject({ [usage]: 2, [history]: 1 })
    await worker.destroy()
  })
})

describe('privileges', () => {
  test.each([
    ['brickmark_worker', "select maintenance.create_partitions('account.api_key_usage')", true],
    ['brickmark_worker', "select maintenance.create_partitions('source.sale_observation')", true],
    ['brickmark_worker', "select maintenance.drop_partitions('account.api_key_usage', '2031-01-01')", false],
    [
      'brickmark_worker',
      "select maintenance.add_partitions('account.api_key_usage', '2031-01-01', '2031-01-01', '1 month')",
      false,
    ],
    ['brickmark_api', "select maintenance.create_partitions('account.api_key_usage')", false],
    ['brickmark_web', "select maintenance.create_partitions('account.api_key_usage')", false],
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
