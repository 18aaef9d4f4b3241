import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { openDatabase, openPool, readAs, writeAs, type Database } from '@brickmark/core/db/database'
import { addLot, confirmOwnValue, deleteLots, updateLot, updateLots } from '@brickmark/core/portfolio/lot-commands'
import { findLotKind, findLots, findLotsToExport } from '@brickmark/core/portfolio/lot-queries'
import type { Lot } from '@brickmark/core/portfolio/lot'
import { allocateUnits, totalCost } from '@brickmark/core/portfolio/lot-allocation'
import { findBreakdown, findInvestments, findOtherValuedLots } from '@brickmark/core/portfolio/portfolio-queries'
import { deleteSale, recordSale, updateSale } from '@brickmark/core/portfolio/sale-commands'
import { findSale, searchSales, sumSalesByMonth } from '@brickmark/core/portfolio/sale-queries'
import { findHeldItem, findHeldItems } from '@brickmark/core/portfolio/sellable-lot-queries'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { addCollection, addSet, addValue, createTestAccount } from '@brickmark/tests/support/fixtures'

/** Minifigs and custom items in collections and sales. Runs with the role of the web application. */

let database: TestDatabase
let ownerDatabase: Database
let db: Database
let accountId: number
let stock: number

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  ownerDatabase = openDatabase(openPool(database.url, { size: 2 }))
  db = openDatabase(openPool(asRole(database.url, 'brickmark_web'), { size: 4 }))
  await addSet(ownerDatabase, { set_number: '90001-1', title: 'Tidewater Lighthouse', theme: 'Harbor' })
  await addValue(ownerDatabase, { set_number: '90001-1', value_cents: 11240 })
  await ownerDatabase
    .insertInto('catalog.minifig')
    .values([
      { minifig_number: 'mtw001', name: 'Keeper', year_released: 2021 },
      { minifig_number: 'mtw002', name: 'Gull' },
    ])
    .execute()
  await sql`
    insert into market.minifig_value (minifig_number, value_cents, range_low_cents, range_high_cents, data_tier, calculated_at)
    values ('mtw001', 450, 400, 500, 'market', now())`.execute(ownerDatabase)
})
afterAll(async () => {
  await db.destroy()
  await ownerDatabase.destroy()
  await database.drop()
})

const lot: Lot = { quantity: 3, condition: 'used', status: 'owned', price: 200, date: '2025-01-15', notes: null }
const bricks: Lot = {
  ...lot,
  quantity: 2,
  condition: null,
  price: 5500,
  custom: { name: 'Mixed bricks', value: 9000, reviewMonths: 3 },
}
let setLot: number
let minifigLot: number
let customLot: number

beforeEach(async () => {
  accountId = (await createTestAccount(ownerDatabase)).accountId
  stock = await addCollection(ownerDatabase, accountId, { is_default: true })
  ;[setLot, minifigLot, customLot] = await writeAs(db, accountId, async (tx) => [
    await addLot(tx, accountId, stock, { set_number: '90001-1' }, { ...lot, quantity: 1, condition: 'sealed' }),
    await addLot(tx, accountId, stock, { minifig_number: 'mtw001' }, lot),
    await addLot(tx, accountId, stock, undefined, bricks),
  ])
})

const find = (filter = {}) =>
  readAs(db, accountId, (tx) =>
    findLots(tx, accountId, stock, { filter, sortBy: 'added', descending: false, limit: 10, offset: 0 }),
  )
const today = new Date().toISOString().slice(0, 10)

