import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { openDatabase, openPool, writeAs, type Database } from '@brickmark/core/db/database'
import { describeExceededLimit } from '@brickmark/core/portfolio/account-limit-queries'
import {
  findDraftRows,
  findImport,
  findImportByFingerprint,
  findImportDraft,
} from '@brickmark/core/portfolio/lot-import-queries'
import { searchSets } from '@brickmark/core/catalog/set-search-queries'
import { createCollection, deleteCollection, setDefaultCollection } from '@brickmark/core/portfolio/collection-commands'
import {
  commitImport,
  saveImportDraft,
  undoImport,
  updateImportDraft,
} from '@brickmark/core/portfolio/lot-import-commands'
import { planDraft, type DraftRow } from '@brickmark/core/portfolio/lot-import/draft'
import type { PlannedLot } from '@brickmark/core/portfolio/lot-import/plan'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { addSale, addSet, createTestAccount } from '@brickmark/tests/support/fixtures'

/** Runs like the web application: with its role, in one transaction. */

let database: TestDatabase
let ownerDatabase: Database
let db: Database
let accountId: number

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  ownerDatabase = openDatabase(openPool(database.url, { size: 2 }))
  db = openDatabase(openPool(asRole(database.url, 'brickmark_web'), { size: 2 }))
  await addSet(ownerDatabase, {
    set_number: '90001-1',
    title: 'Tidewater Lighthouse',
    upc: '673419000017',
    ean: '5702019000013',
  })
  await addSet(ownerDatabase, { set_number: '9000-1', title: 'Old Lighthouse' })
  await addSet(ownerDatabase, { set_number: '90002-1', title: 'Café at the Corner' })
})
afterAll(async () => {
  await db.destroy()
  await ownerDatabase.destroy()
  await database.drop()
})
beforeEach(async () => {
  accountId = (await createTestAccount(ownerDatabase)).accountId
})

const lot = (target: string | number, change: Partial<PlannedLot> = {}) => ({
  setNumber: '90001-1',
  title: '',
  quantity: 2,
  condition: 'sealed' as const,
  status: 'owned' as const,
  price: 1250,
  date: '2025-03-04',
  notes: null,
  collection: null,
  target,
  ...change,
})

const TABLE = { header: ['Set Number', 'Quantity', 'Includes Spares'], rows: [] as { row: number; cells: string[] }[] }
const draftOf = (fingerprint: string, rows: string[][] = []) => {
  const table = { ...TABLE, rows: rows.map((cells, index) => ({ row: index + 2, cells })) }
  const sets = [
    {
      set_number: '90001-1',
      title: 'Tidewater Lighthouse',
      upc: null,
      ean: null,
      msrp_cents: null,
      release_date: null,
    },
  ]
  const planned = planDraft(table, {}, sets, '2026-01-01')
  return { fileName: 'a.csv', fingerprint, content: JSON.stringify(table), options: {}, planned }
}

async function importLots(lots: ReturnType<typeof lot>[], fingerprint = 'f'): Promise<number> {
  return writeAs(db, accountId, async (tx) => {
    const id = await saveImportDraft(tx, accountId, draftOf(fingerprint))
    const skipped = { rows: 0, csv: '' }
    expect(await commitImport(tx, accountId, id, { format: 'Brickmark', lots, skipped })).toBe(true)
    expect(await commitImport(tx, accountId, id, { format: 'Brickmark', lots, skipped })).toBe(false)
    return id
  })
}
const undo = (id: number) => writeAs(db, accountId, (tx) => undoImport(tx, accountId, id))
const lots = () =>
  ownerDatabase.selectFrom('portfolio.lot').selectAll().where('account_id', '=', accountId).orderBy('id').execute()
