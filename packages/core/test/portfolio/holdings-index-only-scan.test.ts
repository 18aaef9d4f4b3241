import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase, openPool, readAs, type Database } from '@brickmark/core/db/database'
import { findHoldingTotalsBySet, findCostBasisBySet } from '@brickmark/core/portfolio/portfolio-queries'
import { findHoldings } from '@brickmark/core/portfolio/lot-queries'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { addSet } from '@brickmark/tests/support/fixtures'

let database: TestDatabase
let owner: Database
let reader: Database

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  owner = openDatabase(openPool(database.url, { size: 1, statementTimeoutMs: 60_000 }))
  reader = openDatabase(openPool(asRole(database.url, 'brickmark_api'), { size: 1 }))
  await addSet(owner, { set_number: '90001-1' })
  await sql`insert into account.account (name, plan) select 'account ' || n, 'reseller' from generate_series(1, 300) n`.execute(
    owner,
  )
  await sql`insert into portfolio.brickfolio (account_id, name) select account_id, 'Stock' from account.account`.execute(
    owner,
  )
  // Everybody buys one lot, then everybody the next: the lots of an account lie on as many pages as there are lots.
  await sql`insert into portfolio.holding (account_id, brickfolio_id, set_number, condition, quantity, purchase_price_usd, purchase_date)
    select account_id, id, '90001-1', 'sealed', 1, 60, '2025-01-15' from generate_series(1, 100) lot, portfolio.brickfolio
     order by lot, account_id`.execute(owner)
  await sql`vacuum analyze portfolio.holding`.execute(owner)
})
afterAll(async () => {
  await Promise.all([owner.destroy(), reader.destroy()])
  await database.drop()
})

/** How many pages of the table itself were looked at by the reads of one account. */
async function tablePages(read: (db: Database) => Promise<unknown>): Promise<number> {
  const looked = async () => {
    // Statistics of a connection are handed in when it ends its transaction and is idle, or asked to.
    await sql`select pg_stat_force_next_flush()`.execute(reader)
    await sql`select 1`.execute(reader)
    const { rows } = await sql<{ pages: number }>`
      select heap_blks_read + heap_blks_hit as pages from pg_statio_user_tables where relid = 'portfolio.holding'::regclass`.execute(
      owner,
    )
    return rows[0]!.pages
  }
  const before = await looked()
  await readAs(reader, 7, read)
  return (await looked()) - before
}

test('an account’s lots are read from the index alone, wherever they lie in the table', async () => {
  const pages: number[] = []
  for (const read of [
    (db: Database) => findHoldings(db, 7, { brickfolioId: undefined, limit: 250, offset: 0 }),
    (db: Database) => findCostBasisBySet(db, 7),
    (db: Database) => findHoldingTotalsBySet(db, 7),
  ]) {
    pages.push(await tablePages(read))
  }
  // A page of the visibility map for each scan, and none of the 100 on which the lots lie.
  expect(pages).toEqual([2, 1, 1])
})