test('lots of every kind are listed with what they are worth', async () => {
  const { lots, matching } = await find()
  expect(matching).toEqual({ lots: 3, units: 6, value: 11240 + 3 * 450 + 2 * 9000 })
  expect(lots).toMatchObject([
    { id: setLot, item: '90001-1', title: 'Tidewater Lighthouse', theme: 'Harbor', value_cents: 11240 },
    {
      id: minifigLot,
      item: 'minifig:mtw001',
      title: 'Keeper',
      theme: 'Minifigs',
      release_year: 2021,
      value_cents: 450,
    },
    { id: customLot, item: `custom:${customLot}`, title: 'Mixed bricks', condition: null, value_cents: 9000 },
  ])
  expect(lots[2]).toMatchObject({ own_value_date: today, review_months: 3 })
  expect((await find({ text: 'mtw' })).lots.map(({ id }) => id)).toEqual([minifigLot])
  expect((await find({ text: 'bricks' })).lots.map(({ id }) => id)).toEqual([customLot])
  // Only sets retire.
  expect((await find({ retired: false })).lots.map(({ id }) => id)).toEqual([setLot])
  const exported = await readAs(db, accountId, (tx) => findLotsToExport(tx, accountId, stock))
  expect(exported.map(({ set_number, minifig_number, title }) => [set_number, minifig_number, title])).toEqual([
    ['90001-1', null, 'Tidewater Lighthouse'],
    [null, 'mtw001', 'Keeper'],
    [null, null, 'Mixed bricks'],
  ])
})

test('sums and breakdowns count them; an unknown value stays unknown', async () => {
  await writeAs(db, accountId, (tx) => addLot(tx, accountId, stock, { minifig_number: 'mtw002' }, lot))
  const [others, investments, themes] = await readAs(db, accountId, async (tx) => [
    await findOtherValuedLots(tx, accountId),
    await findInvestments(tx, accountId),
    await findBreakdown(tx, accountId, undefined, 'theme'),
  ])
  expect(others).toEqual([
    { collectionId: stock, item: 'minifig:mtw001', quantity: 3, cost: 600, value: 1350 },
    { collectionId: stock, item: `custom:${customLot}`, quantity: 2, cost: 11000, value: 18000 },
    { collectionId: stock, item: 'minifig:mtw002', quantity: 3, cost: 600, value: null },
  ])
  expect(investments.map((row) => [row.item, row.unit_value_cents])).toEqual([
    ['90001-1', 11240],
    ['minifig:mtw001', 450],
    [`custom:${customLot}`, 9000],
    ['minifig:mtw002', null],
  ])
  expect(themes.map((row) => [row.label, row.items, row.value_cents])).toEqual([
    ['Custom items', 1, 18000],
    ['Harbor', 1, 11240],
    ['Minifigs', 2, 1350],
  ])
})

test('a value keeps its day until it changes or is confirmed', async () => {
  await sql`update portfolio.lot set own_value_date = '2026-01-02' where id = ${customLot}`.execute(ownerDatabase)
  const edit = async (change: Partial<Lot>) => {
    const version = (await find()).lots[2]!.version
    return writeAs(db, accountId, (tx) =>
      updateLot(tx, accountId, stock, customLot, { lot: { ...bricks, ...change }, expectedVersion: version }),
    )
  }
  const valuation = async () => {
    const { value_cents, own_value_date, review_date } = (await find()).lots[2]!
    return [value_cents, own_value_date, review_date]
  }
  expect(await edit({ notes: 'in a tub' })).toBe('changed')
  expect(await valuation()).toEqual([9000, '2026-01-02', '2026-04-02'])
  await edit({ custom: { name: 'Mixed bricks', value: 8000, reviewMonths: null } })
  expect(await valuation()).toEqual([8000, today, null])
  await sql`update portfolio.lot set own_value_date = '2026-01-02' where id = ${customLot}`.execute(ownerDatabase)
  await writeAs(db, accountId, (tx) => confirmOwnValue(tx, accountId, stock, customLot))
  expect((await valuation())[1]).toBe(today)
  await edit({ custom: { name: 'Mixed bricks', value: null, reviewMonths: null } })
  expect(await valuation()).toEqual([null, null, null])
})

test('changing many lots leaves the condition of what isn’t a set', async () => {
  const count = await writeAs(db, accountId, (tx) =>
    updateLots(tx, accountId, stock, { filter: {} }, { condition: 'used', status: 'listed' }),
  )
  expect(count).toBe(3)
  expect((await find()).lots.map(({ condition, status }) => [condition, status])).toEqual([
    ['used', 'listed'],
    ['used', 'listed'],
    [null, 'listed'],
  ])
})