const collections = () =>
  ownerDatabase
    .selectFrom('portfolio.collection')
    .select(['name', 'is_default'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()

test('commitImport adds all lots in order, including duplicates, and creates missing collections; the first becomes the default', async () => {
  const id = await importLots([
    lot('Stock'),
    lot('Stock'),
    lot('Shelf', { notes: 'x', condition: 'used', status: 'listed' }),
  ])
  expect(await lots()).toMatchObject([
    { quantity: 2, purchase_price_cents: 1250, purchase_date: '2025-03-04', import_id: id },
    { quantity: 2, purchase_price_cents: 1250, purchase_date: '2025-03-04', import_id: id },
    { condition: 'used', status: 'listed', notes: 'x' },
  ])
  expect(await collections()).toEqual([
    { name: 'Stock', is_default: true },
    { name: 'Shelf', is_default: false },
  ])
  const done = await writeAs(db, accountId, (tx) => findImport(tx, accountId, id))
  expect(done).toMatchObject({ status: 'done', lots: 3, skipped_csv: null })
  const stored = ownerDatabase.selectFrom('portfolio.import').selectAll().where('account_id', '=', accountId)
  expect(await stored.execute()).toMatchObject([{ content: null, plan: null, units: 6, skipped: 0 }])
})

test('a new draft replaces the previous one', async () => {
  const [first, second] = await writeAs(db, accountId, async (tx) => [
    await saveImportDraft(tx, accountId, draftOf('f')),
    await saveImportDraft(tx, accountId, draftOf('f')),
  ])
  const find = (id: number | undefined) => writeAs(db, accountId, (tx) => findImportDraft(tx, accountId, id!))
  expect(await find(first)).toBeUndefined()
  expect(await find(second)).toMatchObject({ fileName: 'a.csv', plan: { format: 'rebrickable' } })
})

test('a draft keeps its planned rows, by page and by state, until it is planned again or imported', async () => {
  const draft = draftOf('f', [
    ['90001-1', '2'],
    ['77777-1', '1'],
    ['90001-1', '3'],
  ])
  const id = await writeAs(db, accountId, (tx) => saveImportDraft(tx, accountId, draft))
  const rows = (page: { state?: DraftRow['state']; limit?: number; offset?: number } = {}) =>
    writeAs(db, accountId, (tx) =>
      findDraftRows(tx, accountId, id, { state: undefined, limit: 50, offset: 0, ...page }),
    )
  expect(await rows()).toEqual(draft.planned.rows)
  expect(draft.planned.plan.counts).toEqual({ ready: 2, choice: 0, skipped: 1 })
  expect(await rows({ state: 'ready', limit: 1, offset: 1 })).toMatchObject([{ row: 4, lot: { quantity: 3 } }])
  expect(await rows({ state: 'skipped' })).toMatchObject([
    { row: 3, lot: null, reason: 'Set 77777-1 not found', excerpt: '77777-1, 1' },
  ])
  const { planned } = draftOf('f', [['90001-1', '9']])
  const update = () => writeAs(db, accountId, (tx) => updateImportDraft(tx, accountId, id, { date: 'x' }, planned))
  expect(await update()).toBe(true)
  expect(await rows()).toEqual(planned.rows)
  await writeAs(db, accountId, (tx) =>
    commitImport(tx, accountId, id, { format: 'x', lots: [lot('Stock')], skipped: { rows: 0, csv: '' } }),
  )
  expect(await rows()).toEqual([])
  expect(await update()).toBe(false)
  expect(await writeAs(db, accountId, (tx) => findImportDraft(tx, accountId, id))).toBe('done')
})

test('limits what an account can have', async () => {
  await sql`insert into portfolio.collection (account_id, name) select ${accountId}, 'n' || n from generate_series(1, 499) n`.execute(
    ownerDatabase,
  )
  const exceeded = (adding: number) =>
    writeAs(db, accountId, (tx) => describeExceededLimit(tx, accountId, 'collections', adding))
  expect(await exceeded(1)).toBeUndefined()
  expect(await exceeded(2)).toBe(
    'Accounts can have up to 500 collections, and you have 499. Contact us if you need more.',
  )
})

describe('undo', () => {
  test('removes exactly the lots and collections the import created', async () => {
    const mine = await writeAs(db, accountId, (tx) => createCollection(tx, accountId, 'Mine'))
    const before = await importLots([lot(mine!)], 'other')
    const id = await importLots([lot(mine!), lot('New')])
    expect(await undo(id)).toEqual({ removed: 2, kept: 0 })
    expect(await lots()).toMatchObject([{ import_id: before }])
    expect(await collections()).toEqual([{ name: 'Mine', is_default: true }])
    expect(await undo(id)).toBeUndefined()
    expect(await undo(before)).toEqual({ removed: 1, kept: 0 })
  })

  test('keeps lots that were changed, moved or sold since, and their collections', async () => {
    const id = await importLots([lot('A'), lot('A'), lot('A'), lot('B'), lot('B')])
    const [changed, moved, sold, , deleted] = await lots()
    const change = (lot: { id: number } | undefined, changes: object) =>
      ownerDatabase.updateTable('portfolio.lot').set(changes).where('id', '=', lot!.id).execute()
    await change(changed, { purchase_price_cents: 1251 })
    await change(moved, { collection_id: deleted!.collection_id })
    const sale_id = await addSale(ownerDatabase, { account_id: accountId, set_number: '90001-1' })
    const part = { account_id: accountId, sale_id, lot_id: sold!.id, quantity: 1 }
    await ownerDatabase.insertInto('portfolio.sale_lot').values(part).execute()
    await ownerDatabase.deleteFrom('portfolio.lot').where('id', '=', deleted!.id).execute()
    expect(await undo(id)).toEqual({ removed: 1, kept: 3 })
    expect((await lots()).map((lot) => lot.id)).toEqual([changed!.id, moved!.id, sold!.id])
    expect(await collections()).toHaveLength(2)
  })

  test('removes everything from an otherwise empty account, including the default collection, and is rejected after 30 days', async () => {
    const id = await importLots([lot('A'), lot('B')])
    await undo(id)
    expect(await collections()).toEqual([])
    const old = await importLots([lot('A')])
    const past = new Date(Date.now() - 30 * 86_400_000 - 60_000)
    await ownerDatabase.updateTable('portfolio.import').set({ imported_at: past }).where('id', '=', old).execute()
    expect(await undo(old)).toBeUndefined()
    expect(await lots()).toHaveLength(1)
  })

  test("a file whose import was undone doesn't count as a duplicate", async () => {
    const same = () => writeAs(db, accountId, (tx) => findImportByFingerprint(tx, accountId, 'f'))
    const id = await importLots([lot('A')])
    expect(await same()).toMatchObject({ lots: 1 })
    await undo(id)
    expect(await same()).toBeUndefined()
  })
})

test("the default collection can't be deleted, others can", async () => {
  const [first, second] = await writeAs(db, accountId, async (tx) => [
    await createCollection(tx, accountId, 'A'),
    await createCollection(tx, accountId, 'B'),
  ])
  const remove = (id: number | undefined) => writeAs(db, accountId, (tx) => deleteCollection(tx, accountId, id!))
  expect(await remove(first)).toBe(false)
  await writeAs(db, accountId, (tx) => setDefaultCollection(tx, accountId, second!))
  expect(await remove(first)).toBe(true)
  expect(await collections()).toEqual([{ name: 'B', is_default: true }])
})

test.each([
  ['9000', ['9000-1', '90001-1', '90002-1']],
  ['90001-1', ['90001-1']],
  ['LIGHT tide', ['90001-1']],
  ['cafe', ['90002-1']],
  ['Café', ['90002-1']],
  ['0673419000017', ['90001-1']],
  ['5702019 000013', ['90001-1']],
  ['%', []],
  ["o'clock", []],
])('searchSets finds the matching sets for %s', async (query, numbers) => {
  expect((await searchSets(db, query, 10)).map((set) => set.set_number)).toEqual(numbers)
})
