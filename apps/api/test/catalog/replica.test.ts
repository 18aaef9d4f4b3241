import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { loadMinifigs } from '@brickmark/core/market/values/minifig-record-queries'
import { loadSets } from '@brickmark/core/market/values/set-record-queries'
import { findSetNumbers } from '@brickmark/core/catalog/set-queries'
import { CatalogReplica } from '../../catalog/replica.ts'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { addMonth, addRetailers, addRetailState, addSet, addValue } from '@brickmark/tests/support/fixtures'

const SETS = 1000

let database: TestDatabase
let db: Database
let replica: CatalogReplica
/** How often the replica has lost its connection or failed to connect. */
let disconnects = 0

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 4, statementTimeoutMs: 20_000 }))
  await addRetailers(db)
  await sql`insert into catalog.set (set_number, title, theme)
            select n || '-1', 'Crate ' || n, 'Harbor' from generate_series(1, ${SETS}::integer) n`.execute(db)
  await sql`insert into market.set_value select set_number, 'sealed', 10000, 8000, 12500, 'market', now()
              from catalog.set`.execute(db)
  await db
    .insertInto('catalog.minifig')
    .values([
      { minifig_number: 'm1', name: 'Keeper' },
      { minifig_number: 'm2', name: 'Sailor' },
    ])
    .execute()
  const log = pino({ level: 'warn' }, { write: () => disconnects++ })
  replica = new CatalogReplica(asRole(database.url, 'brickmark_api'), log)
  await replica.start()
})
afterAll(async () => {
  await replica.stop()
  await db.destroy()
  await database.drop()
})

/** Retries for one second after the commit, which is when this is called. */
const soon = (check: () => void) => vi.waitFor(check, { timeout: 1000, interval: 5 })
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 5 })
const valueOf = (number: string) => replica.catalog.valueOf(number, 'sealed')
const found = (query: string) => replica.catalog.searchSets(query, 0, 50).items.map((set) => set.set_number)
const minifigsFound = (query: string) =>
  replica.catalog.searchMinifigs(query, 0, 50).items.map((minifig) => minifig.minifig_number)

/** Returns the numbers of sets and minifigs that differ between the replica and the database. */
async function stale(): Promise<string[]> {
  const sets = await loadSets(db, await findSetNumbers(db))
  const minifigs = await loadMinifigs(db)
  const plain = (value: unknown) => JSON.stringify(value)
  return [
    ...sets
      .filter((set) => {
        const shown = replica.catalog.set(set.set_number)
        if (!shown || plain(shown) !== plain(set)) return true
        return (['sealed', 'used'] as const).some(
          (condition) => plain(shown.months[condition].months()) !== plain(set.months[condition].months()),
        )
      })
      .map((set) => set.set_number),
    ...minifigs
      .filter((minifig) => plain(replica.catalog.minifig(minifig.minifig_number)) !== plain(minifig))
      .map((minifig) => minifig.minifig_number),
  ]
}

test('loads the same data as the database', async () => {
  expect(replica.isFresh).toBe(true)
  expect(replica.catalog.themes()).toEqual([{ theme: 'Harbor', set_count: SETS }])
  expect(await stale()).toEqual([])
})

