import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { openDatabase, openPool, readAs, writeAs, type Database } from '@brickmark/core/db/database'
import { findSellingFees } from '../../src/market/fees/fee-schedule-queries.ts'
import { lotHash } from '@brickmark/core/portfolio/lot-import-queries'
import { findHeldItems, findSellableLots } from '@brickmark/core/portfolio/sellable-lot-queries'
import {
  findImportedOrderLines,
  searchSales,
  findSale,
  sumSalesByMonth,
  findSaleYears,
} from '@brickmark/core/portfolio/sale-queries'
import { updateSale, deleteSale, importSales, recordSale, type NewSale } from '@brickmark/core/portfolio/sale-commands'
import { deleteLots } from '@brickmark/core/portfolio/lot-commands'
import { undoImport } from '@brickmark/core/portfolio/lot-import-commands'
import type { Sale } from '@brickmark/core/portfolio/sale'
import { allocateUnits, totalCost, type LotSelector, type SellableLot } from '@brickmark/core/portfolio/lot-allocation'
import { calculateFee, feesInForce } from '../../src/market/fees/selling-fees.ts'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { addCollection, addLot, addSale, addSet, createTestAccount } from '@brickmark/tests/support/fixtures'

/** Runs like the web application: with its role, in one transaction. */

let database: TestDatabase
let ownerDatabase: Database
let db: Database
let accountId: number
let stock: number

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  ownerDatabase = openDatabase(openPool(database.url, { size: 2 }))
  db = openDatabase(openPool(asRole(database.url, 'brickmark_web'), { size: 8 }))
  await addSet(ownerDatabase, { set_number: '90001-1', title: 'Tidewater Lighthouse' })
  await addSet(ownerDatabase, { set_number: '90002-1', title: 'Café at the Corner' })
})
afterAll(async () => {
  await db.destroy()
  await ownerDatabase.destroy()
  await database.drop()
})
beforeEach(async () => {
  accountId = (await createTestAccount(ownerDatabase)).accountId
  stock = await addCollection(ownerDatabase, accountId, { is_default: true })
})

const lot = (quantity: number, price: number, purchase_date: string, set_number = '90001-1') =>
  addLot(ownerDatabase, {
    account_id: accountId,
    collection_id: stock,
    set_number,
    quantity,
    purchase_price_cents: price,
    purchase_date,
  })

async function units(): Promise<Record<number, number>> {
  const lots = await ownerDatabase
    .selectFrom('portfolio.lot')
    .select(['id', 'quantity'])
    .where('account_id', '=', accountId)
    .execute()
  return Object.fromEntries(lots.map(({ id, quantity }) => [id, quantity]))
}

const taken = () =>
  ownerDatabase
    .selectFrom('portfolio.sale_lot')
    .select(['lot_id', 'quantity'])
    .where('account_id', '=', accountId)
    .orderBy('lot_id')
    .execute()

const decide =
  (quantity: number, selector: LotSelector = { condition: 'sealed' }, change: Partial<Sale> = {}) =>
  (lots: SellableLot[]): Sale | string => {
    const takes = allocateUnits(lots, selector, quantity, '2026-03-01')
    if (typeof takes === 'string') return takes
    return {
      platform: 'ebay',
      date: '2026-03-01',
      quantity,
      gross: 10_001,
      platformFees: 1365,
      paymentFees: 7,
      shipping: 899,
      cost: totalCost(takes),
      allocations: takes,
      ...change,
    }
  }

const sell = (...how: Parameters<typeof decide>) =>
  writeAs(db, accountId, (tx) => recordSale(tx, accountId, '90001-1', decide(...how)))

const versionOf = async (id: number) =>
  (await readAs(db, accountId, (tx) => findSale(tx, accountId, id)))?.version ?? 'gone'

/** Updates a sale at its current version. */
async function change(id: number, ...how: Parameters<typeof decide>): Promise<number | string | undefined> {
  const seen = await versionOf(id)
  return writeAs(db, accountId, (tx) => updateSale(tx, accountId, id, seen, decide(...how)))
}