test('a minifig and a custom item are sold from their lots, and come back when the sale is deleted', async () => {
  const sell = (item: string, lotId: number, quantity: number) =>
    writeAs(db, accountId, (tx) =>
      recordSale(tx, accountId, item, (lots) => {
        const allocations = allocateUnits(lots, { lots: [lotId] }, quantity, '2026-03-01')
        if (typeof allocations === 'string') return allocations
        const amounts = { platformFees: 0, paymentFees: 0, shipping: 0, cost: totalCost(allocations), allocations }
        return { platform: 'local', date: '2026-03-01', quantity, gross: 1000, ...amounts }
      }),
    )
  expect(await sell('minifig:mtw001', setLot, 1)).toMatch(/^No units available in that lot/)
  const minifigSale = await sell('minifig:mtw001', minifigLot, 2)
  const customSale = await sell(`custom:${customLot}`, customLot, 2)
  const [sales, months, held] = await readAs(db, accountId, async (tx) => [
    await searchSales(tx, accountId, {}, { limit: 10, offset: 0 }),
    await sumSalesByMonth(tx, accountId, {}),
    await findHeldItems(tx, accountId, { limit: 10 }),
  ])
  expect(sales.map(({ id, item, title, cost }) => [id, item, title, cost])).toEqual([
    [customSale, `custom:${customLot}`, 'Mixed bricks', 11000],
    [minifigSale, 'minifig:mtw001', 'Keeper', 400],
  ])
  expect(months).toMatchObject([{ sales: 2, gross: 2000, cost: 11400 }])
  expect(held.map(({ item, units }) => [item, units])).toEqual([
    ['90001-1', 1],
    ['minifig:mtw001', 1],
  ])
  expect(await readAs(db, accountId, (tx) => findHeldItem(tx, accountId, `custom:${customLot}`))).toBeUndefined()
  const sale = await readAs(db, accountId, (tx) => findSale(tx, accountId, customSale as number))
  const changed = await writeAs(db, accountId, (tx) =>
    updateSale(tx, accountId, customSale as number, sale!.version, (lots) => {
      const allocations = allocateUnits(lots, { lots: [customLot] }, 1, '2026-03-02')
      if (typeof allocations === 'string') return allocations
      const amounts = { platformFees: 0, paymentFees: 0, shipping: 0, cost: 5500, allocations }
      return { platform: 'local', date: '2026-03-02', quantity: 1, gross: 700, ...amounts }
    }),
  )
  expect(changed).toBe(customSale)
  expect(await writeAs(db, accountId, (tx) => deleteSale(tx, accountId, customSale as number))).toBe(1)
  expect((await find()).lots.map(({ id, quantity }) => [id, quantity])).toEqual([
    [setLot, 1],
    [minifigLot, 1],
    [customLot, 2],
  ])
  expect(await writeAs(db, accountId, (tx) => deleteLots(tx, accountId, stock, { filter: {} }))).toBe(3)
  // The sale keeps what was sold.
  const kept = await readAs(db, accountId, (tx) => findSale(tx, accountId, minifigSale as number))
  expect(kept).toMatchObject({ item: 'minifig:mtw001', title: 'Keeper', lots: [minifigLot] })
})

test('the database accepts only what makes sense', async () => {
  const change = (columns: string, id: number) =>
    sql`update portfolio.lot set ${sql.raw(columns)} where id = ${id}`.execute(ownerDatabase)
  await expect(change("set_number = '90001-1'", minifigLot)).rejects.toThrow('lot_is_of_one_item')
  await expect(change("condition = 'sealed'", minifigLot)).rejects.toThrow('lot_condition')
  await expect(change("condition = 'used'", customLot)).rejects.toThrow('lot_condition')
  await expect(change('condition = null', setLot)).rejects.toThrow('lot_condition')
  await expect(change("own_value_cents = 5, own_value_date = '2026-01-01'", setLot)).rejects.toThrow('lot_own_value')
  await expect(change('own_value_date = null', customLot)).rejects.toThrow('lot_own_value')
})

test('another account can’t read or sell them', async () => {
  const stranger = (await createTestAccount(ownerDatabase)).accountId
  await readAs(db, stranger, async (tx) => {
    expect(await findLotKind(tx, accountId, customLot)).toBeUndefined()
    expect(await findOtherValuedLots(tx, accountId)).toEqual([])
    expect(await findHeldItem(tx, accountId, 'minifig:mtw001')).toBeUndefined()
  })
})