describe('serves a change within one second', () => {
  test('of a value', async () => {
    await sql`update market.set_value set value_cents = 10150 where set_number = '1-1'`.execute(db)
    await soon(() => expect(valueOf('1-1')).toBe(10_150))
    await sql`delete from market.set_value where set_number = '1-1'`.execute(db)
    await soon(() => expect(valueOf('1-1')).toBeNull())
    await addValue(db, { set_number: '1-1', condition: 'used', value_cents: 9000 })
    await soon(() => expect(replica.catalog.valueOf('1-1', 'used')).toBe(9000))
  })

  test('of a month', async () => {
    await addMonth(db, { set_number: '1-1', month: '2026-05-01', value_cents: 7700 })
    await soon(() => expect(replica.catalog.set('1')?.months.sealed.months()).toMatchObject([{ value: 7700 }]))
  })

  test('of a retail price, an exit and a retailer name', async () => {
    await addRetailState(db, { set_number: '1-1', price_cents: 4999 })
    await soon(() => expect(replica.catalog.set('1')?.retail.retailer_a?.price).toBe(4999))
    await db.insertInto('market.resale_offer').values({ set_number: '1-1', fba_sellers: 3 }).execute()
    await soon(() => expect(replica.catalog.set('1')?.exit?.fba_sellers).toBe(3))
    await sql`update catalog.retailer set name = 'Shop A' where retailer = 'retailer_a'`.execute(db)
    await soon(() => expect(replica.catalog.set('1')?.retail.retailer_a?.retailer_name).toBe('Shop A'))
  })

  test('adds a new set to every index and removes a deleted set from every index', async () => {
    const codes = { asin: 'B0NEW00001', upc: '111111111111', ean: '2222222222222' }
    await addSet(db, { set_number: '777000-1', title: 'Brand New Pier', theme: 'Pier', ...codes })
    await soon(() => expect(replica.catalog.set('777000')?.title).toBe('Brand New Pier'))
    const everywhere = () => [
      replica.catalog.setByAsin('B0NEW00001')?.set_number,
      replica.catalog.setByBarcode('111111111111')?.set_number,
      replica.catalog.setByBarcode('2222222222222')?.set_number,
      found('brand new')[0],
      replica.catalog.themes().find(({ theme }) => theme === 'Pier') && '777000-1',
    ]
    expect(everywhere()).toEqual(Array(5).fill('777000-1'))
    await sql`delete from catalog.set where set_number = '777000-1'`.execute(db)
    await soon(() => expect(replica.catalog.set('777000')).toBeUndefined())
    expect(everywhere()).toEqual(Array(5).fill(undefined))
  })

  test('finds a renamed set by its new name only', async () => {
    await sql`update catalog.set set title = 'Gilded Windmill', theme = 'Farm' where set_number = '2-1'`.execute(db)
    await soon(() => expect(found('gilded')).toEqual(['2-1']))
    expect(found('crate 2')).not.toContain('2-1')
    expect(replica.catalog.themes()).toContainEqual({ theme: 'Farm', set_count: 1 })
  })

  test('follows an ASIN and a UPC that move to another set', async () => {
    await sql`update catalog.set set asin = 'B0MOVES001', upc = '333333333333' where set_number = '3-1'`.execute(db)
    await soon(() => expect(replica.catalog.setByAsin('B0MOVES001')?.set_number).toBe('3-1'))
    await db.transaction().execute(async (both) => {
      await sql`update catalog.set set asin = null, upc = null where set_number = '3-1'`.execute(both)
      await sql`update catalog.set set asin = 'B0MOVES001', upc = '333333333333' where set_number = '4-1'`.execute(both)
    })
    await soon(() => expect(replica.catalog.setByAsin('B0MOVES001')?.set_number).toBe('4-1'))
    expect(replica.catalog.setByBarcode('0333333333333')?.set_number).toBe('4-1')
    await sql`update catalog.set set asin = null, upc = null where set_number = '4-1'`.execute(db)
    await soon(() => expect(replica.catalog.setByAsin('B0MOVES001')).toBeUndefined())
    expect(replica.catalog.setByBarcode('333333333333')).toBeUndefined()
  })

  test('updates links between sets and minifigs on both sides', async () => {
    const link = (number: number) => ({ set_number: `${number}-1`, minifig_number: 'm1', quantity: 2 })
    await db
      .insertInto('catalog.set_minifig')
      .values([link(10), link(9)])
      .execute()
    await soon(() => expect(replica.catalog.setNumbersWithMinifig('m1')).toEqual(['9-1', '10-1']))
    expect(replica.catalog.set('9')).toMatchObject({ minifigs: ['m1'], minifigs_count: 2 })
    await sql`delete from catalog.set_minifig where set_number = '9-1'`.execute(db)
    await soon(() => expect(replica.catalog.setNumbersWithMinifig('m1')).toEqual(['10-1']))
    expect(replica.catalog.set('9')).toMatchObject({ minifigs: [], minifigs_count: 0 })
    await sql`delete from catalog.minifig where minifig_number = 'm1'`.execute(db)
    await soon(() => expect(replica.catalog.set('10')?.minifigs).toEqual([]))
    await soon(() => expect(replica.catalog.minifig('M1')).toBeUndefined())
  })

  test('updates the name and value of a minifig', async () => {
    await sql`update catalog.minifig set name = 'Harpooner' where minifig_number = 'm2'`.execute(db)
    await soon(() => expect(minifigsFound('harpoon')).toEqual(['m2']))
    expect(minifigsFound('sailor')).toEqual([])
    await sql`insert into market.minifig_value values ('m2', 500, 400, 600, 'market', now())`.execute(db)
    await soon(() => expect(replica.catalog.minifig('M2')?.value?.value).toBe(500))
  })

  test('reloads everything when more than 2,000 sets change', async () => {
    await sql`insert into catalog.set (set_number, title, theme)
              select 'x' || n, 'Bulk', 'Bulk' from generate_series(1, 2001) n`.execute(db)
    await eventually(() => expect(replica.catalog.themes()).toContainEqual({ theme: 'Bulk', set_count: 2001 }))
    await sql`delete from catalog.set where theme = 'Bulk'`.execute(db)
    await eventually(() => expect(found('bulk')).toEqual([]))
  })
})