describe('recordSale', () => {
  test('allocates the oldest units and records exact amounts and cost', async () => {
    const [young, old] = [await lot(3, 7000, '2025-06-01'), await lot(2, 6450, '2025-01-15')]
    const id = await sell(3)
    expect(await units()).toEqual({ [young]: 2, [old]: 0 })
    const sale = await readAs(db, accountId, (tx) => findSale(tx, accountId, id as number))
    expect(sale).toEqual({
      id,
      item: '90001-1',
      title: 'Tidewater Lighthouse',
      platform: 'ebay',
      date: '2026-03-01',
      quantity: 3,
      gross: 10001,
      platformFees: 1365,
      paymentFees: 7,
      shipping: 899,
      cost: 19900,
      lots: [young, old],
      version: expect.any(String) as string,
    })
  })

  test('writes nothing if the sale is rejected', async () => {
    const one = await lot(1, 6450, '2025-01-15')
    expect(await sell(2)).toBe('Only 1 sealed unit available, but you’re selling 2.')
    expect(await units()).toEqual({ [one]: 1 })
    expect(await readAs(db, accountId, (tx) => findSaleYears(tx, accountId))).toEqual([])
  })

  test("the database rejects an allocation above a lot's quantity", async () => {
    const one = await lot(1, 6450, '2025-01-15')
    const greedy = { allocations: [{ lotId: one, quantity: 2, cost: 1 }] }
    await expect(sell(1, { condition: 'sealed' }, greedy)).rejects.toThrow('lot_quantity_check')
    expect(await units()).toEqual({ [one]: 1 })
    expect(await taken()).toEqual([])
  })

  test('a sale without allocations leaves the lots unchanged', async () => {
    const one = await lot(1, 6450, '2025-01-15')
    await sell(1, { condition: 'sealed' }, { allocations: [], cost: null })
    expect(await units()).toEqual({ [one]: 1 })
  })
})

