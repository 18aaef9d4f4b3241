import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { findAverageCosts, findCollectionsWithLots, findHeldLots } from '@brickmark/core/portfolio/held-lot-queries'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { addSet } from '@brickmark/tests/support/fixtures'

let database: TestDatabase
let ownerDatabase: Database
let readerDatabase: Database

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  ownerDatabase = openDatabase(openPool(database.url, { size: 1, statementTimeoutMs: 60_000 }))
  readerDatabase = openDatabase(openPool(asRole(database.url, 'brickmark_api'), { size: 1 }))
  // Its reads would count as those of the query.
  await sql`alter table portfolio.lot set (autovacuum_enabled = off)`.execute(ownerDatabase)
  await addSet(ownerDatabase, { set_number: '90001-1' })
  await sql`insert into account.account (name, plan) select 'account ' || n, 'reseller' from generate_series(1, 300) n`.execute(
    ownerDatabase,
  )
  await sql`insert into portfolio.collection (account_id, name) select id, 'Stock' from account.account`.execute(
    ownerDatabase,
  )
  // Insert lots round-robin across accounts, so that each lot of an account is on a different page.
  await sql`insert into portfolio.lot (account_id, collection_id, set_number, condition, quantity, purchase_price_cents, purchase_date)
    select account_id, id, '90001-1', 'sealed', 1, 6000, '2025-01-15' from generate_series(1, 100) lot, portfolio.collection
     order by lot, account_id`.execute(ownerDatabase)
  // Skips pages that something else is reading, such as autovacuum.
  const vacuum = async () => {
    await sql`vacuum analyze portfolio.lot`.execute(ownerDatabase)
    const { rows } = await sql<{ complete: boolean }>`
      select relallvisible = relpages as complete from pg_class where oid = 'portfolio.lot'::regclass`.execute(
      ownerDatabase,
    )
    return rows[0]!.complete
  }
  await vi.waitUntil(vacuum, { timeout: 30_000, interval: 200 })
})
afterAll(async () => {
  await Promise.all([ownerDatabase.destroy(), readerDatabase.destroy()])
  await database.drop()
})

/** Returns how many heap pages one account's reads access. */
async function tablePages(read: (db: Database) => Promise<unknown>): Promise<number> {
  const pagesRead = async () => {
    // A connection reports its statistics when it is idle after a transaction, or when forced to.
    for (const db of [ownerDatabase, readerDatabase]) {
      await sql`select pg_stat_force_next_flush()`.execute(db)
      await sql`select 1`.execute(db)
    }
    const { rows } = await sql<{ pages: number }>`
      select heap_blks_read + heap_blks_hit as pages from pg_statio_user_tables where relid = 'portfolio.lot'::regclass`.execute(
      ownerDatabase,
    )
    return rows[0]!.pages
  }
  const before = await pagesRead()
  await read(readerDatabase)
  return (await pagesRead()) - before
}

test("reads an account's lots with index-only scans, wherever they are in the table", async () => {
  const pages: number[] = []
  for (const read of [
    (db: Database) => findHeldLots(db, 7, { limit: 50, offset: 0 }),
    (db: Database) => findAverageCosts(db, 7),
    (db: Database) => findCollectionsWithLots(db, 7),
  ]) {
    pages.push(await tablePages(read))
  }
  // One visibility map page per scan, and none of the 100 heap pages that hold the lots.
  expect(pages).toEqual([2, 1, 1])
})
