import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { openDatabase, openPool, readAs, writeAs, type Database } from '@brickmark/core/db/database'
import { findLots } from '@brickmark/core/portfolio/lot-queries'
import { deleteCollection } from '@brickmark/core/portfolio/collection-commands'
import { updateLot, updateLots, deleteLots } from '@brickmark/core/portfolio/lot-commands'
import { recordSale } from '@brickmark/core/portfolio/sale-commands'
import type { Lot } from '@brickmark/core/portfolio/lot'
import { allocateUnits } from '@brickmark/core/portfolio/lot-allocation'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { addCollection, addLot, addSet, createTestAccount } from '@brickmark/tests/support/fixtures'

/** Concurrent changes to lots by two forms, or by a form and a sale. */

let database: TestDatabase
let ownerDatabase: Database
let db: Database
let accountId: number
let stock: number
let lotId: number

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  ownerDatabase = openDatabase(openPool(database.url, { size: 2 }))
  db = openDatabase(openPool(asRole(database.url, 'brickmark_web'), { size: 4, pipelined: true }))
  await addSet(ownerDatabase, { set_number: '90001-1', title: 'Tidewater Lighthouse' })
})
afterAll(async () => {
  await db.destroy()
  await ownerDatabase.destroy()
  await database.drop()
})
beforeEach(async () => {
  accountId = (await createTestAccount(ownerDatabase)).accountId
  await addCollection(ownerDatabase, accountId, { is_default: true })
  stock = await addCollection(ownerDatabase, accountId)
  lotId = await addLot(ownerDatabase, {
    account_id: accountId,
    collection_id: stock,
    set_number: '90001-1',
    quantity: 2,
    purchase_price_cents: 1000,
    purchase_date: '2025-01-15',
  })
})

const lot: Lot = { quantity: 2, condition: 'sealed', status: 'owned', price: 1000, date: '2025-01-15', notes: 'mine' }

async function currentVersion(): Promise<string> {
  const page = { filter: {}, sortBy: 'added', descending: false, limit: 10, offset: 0 } as const
  const { lots } = await readAs(db, accountId, (tx) => findLots(tx, accountId, stock, page))
  return lots[0]!.version
}

const save = (version: string, change: Partial<Lot> = {}) =>
  writeAs(db, accountId, (tx) =>
    updateLot(tx, accountId, stock, lotId, { lot: { ...lot, ...change }, expectedVersion: version }),
  )

/** Sells a unit; `meanwhile` runs while the lots are locked and the sale isn't committed yet. */
const sell = (meanwhile: () => Promise<void> = async () => {}) =>
  writeAs(db, accountId, async (tx) => {
    const id = await recordSale(tx, accountId, '90001-1', (lots) => {
      const takes = allocateUnits(lots, { condition: 'sealed' }, 1, '2026-03-01')
      if (typeof takes === 'string') return takes
      const amounts = { gross: 5000, platformFees: 0, paymentFees: 0, shipping: 0, cost: 1000 }
      return { platform: 'ebay', date: '2026-03-01', quantity: 1, ...amounts, allocations: takes }
    })
    await meanwhile()
    return id
  })

const lots = () =>
  ownerDatabase.selectFrom('portfolio.lot').select(['id', 'quantity', 'purchase_price_cents', 'notes']).execute()

describe('optimistic locking', () => {
  test('a version can be saved once', async () => {
    const version = await currentVersion()
    expect(await save(version)).toBe('changed')
    expect(await save(version)).toBe('stale')
  })

  test('rejects an outdated version even if other fields were changed', async () => {
    const version = await currentVersion()
    await writeAs(db, accountId, (tx) => updateLots(tx, accountId, stock, { ids: [lotId] }, { price: 2000 }))
    expect(await save(version)).toBe('stale')
    expect(
      await ownerDatabase.selectFrom('portfolio.lot').select('purchase_price_cents').where('id', '=', lotId).execute(),
    ).toEqual([{ purchase_price_cents: 2000 }])
  })

  test('rejects a version from before a sale', async () => {
    const version = await currentVersion()
    await sell()
    expect(await save(version)).toBe('stale')
  })

  test('reports that the lot was deleted', async () => {
    const version = await currentVersion()
    await writeAs(db, accountId, (tx) => deleteLots(tx, accountId, stock, { ids: [lotId] }))
    expect(await save(version)).toBe('gone')
  })
})

describe('a sale in progress keeps its lots', () => {
  /** Starts `work` while a sale is in progress and commits the sale once `work` is waiting for its locks. */
  async function during(work: () => Promise<unknown>): Promise<void> {
    let working: Promise<unknown> = Promise.resolve()
    await sell(async () => {
      working = work()
      for (let tries = 0; tries < 100; tries++) {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          ownerDatabase,
        )
        if (rows.length > 0) return
        await sleep(20)
      }
      throw new Error('No query is waiting for the sale.')
    })
    await working
  }

  const sold = () =>
    ownerDatabase
      .selectFrom('portfolio.sale_lot')
      .select(['lot_id', 'quantity'])
      .where('account_id', '=', accountId)
      .execute()

  test('when its lots are deleted', async () => {
    await during(() => writeAs(db, accountId, (tx) => deleteLots(tx, accountId, stock, { filter: {} })))
    expect(await sold()).toEqual([{ lot_id: lotId, quantity: 1 }])
    expect((await lots()).find(({ id }) => id === lotId)).toMatchObject({ quantity: 0 })
  })

  test('when its collection is deleted', async () => {
    await during(() => writeAs(db, accountId, (tx) => deleteCollection(tx, accountId, stock)))
    expect(await sold()).toEqual([{ lot_id: lotId, quantity: 1 }])
  })
})