describe('updateSale and deleteSale', () => {
  test("an update counts the sale's own units as held and returns the rest", async () => {
    const [old, young] = [await lot(2, 1000, '2025-01-15'), await lot(2, 2000, '2025-06-01')]
    const id = (await sell(3)) as number
    expect(await change(id, 4, undefined, { platform: 'local' })).toBe(id)
    expect(await units()).toEqual({ [old]: 0, [young]: 0 })
    expect(await change(id, 5)).toBe('Only 4 sealed units available, but you’re selling 5.')
    expect(await units()).toEqual({ [old]: 0, [young]: 0 })
    await change(id, 1, { lots: [young] })
    expect(await units()).toEqual({ [old]: 2, [young]: 1 })
    expect(await readAs(db, accountId, (tx) => findSale(tx, accountId, id))).toMatchObject({
      quantity: 1,
      platform: 'ebay',
      cost: 2000,
      lots: [young],
    })
  })

  test('deleting a sale restores its units once', async () => {
    const [old, young] = [await lot(2, 1000, '2025-01-15'), await lot(2, 2000, '2025-06-01')]
    const id = (await sell(3)) as number
    expect(await writeAs(db, accountId, (tx) => deleteSale(tx, accountId, id))).toBe(3)
    expect(await units()).toEqual({ [old]: 2, [young]: 2 })
    expect(await writeAs(db, accountId, (tx) => deleteSale(tx, accountId, id))).toBeUndefined()
    expect(await units()).toEqual({ [old]: 2, [young]: 2 })
  })

  test('deleting a sale restores only units of lots that still exist', async () => {
    const [old, young] = [await lot(2, 1000, '2025-01-15'), await lot(2, 2000, '2025-06-01')]
    const id = (await sell(3)) as number
    await ownerDatabase.deleteFrom('portfolio.lot').where('id', '=', old).execute()
    expect(await writeAs(db, accountId, (tx) => deleteSale(tx, accountId, id))).toBe(1)
    expect(await units()).toEqual({ [young]: 2 })
    const alone = await addSale(ownerDatabase, { account_id: accountId, set_number: '90001-1' })
    expect(await writeAs(db, accountId, (tx) => deleteSale(tx, accountId, alone))).toBe(0)
  })

  test('a lot deleted after a part of it was sold stays deleted when the sale is edited or deleted', async () => {
    const [one, two] = [await lot(5, 1000, '2025-01-15'), await lot(1, 2000, '2025-06-01')]
    const id = (await sell(2)) as number
    const { collection_id } = await ownerDatabase
      .selectFrom('portfolio.lot')
      .select('collection_id')
      .where('id', '=', one)
      .executeTakeFirstOrThrow()
    await writeAs(db, accountId, (tx) => deleteLots(tx, accountId, collection_id, { ids: [one] }))
    expect(await units()).toEqual({ [one]: 0, [two]: 1 })
    expect(await change(id, 1)).toBe(id)
    expect(await units()).toEqual({ [one]: 0, [two]: 1 })
    expect(await writeAs(db, accountId, (tx) => deleteSale(tx, accountId, id))).toBe(0)
    expect(await units()).toEqual({ [one]: 0, [two]: 1 })
  })

  test('an import can be undone completely after a sale of its lot was deleted', async () => {
    const one = await lot(2, 1000, '2025-01-15')
    const { id: import_id } = await ownerDatabase
      .insertInto('portfolio.import')
      .values({ account_id: accountId, status: 'done', file_name: 'a', fingerprint: 'b', imported_at: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow()
    await ownerDatabase
      .updateTable('portfolio.lot as h')
      .set({ import_id, imported_as: lotHash(sql`h`) })
      .where('h.id', '=', one)
      .execute()
    const id = (await sell(1)) as number
    await writeAs(db, accountId, (tx) => deleteSale(tx, accountId, id))
    expect(await writeAs(db, accountId, (tx) => undoImport(tx, accountId, import_id))).toMatchObject({
      removed: 1,
      kept: 0,
    })
  })

  test('rejects an update based on an outdated version', async () => {
    const one = await lot(3, 1000, '2025-01-15')
    const id = (await sell(1)) as number
    const seen = await versionOf(id)
    await change(id, 2)
    const result = await writeAs(db, accountId, (tx) => updateSale(tx, accountId, id, seen, decide(1)))
    expect(result).toContain('nothing was saved')
    expect(await units()).toEqual({ [one]: 1 })
  })

  test('sales of other accounts are not found', async () => {
    const stranger = await createTestAccount(ownerDatabase)
    const id = await addSale(ownerDatabase, { account_id: stranger.accountId, set_number: '90001-1' })
    expect(await writeAs(db, accountId, (tx) => deleteSale(tx, accountId, id))).toBeUndefined()
    expect(await writeAs(db, accountId, (tx) => updateSale(tx, accountId, id, 'any', decide(1)))).toBeUndefined()
    // Even if the query names the other account: row-level security alone prevents it.
    expect(await writeAs(db, accountId, (tx) => deleteSale(tx, stranger.accountId, id))).toBeUndefined()
    expect(await ownerDatabase.selectFrom('portfolio.sale').select('id').where('id', '=', id).execute()).toHaveLength(1)
  })
})

describe('concurrency', () => {
  test('20 concurrent one-unit sales of 7 units: 7 succeed and no lot becomes negative', async () => {
    const [old, young] = [await lot(3, 1000, '2025-01-15'), await lot(4, 2000, '2025-06-01')]
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => sell(1)))
    expect(outcomes.filter((outcome) => typeof outcome === 'number')).toHaveLength(7)
    expect(await units()).toEqual({ [old]: 0, [young]: 0 })
    const sums = Map.groupBy(await taken(), ({ lot_id }) => lot_id)
    expect([...sums].map(([id, takes]) => [id, takes.length])).toEqual([
      [old, 3],
      [young, 4],
    ])
  })

  test('concurrent creates, updates and deletes neither lose nor create units', async () => {
    const lots = [await lot(5, 1000, '2025-01-15'), await lot(5, 2000, '2025-06-01')]
    const first = (await Promise.all([sell(2), sell(2), sell(2)])) as number[]
    const work = Array.from({ length: 30 }, (_, n) => {
      const id = first[n % 3]!
      if (n % 3 === 0) return sell(1 + (n % 2))
      if (n % 7 === 0) return writeAs(db, accountId, (tx) => deleteSale(tx, accountId, id))
      const choice = n % 2 === 0 ? { lots: [lots[n % 4 === 0 ? 0 : 1]!] } : { condition: 'sealed' as const }
      return change(id, 1 + (n % 4), choice)
    })
    await Promise.all(work)
    const held = Object.values(await units())
    const sold = (await taken()).reduce((sum, { quantity }) => sum + quantity, 0)
    expect(held.every((quantity) => quantity >= 0)).toBe(true)
    expect(held.reduce((sum, quantity) => sum + quantity, 0) + sold).toBe(10)
    const sales = await ownerDatabase
      .selectFrom('portfolio.sale')
      .select('quantity')
      .where('account_id', '=', accountId)
      .execute()
    expect(sales.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(sold)
  })

  test('deleting a sale concurrently restores its units once', async () => {
    const one = await lot(2, 1000, '2025-01-15')
    const id = (await sell(2)) as number
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => writeAs(db, accountId, (tx) => deleteSale(tx, accountId, id))),
    )
    expect(outcomes.filter((units) => units !== undefined)).toEqual([2])
    expect(await units()).toEqual({ [one]: 2 })
  })
})

