import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { openDatabase, openPool, readAs, writeAs, type Database } from '@brickmark/core/db/database'
import { deleteShelf, replaceShelfLink, saveShelf } from '@brickmark/core/portfolio/shelf-commands'
import { findShelf, findShelfSettings } from '@brickmark/core/portfolio/shelf-queries'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { addCollection, addLot, addSet, addValue, createTestAccount } from '@brickmark/tests/support/fixtures'

/** Shared collections, read with the role of the web application and no account. */

const SECRET = 's'.repeat(32)
const ACCOUNTS = 8
const NOTHING = { showsValue: false, showsPurchaseDate: false, showsNotes: false }
const EVERYTHING = { showsValue: true, showsPurchaseDate: true, showsNotes: true }

let database: TestDatabase
let ownerDatabase: Database
let db: Database
let owners: { accountId: number; shared: number; token: string }[]

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  ownerDatabase = openDatabase(openPool(database.url, { size: 2 }))
  db = openDatabase(openPool(asRole(database.url, 'brickmark_web'), { size: 4, pipelined: true }))
  await addSet(ownerDatabase, { set_number: '90001-1', title: 'Tidewater Lighthouse' })
  await addValue(ownerDatabase, { set_number: '90001-1', value_cents: 11240 })
})
afterAll(async () => {
  await db.destroy()
  await ownerDatabase.destroy()
  await database.drop()
})

/** Each account shares one of its two collections; the notes say whose a lot is and where. */
beforeEach(async () => {
  owners = []
  for (let index = 0; index < ACCOUNTS; index++) {
    const { accountId } = await createTestAccount(ownerDatabase)
    const shared = await addCollection(ownerDatabase, accountId, { name: 'Shared', is_default: true })
    const hidden = await addCollection(ownerDatabase, accountId, { name: 'Hidden' })
    const lot = { account_id: accountId, set_number: '90001-1', purchase_price_cents: 777 }
    await addLot(ownerDatabase, { ...lot, collection_id: shared, quantity: 2, notes: `${accountId} shared` })
    await addLot(ownerDatabase, { ...lot, collection_id: hidden, notes: `${accountId} hidden` })
    await addLot(ownerDatabase, { ...lot, collection_id: shared, quantity: 0, notes: `${accountId} sold` })
    await save(accountId, shared, EVERYTHING)
    owners.push({ accountId, shared, token: await tokenOf(accountId, shared) })
  }
})

const save = (accountId: number, collectionId: number, shown: typeof EVERYTHING) =>
  writeAs(db, accountId, (tx) =>
    saveShelf(tx, accountId, collectionId, { heading: `Of ${accountId}`, secret: SECRET, ...shown }),
  )
const settingsOf = (accountId: number, collectionId: number, secret = SECRET) =>
  readAs(db, accountId, (tx) => findShelfSettings(tx, accountId, collectionId, secret))
const tokenOf = async (accountId: number, collectionId: number) => (await settingsOf(accountId, collectionId))!.token!
const open = (token: string, withValues = true) => findShelf(db, token, { withValues, limit: 50, offset: 0 })

test('read concurrently, each shelf has the lots of its own collection only', async () => {
  let foreign = 0
  for (let round = 0; round < 20; round++) {
    const shelves = await Promise.all(owners.map(({ token }) => open(token)))
    for (const [index, shelf] of shelves.entries()) {
      const { accountId } = owners[index]!
      foreign += shelf!.rows.filter(({ notes }) => notes !== `${accountId} shared`).length
      expect(shelf).toMatchObject({ heading: `Of ${accountId}`, lots: 1, units: 2, value: 22480 })
    }
  }
  expect(foreign).toBe(0)
})

test('a token leads to an account and a collection, and to nothing else without its account', async () => {
  const [{ accountId, shared }] = owners as [(typeof owners)[number]]
  const { rows: found } = await sql`
    select (portfolio.find_shelf(token_hash)).* from portfolio.shelf where account_id = ${accountId}`.execute(
    ownerDatabase,
  )
  expect(found).toEqual([{ account_id: accountId, collection_id: shared }])
  for (const table of ['portfolio.shelf', 'portfolio.lot_item'])
    expect((await sql`select from ${sql.table(table)}`.execute(db)).rows).toEqual([])
})

test('what isn’t chosen isn’t read, and what was paid never is', async () => {
  const [{ accountId, shared, token }] = owners as [(typeof owners)[number]]
  const everything = await open(token)
  expect(everything!.rows).toEqual([
    {
      item: '90001-1',
      title: 'Tidewater Lighthouse',
      quantity: 2,
      condition: 'sealed',
      value: 11240,
      date: expect.any(String),
      notes: `${accountId} shared`,
    },
  ])
  expect(await open(token, false)).toMatchObject({
    showsValue: false,
    value: null,
    asOf: null,
    rows: [{ value: null }],
  })
  await save(accountId, shared, NOTHING)
  expect(await open(token)).toMatchObject({
    ...NOTHING,
    value: null,
    asOf: null,
    rows: [{ quantity: 2, condition: 'sealed', value: null, date: null, notes: null }],
  })
})

test('a new link, an end, a suspension or a deletion closes the old link', async () => {
  const [first, second, third, fourth] = owners as [
    (typeof owners)[number],
    (typeof owners)[number],
    (typeof owners)[number],
    (typeof owners)[number],
  ]
  await writeAs(db, first.accountId, (tx) => replaceShelfLink(tx, first.accountId, first.shared, SECRET))
  const replaced = await tokenOf(first.accountId, first.shared)
  expect(await open(first.token)).toBeUndefined()
  expect(await open(replaced)).toMatchObject({ heading: `Of ${first.accountId}` })
  await writeAs(db, second.accountId, (tx) => deleteShelf(tx, second.accountId, second.shared))
  expect(await open(second.token)).toBeUndefined()
  const suspend = (suspended: boolean) =>
    ownerDatabase.updateTable('account.account').set({ suspended }).where('id', '=', third.accountId).execute()
  await suspend(true)
  expect(await open(third.token)).toBeUndefined()
  await suspend(false)
  expect(await open(third.token)).toBeDefined()
  await ownerDatabase.deleteFrom('account.account').where('id', '=', fourth.accountId).execute()
  expect(await open(fourth.token)).toBeUndefined()
})

test('the link can’t be told from the database, only with the secret', async () => {
  const [{ accountId, shared, token }] = owners as [(typeof owners)[number]]
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(await settingsOf(accountId, shared, 'another secret')).toMatchObject({ token: undefined })
  const { rows } = await sql<{ row: string }>`select s::text as row from portfolio.shelf s`.execute(ownerDatabase)
  const plain = rows.map(({ row }) => row).join(' ')
  expect(plain).not.toContain(token)
  expect(plain).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
})
