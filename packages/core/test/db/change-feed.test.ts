import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { createDatabase, type TestDatabase } from '@brickmark/tests/support/database'

type Payload = { sets?: string[]; minifigs?: string[]; all?: true; marker?: number }

let database: TestDatabase
let writer: pg.Client
let listener: pg.Client
let received: Payload[] = []
let markers = 0

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  writer = new pg.Client(database.url)
  listener = new pg.Client(database.url)
  await writer.connect()
  await listener.connect()
  listener.on('notification', ({ payload }) => received.push(JSON.parse(payload!) as Payload))
  await listener.query('listen catalog_changed')
  await write(`insert into catalog.retailer values ('retailer_a', 'A')`)
  await write(`insert into catalog.set (set_number, title, theme) values ('1-1', 'One', 'T'), ('2-1', 'Two', 'T')`)
  await write(`insert into catalog.minifig (minifig_number, name) values ('m1', 'One'), ('m2', 'Two')`)
})
afterAll(async () => {
  await writer.end()
  await listener.end()
  await database.drop()
})

/** Returns the notifications of these statements in order; a marker sent after them arrives after them. */
async function write(...statements: string[]): Promise<Payload[]> {
  for (const statement of statements) await writer.query(statement)
  const marker = ++markers
  await writer.query(`select pg_notify('catalog_changed', '{"marker":${marker}}')`)
  await vi.waitFor(() => expect(received.at(-1)?.marker).toBe(marker), { interval: 2, timeout: 5000 })
  const payloads = received.slice(0, -1)
  received = []
  return payloads
}

const value = "100, 90, 110, 'market', now()"
const state = "false, false, 'https://retailer-a.example/', now()"

describe('every shared table', () => {
  const both = { sets: ['1-1', '2-1'] }
  test.each([
    ['catalog.retailer', { all: true }, "values ('retailer_a', 'A')", "name = 'B'"],
    ['catalog.set', both, "(set_number, title, theme) values ('1-1', 'One', 'T'), ('2-1', 'Two', 'T')", "title = 'x'"],
    ['market.set_value', both, `values ('1-1', 'used', ${value}), ('2-1', 'sealed', ${value})`, 'value_cents = 101'],
    [
      'market.set_month',
      both,
      "values ('1-1', 'used', '2025-01-01', 1), ('2-1', 'sealed', '2025-01-01', 1), ('2-1', 'used', '2025-01-01', 1)",
      null,
    ],
    [
      'market.retail_state',
      both,
      `(set_number, retailer, flip_1p_to_3p, at_lowest, product_url, last_checked_at)
         values ('1-1', 'retailer_a', ${state}), ('2-1', 'retailer_a', ${state})`,
      'price_cents = 1',
    ],
    ['market.resale_offer', both, "values ('1-1', 1), ('2-1', 1)", 'fba_sellers = 1'],
    ['catalog.set_minifig', both, "values ('1-1', 'm1', 1), ('1-1', 'm2', 1), ('2-1', 'm1', 1)", 'quantity = 2'],
    [
      'market.minifig_value',
      { minifigs: ['m1', 'm2'] },
      `values ('m1', ${value}), ('m2', ${value})`,
      'value_cents = 101',
    ],
    [
      'catalog.minifig',
      { minifigs: ['m1', 'm2'] },
      "(minifig_number, name) values ('m1', 'a'), ('m2', 'b')",
      "name = 'x'",
    ],
  ])('%s publishes %j on insert, update and delete', async (table, payload, values, change) => {
    await write(`delete from ${table}`)
    expect(await write(`insert into ${table} ${values}`)).toEqual([payload])
    // A finalized month is never updated.
    if (change !== null) expect(await write(`update ${table} set ${change}`)).toEqual([payload])
    const removed = await write(`delete from ${table}`)
    expect(removed).toContainEqual(payload)
    expect(await write(`delete from ${table}`)).toEqual(table === 'catalog.retailer' ? [payload] : [])
    await write(`insert into ${table} ${values}`)
  })

  test('every shared table the API role can read has notification triggers', async () => {
    const { rows } = await writer.query<{ name: string; triggers: string[] }>(`
      select c.oid::regclass::text as name,
             array(select tgname::text from pg_trigger where tgrelid = c.oid and not tgisinternal order by 1) as triggers
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('catalog', 'market') and c.relkind in ('r', 'p')
         and has_table_privilege('brickmark_api', c.oid, 'select') order by 1`)
    expect(rows.length).toBeGreaterThanOrEqual(9)
    for (const { name, triggers } of rows) {
      expect(triggers, name).toEqual(expect.arrayContaining(['notify_delete', 'notify_insert', 'notify_update']))
    }
  })
})

describe('publishes only actual changes', () => {
  test('publishes only the changed row', async () => {
    expect(await write("update catalog.set set title = 'y' where set_number = '2-1'")).toEqual([{ sets: ['2-1'] }])
  })

  test('publishes nothing for a statement that changes no row', async () => {
    expect(await write("update catalog.set set title = 'y' where set_number = 'no'")).toEqual([])
  })

  test('publishes nothing before the commit or after a rollback', async () => {
    await writer.query('begin')
    await writer.query("update catalog.set set title = 'z'")
    await listener.query('select 1')
    expect(received).toEqual([])
    expect(await write('rollback')).toEqual([])
    expect(await write('begin', "update catalog.set set title = 'z'", 'commit')).toEqual([{ sets: ['1-1', '2-1'] }])
  })

  test('publishes a deleted set, and its cascade causes no full reload', async () => {
    const published = await write("delete from catalog.set where set_number = '1-1'")
    expect(published.flatMap((payload) => payload.sets ?? [])).toContain('1-1')
    expect(published.some((payload) => payload.all)).toBe(false)
  })

  test('publishes a deleted minifig and the sets that contained it', async () => {
    await write("insert into catalog.set_minifig values ('2-1', 'm2', 1) on conflict do nothing")
    const published = await write("delete from catalog.minifig where minifig_number = 'm2'")
    expect(published).toContainEqual({ minifigs: ['m2'] })
    expect(published).toContainEqual({ sets: ['2-1'] })
  })
})

describe('bulk changes', () => {
  const insert = (count: number, prefix: string) =>
    write(`insert into catalog.set (set_number, title, theme)
             select '${prefix}' || n, 'Many', 'T' from generate_series(1, ${count}) n`)
  const sizes = (payloads: Payload[]) => payloads.map((payload) => payload.sets?.length)

  test('are split into payloads of 200 numbers, each number once', async () => {
    const payloads = await insert(450, 'a')
    expect(sizes(payloads)).toEqual([200, 200, 50])
    const numbers = payloads.flatMap((payload) => payload.sets!)
    expect(new Set(numbers)).toEqual(new Set(Array.from({ length: 450 }, (_, index) => `a${index + 1}`)))
    expect(numbers).toHaveLength(450)
    expect(sizes(await insert(200, 'b'))).toEqual([200])
    expect(sizes(await insert(201, 'c'))).toEqual([200, 1])
  })

  test('up to 2000 numbers are listed; more trigger a full reload', async () => {
    expect(sizes(await insert(2000, 'd'))).toEqual(Array(10).fill(200))
    expect(await insert(2001, 'e')).toEqual([{ all: true }])
  })

  test('200 numbers of maximum length fit into one payload', async () => {
    expect(sizes(await insert(200, `${'x'.repeat(20)}-`))).toEqual([200])
  })
})