describe('importSales', () => {
  const line = (number: string, takes: NewSale['allocations'] = []): NewSale => ({
    platform: 'ebay',
    date: '2026-03-01',
    quantity: 1,
    gross: 5000,
    platformFees: 700,
    paymentFees: 0,
    shipping: 0,
    cost: null,
    allocations: takes,
    item: '90001-1',
    order: { number, line: 'a' },
  })
  const known = (tx: Database) => findImportedOrderLines(tx, accountId, 'ebay', ['1', '2', '3'])
  const add = () =>
    writeAs(db, accountId, (tx) =>
      importSales(tx, accountId, ['90001-1'], async () => {
        const before = (await known(tx)).map(({ order }) => order)
        return ['1', '2'].filter((order) => !before.includes(order)).map((order) => line(order))
      }),
    )

  test('submitting several times concurrently imports each sale once', async () => {
    const added = await Promise.all([add(), add(), add()])
    expect(added.toSorted()).toEqual([0, 0, 2])
    expect(await readAs(db, accountId, known)).toHaveLength(2)
  })

  test('a deleted sale can be imported again', async () => {
    await add()
    const [sale] = await readAs(db, accountId, (tx) => searchSales(tx, accountId, {}, { limit: 1, offset: 0 }))
    await writeAs(db, accountId, (tx) => deleteSale(tx, accountId, sale!.id))
    expect(await readAs(db, accountId, known)).toHaveLength(1)
    expect(await add()).toBe(1)
  })

  test('several sales can allocate units of the same lot', async () => {
    const one = await lot(3, 1000, '2025-01-15')
    const take = [{ lotId: one, quantity: 1, cost: 1000 }]
    await writeAs(db, accountId, (tx) =>
      importSales(tx, accountId, ['90001-1'], () => Promise.resolve([line('1', take), line('2', take)])),
    )
    expect(await units()).toEqual({ [one]: 1 })
  })
})