/** Runs statements on the server as a superuser, e.g. to terminate connections to this database. */
async function onServer(...statements: string[]): Promise<void> {
  const client = new pg.Client(inject('serverUrl'))
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}
const name = () => new URL(database.url).pathname.slice(1)
const terminate = (application: string) =>
  `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name()}' and application_name like '${application}'`

describe('when the connection is lost', () => {
  test('has no stale records after 1,000 changes were made while the listener was disconnected', async () => {
    await onServer(terminate('brickmark catalog'))
    for (let number = 1; number <= SETS; number += 4) {
      await Promise.all(
        [0, 1, 2, 3].map((offset) =>
          sql`insert into market.set_value values (${`${number + offset}-1`}, 'sealed', ${(200 + number + offset) * 100}, 100, 999900, 'market', now())
              on conflict (set_number, condition) do update set value_cents = excluded.value_cents,
                range_low_cents = excluded.range_low_cents, range_high_cents = excluded.range_high_cents`.execute(db),
        ),
      )
    }
    // Notifications arrive in order: once the last change is served, all earlier ones have been applied.
    await sql`update catalog.set set title = 'The last change' where set_number = '5-1'`.execute(db)
    await eventually(() => expect([replica.isFresh, found('last change')]).toEqual([true, ['5-1']]))
    expect(await stale()).toEqual([])
    expect(valueOf(`${SETS}-1`)).toBe((200 + SETS) * 100)
  })

  test('has no stale records after repeated disconnects during changes', async () => {
    const killing = (async () => {
      for (let round = 0; round < 5; round++) {
        await onServer(terminate('brickmark catalog'))
        await sleep(60)
      }
    })()
    for (let number = 1; number <= 300; number++) {
      await sql`update market.set_value set value_cents = ${(500 + number) * 100}
                 where condition = 'sealed' and set_number = ${`${number}-1`}`.execute(db)
    }
    await killing
    await sql`update catalog.set set title = 'Peace at last' where set_number = '6-1'`.execute(db)
    await eventually(() => expect([replica.isFresh, found('peace at')]).toEqual([true, ['6-1']]))
    expect(await stale()).toEqual([])
  })

  test('serves stale data while the database rejects connections, then catches up', async () => {
    const before = valueOf('7-1')
    await onServer(`alter database ${name()} allow_connections false`, terminate('%'))
    await eventually(() => expect(replica.isFresh).toBe(false))
    const after = disconnects
    await eventually(() => expect(disconnects).toBeGreaterThan(after + 1))
    expect([replica.isFresh, valueOf('7-1'), found('gilded')]).toEqual([false, before, ['2-1']])
    await onServer(`alter database ${name()} allow_connections true`)
    await sql`update market.set_value set value_cents = 432100 where set_number = '7-1'`.execute(db)
    await eventually(() => expect([replica.isFresh, valueOf('7-1')]).toEqual([true, 432_100]))
    expect(await stale()).toEqual([])
  })
})