describe('queries', () => {
  beforeEach(async () => {
    const own = { account_id: accountId, set_number: '90001-1' }
    await addSale(ownerDatabase, { ...own, sale_date: '2025-12-31', cost_cents: 6000 })
    await addSale(ownerDatabase, {
      ...own,
      sale_date: '2026-01-01',
      platform: 'bricklink',
      quantity: 2,
      cost_cents: 2000,
    })
    await addSale(ownerDatabase, {
      ...own,
      set_number: '90002-1',
      sale_date: '2026-01-31',
      platform_fees_cents: 1001,
      payment_fees_cents: 50,
      shipping_cost_cents: 499,
    })
    await addSale(ownerDatabase, {
      account_id: (await createTestAccount(ownerDatabase)).accountId,
      set_number: '90001-1',
    })
  })

  const numbers = async (filter: Parameters<typeof searchSales>[2], page = { limit: 10, offset: 0 }) =>
    (await readAs(db, accountId, (tx) => searchSales(tx, accountId, filter, page))).map((sale) => sale.date)

  test('searchSales returns sales newest first, filtered by year, platform, number and title, and paged', async () => {
    expect(await numbers({})).toEqual(['2026-01-31', '2026-01-01', '2025-12-31'])
    expect(await numbers({}, { limit: 1, offset: 1 })).toEqual(['2026-01-01'])
    expect(await numbers({ year: 2026 })).toEqual(['2026-01-31', '2026-01-01'])
    expect(await numbers({ year: 2025 })).toEqual(['2025-12-31'])
    expect(await numbers({ platform: 'bricklink' })).toEqual(['2026-01-01'])
    expect(await numbers({ text: 'café' })).toEqual(['2026-01-31'])
    expect(await numbers({ text: '90001' })).toEqual(['2026-01-01', '2025-12-31'])
  })

  test('sumSalesByMonth totals by month and separates sales with unknown cost', async () => {
    const january = {
      month: '2026-01',
      sales: 2,
      units: 3,
      gross: 20_000,
      fees: 1051,
      shipping: 499,
      cost: 2000,
      salesWithoutCost: 1,
      netWithoutCost: 8450,
    }
    expect(await readAs(db, accountId, (tx) => sumSalesByMonth(tx, accountId, { year: 2026 }))).toEqual([january])
    expect(await readAs(db, accountId, (tx) => findSaleYears(tx, accountId))).toEqual([2026, 2025])
  })

  test('findSellableLots returns held lots, oldest first, including the units of the sale being edited', async () => {
    const [young, old] = [await lot(3, 7000, '2025-06-01'), await lot(2, 6450, '2025-01-15')]
    await lot(1, 500, '2025-01-15', '90002-1')
    const id = (await sell(3)) as number
    const held = (saleId?: number) =>
      readAs(db, accountId, (tx) => findSellableLots(tx, accountId, ['90001-1'], saleId))
    expect((await held()).map((one) => [one.id, one.quantity])).toEqual([[young, 2]])
    expect((await held(id)).map((one) => [one.id, one.quantity, one.price, one.collection])).toEqual([
      [old, 2, 6450, 'Stock'],
      [young, 3, 7000, 'Stock'],
    ])
    const items = await readAs(db, accountId, (tx) => findHeldItems(tx, accountId, { limit: 5 }))
    expect(items.map(({ item, units }) => [item, units])).toEqual([
      ['90001-1', 2],
      ['90002-1', 1],
    ])
  })
})

test('the shipped fee presets apply by platform and day', async () => {
  const fees = await findSellingFees(db)
  const fee = (platform: string, day: string, gross: number) => {
    const found = feesInForce(fees, platform, day)
    return found && calculateFee(found, gross)
  }
  expect(fee('ebay', '2023-02-14', 10_000)).toBeUndefined()
  expect(fee('ebay', '2024-03-14', 10_000)).toBe(1325 + 30)
  expect(fee('ebay', '2024-03-15', 10_000)).toBe(1325 + 40)
  expect(fee('ebay', '2026-06-01', 1000)).toBe(133 + 30)
  expect(fee('bricklink', '2026-06-01', 120_000)).toBe(1500 + 1000 + 200)
  expect(fee('amazon', '2026-06-01', 100)).toBe(30)
  expect(fees.every(({ source }) => source.length > 20)).toBe(true)
})
