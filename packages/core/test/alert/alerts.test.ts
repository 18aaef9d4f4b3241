import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { alertOnChanges, deleteOldAlerts, skipChange } from '@brickmark/core/alert/alert-commands'
import { countUnreadAlerts, findAlerts } from '@brickmark/core/alert/alert-queries'
import { markAlertsRead } from '@brickmark/core/alert/inbox-commands'
import { takeDueMail } from '@brickmark/core/alert/due-mail-commands'
import { refreshStatuses } from '@brickmark/core/alert/change-commands'
import { findAlertLag, findChanges } from '@brickmark/core/alert/change-queries'
import type { RuleKind } from '@brickmark/core/alert/rule'
import { addRule, deleteRule, MAX_BROAD_RULES, pauseRule } from '@brickmark/core/alert/rule-commands'
import { findRuleLimit, findRules, type RuleScope } from '@brickmark/core/alert/rule-queries'
import { SET_STATUS, setStatus } from '@brickmark/core/catalog/set-status'
import { openDatabase, openPool, writeAs, type Database } from '@brickmark/core/db/database'
import { saveSellingCosts } from '@brickmark/core/portfolio/selling-costs-commands'
import { unwatchItem, watchItem } from '@brickmark/core/portfolio/watched-item-commands'
import { applyAlertRules } from '@brickmark/tests/support/alerts'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import {
  addCollection,
  addLot,
  addRetailers,
  addRetailState,
  addSet,
  addValue,
  createTestAccount,
} from '@brickmark/tests/support/fixtures'

/** From a published change to the alerts of accounts, as the worker's role. */

let database: TestDatabase
let db: Database
let workerDatabase: Database
let accountId: number

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 20 }))
  // As long as the worker allows: a busy machine needs more than the usual two seconds.
  const options = { size: 4, statementTimeoutMs: 300_000 }
  workerDatabase = openDatabase(openPool(asRole(database.url, 'brickmark_worker'), options))
  await addRetailers(db)
})
beforeEach(async () => {
  await applyAll()
  ;({ accountId } = await createTestAccount(db))
})
afterAll(async () => {
  await workerDatabase.destroy()
  await db.destroy()
  await database.drop()
})

let sets = 0

/** Adds a set that costs $50 at Retailer A and is worth $100; returns its number. */
async function newSet(): Promise<string> {
  const set_number = `${70_000 + ++sets}-1`
  await addSet(db, { set_number })
  await addValue(db, { set_number })
  await addRetailState(db, { set_number, lowest_cents: 4500 })
  return set_number
}

const rule = (scope: RuleScope, kind: RuleKind, threshold: number | null = null) =>
  addRule(db, accountId, { scope, kind, threshold })

const setPrice = (number: string, price: number | null, more: object = {}) =>
  db
    .updateTable('market.retail_state')
    .set({ price_cents: price, in_stock: price !== null, ...more })
    .where('set_number', '=', number)
    .where('retailer', '=', 'retailer_a')
    .execute()

const setValue = (number: string, cents: number) =>
  db
    .updateTable('market.set_value')
    .set({ value_cents: cents, range_low_cents: cents, range_high_cents: cents })
    .where('set_number', '=', number)
    .execute()

const applyAll = () => applyAlertRules(workerDatabase)

const alertsOf = async (account = accountId) =>
  (await findAlerts(db, account, { limit: 100, offset: 0 })).alerts.toReversed()

describe('a rule on one set', () => {
  test('alerts once per crossing, and again only after the price has moved away', async () => {
    const number = await newSet()
    await rule({ kind: 'set', number }, 'price_at_most', 4200)
    for (const price of [4400, 4200, 4100, 4210, 4150, null, 4199, 4300, 4000]) await setPrice(number, price)
    expect(await applyAll()).toBe(2)
    expect((await alertsOf()).map(({ facts }) => facts.price)).toEqual([4200, 4000])
    expect(await applyAll()).toBe(0)
  })

  test('remembers a crossing from one batch to the next', async () => {
    const number = await newSet()
    await rule({ kind: 'set', number }, 'price_at_most', 4200)
    for (const [price, alerts] of [
      [4100, 1],
      [4210, 0],
      [4100, 0],
      [4900, 0],
      [4100, 1],
    ] as const) {
      await setPrice(number, price)
      expect(await applyAll(), String(price)).toBe(alerts)
    }
  })

  test('sees prices below value, lows, stock and sellers, each with its reason', async () => {
    const number = await newSet()
    const kinds: [RuleKind, number | null][] = [
      ['below_value', 6000],
      ['new_low', null],
      ['sold_out', null],
      ['back_in_stock', null],
      ['third_party', null],
    ]
    for (const [kind, threshold] of kinds) await rule({ kind: 'set', number }, kind, threshold)
    await setPrice(number, 4000, { lowest_cents: 4000 })
    await setPrice(number, null)
    await setPrice(number, 4800, { seller_type: 'third_party' })
    await applyAll()
    const found = Object.fromEntries((await alertsOf()).map(({ kind, retailer, facts }) => [kind, { retailer, facts }]))
    const retailer = 'Retailer A'
    expect(found).toEqual({
      below_value: { retailer, facts: { threshold: 6000, price: 4000, value: 10000, percent: 6000 } },
      new_low: { retailer, facts: { price: 4000, before: 4500 } },
      sold_out: { retailer, facts: {} },
      back_in_stock: { retailer, facts: { price: 4800 } },
      third_party: { retailer, facts: { price: 4800 } },
    })
  })

  test('computes a return with the selling costs of the account, or with eBay’s fees', async () => {
    const number = await newSet()
    await rule({ kind: 'set', number }, 'return_at_least', 10_000)
    const other = accountId
    ;({ accountId } = await createTestAccount(db))
    await saveSellingCosts(db, accountId, { feeBasisPoints: 0, fixedFee: 0, shippingByWeight: [0, 0, 0, 0] })
    await rule({ kind: 'set', number }, 'return_at_least', 10_000)
    await setPrice(number, 5100)
    await setPrice(number, 5000)
    await applyAll()
    expect((await alertsOf()).map(({ facts }) => facts)).toEqual([
      { threshold: 10_000, price: 5000, value: 10_000, percent: 10_000 },
    ])
    expect(await alertsOf(other)).toEqual([])
    // 13.25 % and 40 cents of $100.00 are $13.65. A box of unknown weight costs $16.80 to ship, one of 1 lb $5.20.
    await setPrice(number, 3477)
    await applyAll()
    expect((await alertsOf(other)).map(({ facts }) => facts.percent)).toEqual([10_003])
    const light = await newSet()
    await db.updateTable('catalog.set').set({ box_weight_lbs: 1 }).where('set_number', '=', light).execute()
    accountId = other
    await rule({ kind: 'set', number: light }, 'return_at_least', 10_000)
    await setPrice(light, 4058)
    await setPrice(light, 4057)
    await applyAll()
    expect((await alertsOf(other)).map(({ facts }) => [facts.price, facts.percent])).toContainEqual([4057, 10_002])
  })

  test('compares a value with the one of 30 days ago', async () => {
    const number = await newSet()
    await rule({ kind: 'set', number }, 'value_moved', 1000)
    await setValue(number, 10_900)
    await applyAll()
    await sql`update change.change set at = at - interval '40 days' where item_number = ${number}`.execute(db)
    await setValue(number, 11_500)
    // 5.5 % above the value of 30 days ago, which was 10,900.
    expect(await applyAll()).toBe(0)
    await setValue(number, 12_000)
    expect(await applyAll()).toBe(1)
    expect((await alertsOf()).at(-1)!.facts).toMatchObject({ before: 10_900, value: 12_000, percent: 1009 })
  })

  test('ignores what happened before it was created, while it is paused, and after it was deleted', async () => {
    const number = await newSet()
    await setPrice(number, 4000)
    await rule({ kind: 'set', number }, 'price_at_most', 4200)
    await applyAll()
    const { id } = (await findRules(db, accountId))[0]!
    await pauseRule(db, accountId, id, true)
    await setPrice(number, 4900)
    await setPrice(number, 4000)
    await applyAll()
    await pauseRule(db, accountId, id, false)
    expect(await alertsOf()).toEqual([])
    await setPrice(number, 4900)
    await setPrice(number, 4100)
    expect(await applyAll()).toBe(1)
    await deleteRule(db, accountId, id)
    await setPrice(number, 4900)
    await setPrice(number, 4000)
    expect(await applyAll()).toBe(0)
    expect(await alertsOf()).toHaveLength(1)
  })
})

describe('a rule on', () => {
  test('the watchlist applies to what is on it when something changes', async () => {
    const [watched, other] = [await newSet(), await newSet()]
    await rule({ kind: 'watchlist' }, 'sold_out')
    await watchItem(db, accountId, { kind: 'set', number: watched, target: null })
    for (const number of [watched, other]) await setPrice(number, null)
    await applyAll()
    expect((await alertsOf()).map(({ itemNumber }) => itemNumber)).toEqual([watched])
  })

  test('a collection applies to the lots that are still held, once per set', async () => {
    const [held, sold] = [await newSet(), await newSet()]
    const collection_id = await addCollection(db, accountId)
    const lot = { account_id: accountId, collection_id }
    await addLot(db, { ...lot, set_number: held })
    await addLot(db, { ...lot, set_number: held })
    await addLot(db, { ...lot, set_number: sold, quantity: 0 })
    await rule({ kind: 'collection', id: collection_id }, 'sold_out')
    for (const number of [held, sold]) await setPrice(number, null)
    await applyAll()
    expect((await alertsOf()).map(({ itemNumber }) => itemNumber)).toEqual([held])
  })

  test('something that doesn’t exist, or is another account’s, isn’t added', async () => {
    const { accountId: other } = await createTestAccount(db)
    const collection = await addCollection(db, other)
    expect(await rule({ kind: 'set', number: '00000-1' }, 'sold_out')).toBe('not_found')
    expect(await rule({ kind: 'minifig', number: 'nobody' }, 'value_moved', 100)).toBe('not_found')
    expect(await rule({ kind: 'collection', id: collection }, 'sold_out')).toBe('not_found')
  })
})

describe('a target', () => {
  const watch = (number: string, target: number | null) => watchItem(db, accountId, { kind: 'set', number, target })
  const targets = async () => (await findRules(db, accountId)).filter(({ isTarget }) => isTarget)

  test('is a rule: one alert when a price reaches it, and another after it has gone back up', async () => {
    const number = await newSet()
    await watch(number, 4200)
    for (const price of [4500, 4200, 4100, 4200, 4400, 4150]) await setPrice(number, price)
    await applyAll()
    expect((await alertsOf()).map(({ facts }) => facts.price)).toEqual([4200, 4150])
  })

  test('that the price has met already alerts only after the price has gone up and come back', async () => {
    const number = await newSet()
    await watch(number, 6000)
    await setPrice(number, 4900)
    expect(await applyAll()).toBe(0)
    await setPrice(number, 6500)
    await setPrice(number, 5900)
    expect(await applyAll()).toBe(1)
  })

  test('changes and ends with the watched item; its rule can be paused, but not deleted', async () => {
    const number = await newSet()
    await watch(number, 4200)
    await watch(number, 4300)
    const [target, ...more] = await targets()
    expect([target!.threshold, more]).toEqual([4300, []])
    await deleteRule(db, accountId, target!.id)
    await pauseRule(db, accountId, target!.id, true)
    expect(await targets()).toMatchObject([{ isPaused: true }])
    await setPrice(number, 4000)
    expect(await applyAll()).toBe(0)
    await watch(number, null)
    expect(await targets()).toEqual([])
    await watch(number, 4200)
    await unwatchItem(db, accountId, { kind: 'set', number })
    expect(await targets()).toEqual([])
  })

  test('and a rule of the same price are one rule, whichever came first', async () => {
    const [one, other] = [await newSet(), await newSet()]
    await rule({ kind: 'set', number: one }, 'price_at_most', 4200)
    await watch(one, 4200)
    await watch(other, 4200)
    expect(await rule({ kind: 'set', number: other }, 'price_at_most', 4200)).toBe('exists')
    for (const number of [one, other]) await setPrice(number, 4000)
    expect(await applyAll()).toBe(2)
  })

  test('doesn’t count toward the rules of a plan', async () => {
    await watch(await newSet(), 4200)
    expect(await findRuleLimit(db, accountId)).toMatchObject({ rules: 0, targets: 1 })
  })
})

describe('unread alerts', () => {
  test('are those after the latest that was read, and stay read', async () => {
    const number = await newSet()
    await watchItem(db, accountId, { kind: 'set', number, target: 4200 })
    for (const price of [4000, 4500, 4000]) await setPrice(number, price)
    await applyAll()
    expect(await countUnreadAlerts(db, accountId, 100)).toBe(2)
    expect(await countUnreadAlerts(db, accountId, 1)).toBe(1)
    const { alerts } = await findAlerts(db, accountId, { limit: 10, offset: 0 })
    await markAlertsRead(db, accountId, alerts[1]!.id)
    expect(await countUnreadAlerts(db, accountId, 100)).toBe(1)
    await markAlertsRead(db, accountId, alerts[0]!.id)
    await markAlertsRead(db, accountId, alerts[1]!.id)
    expect(await findAlerts(db, accountId, { limit: 10, offset: 0 })).toMatchObject({ readTo: alerts[0]!.id })
    expect(await countUnreadAlerts(db, accountId, 100)).toBe(0)
  })
})

describe('the status of a set', () => {
  test('changes with the date and with the catalog', async () => {
    const number = await newSet()
    await refreshStatuses(workerDatabase)
    await rule({ kind: 'set', number }, 'retiring_soon')
    await rule({ kind: 'set', number }, 'retired')
    for (const day of ['2999-01-01', '2020-01-01']) {
      await db.updateTable('catalog.set').set({ retire_date: day }).where('set_number', '=', number).execute()
      await refreshStatuses(workerDatabase)
      await refreshStatuses(workerDatabase)
    }
    expect(await applyAll()).toBe(2)
    expect((await alertsOf()).map(({ kind }) => kind)).toEqual(['retiring_soon', 'retired'])
  })

  test('a retirement that becomes known late is no news', async () => {
    const number = `${80_000 + ++sets}-1`
    await addSet(db, { set_number: number, release_date: null })
    await refreshStatuses(workerDatabase)
    await rule({ kind: 'set', number }, 'retired')
    await db.updateTable('catalog.set').set({ retire_date: '2010-01-01' }).where('set_number', '=', number).execute()
    await refreshStatuses(workerDatabase)
    expect(await applyAll()).toBe(0)
  })

  test.each([
    [null, null, null],
    [null, 2007, null],
    [null, 2090, null],
    ['2999-01-01', null, null],
    ['2020-01-01', null, null],
    ['2020-01-01', null, '2999-01-01'],
    ['2020-01-01', null, '2021-01-01'],
    ['2999-01-01', null, '2999-02-01'],
  ])(
    'of a set released %s (%s) and retired %s is the one of the API',
    async (release_date, release_year, retire_date) => {
      const set_number = `${80_000 + ++sets}-1`
      await addSet(db, { set_number, release_date, release_year, retire_date })
      await refreshStatuses(workerDatabase)
      const { rows } = await sql<{ status: string }>`
      select status from change.set_status where set_number = ${set_number}`.execute(db)
      const names = ['upcoming', 'available', 'retiring_soon', 'retired', 'unknown']
      const status = setStatus({ release_date, release_year, retire_date }, new Date().toISOString().slice(0, 10))
      expect(rows[0]!.status).toBe(names[status - SET_STATUS.upcoming])
    },
  )
})

describe('the feed', () => {
  test('loses and repeats nothing when transactions commit out of order', async () => {
    const numbers = await Promise.all(Array.from({ length: 8 }, newSet))
    for (const number of numbers) await rule({ kind: 'set', number }, 'sold_out')
    const writers = numbers.map(async (number, index) => {
      for (let round = 0; round < 10; round++) {
        await db.transaction().execute(async (tx) => {
          const update = (price: number | null) =>
            tx
              .updateTable('market.retail_state')
              .set({ price_cents: price, in_stock: price !== null })
              .where('set_number', '=', number)
              .execute()
          await update(null)
          // Meanwhile, transactions that started later commit.
          await sql`select pg_sleep(${((index * 7 + round * 3) % 11) / 1000})`.execute(tx)
          await update(5000 + round)
        })
      }
    })
    let isWriting = true
    const readers = [1, 2].map(async () => {
      while (isWriting) await alertOnChanges(workerDatabase)
    })
    await Promise.all(writers)
    isWriting = false
    await Promise.all(readers)
    await applyAll()
    const found = (await alertsOf()).map(({ itemNumber }) => itemNumber)
    expect(found.toSorted()).toEqual(numbers.flatMap((number) => Array<string>(10).fill(number)).toSorted())
  })

  test('goes on after a restore from a dump, with lower transaction ids', async () => {
    const number = await newSet()
    await rule({ kind: 'set', number }, 'sold_out')
    await setPrice(number, null)
    await applyAll()
    await setPrice(number, 4800)
    await setPrice(number, null)
    // As after a restore: everything so far, of which a part was read, has ids far ahead of this server's.
    const ahead = sql`(transaction_id::text::bigint + 1000000000)::text::xid8`
    await sql`update change.change set transaction_id = ${ahead}`.execute(db)
    await sql`update change.cursor set transaction_id = ${ahead}`.execute(db)
    await setPrice(number, 4700)
    await setPrice(number, null)
    expect(await applyAll()).toBe(2)
    await setPrice(number, 4600)
    await setPrice(number, null)
    expect(await applyAll()).toBe(1)
    expect(await alertsOf()).toHaveLength(4)
  })

  test('says how old the oldest unread change is', async () => {
    expect(await findAlertLag(workerDatabase)).toBe(0)
    const number = await newSet()
    await sql`update change.change set at = at - interval '1 minute' where item_number = ${number}`.execute(db)
    expect(await findAlertLag(workerDatabase)).toBeGreaterThanOrEqual(60)
    await applyAll()
    expect(await findAlertLag(workerDatabase)).toBe(0)
  })

  test('is read in the order of the numbers, not of their digits', async () => {
    const insert = (transaction: string) =>
      sql`insert into change.change (transaction_id, kind, item_kind, item_number, before, after)
          values (${transaction}::xid8, 'status', 'set', ${transaction}, '{"status":"available"}', '{"status":"retired"}')`.execute(
        db,
      )
    for (const transaction of ['100', '99']) await insert(transaction)
    const { changes, cursor } = await findChanges(workerDatabase, { transactionId: '50', changeId: 0 }, 2)
    expect(changes.map(({ itemNumber }) => itemNumber)).toEqual(['99', '100'])
    expect(cursor.transactionId).toBe('100')
  })

  test('is read in order from its index, however much of it has been read', async () => {
    const plan = await workerDatabase.transaction().execute(async (tx) => {
      for (const setting of ['enable_seqscan', 'enable_bitmapscan', 'enable_sort'])
        await sql`select set_config(${setting}, 'off', true)`.execute(tx)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain select transaction_id::text as transaction_id, id from change.change
         where (transaction_id, id) > ('1000'::xid8, 7) and transaction_id < pg_snapshot_xmin(pg_current_snapshot())
         order by change.transaction_id, change.id limit 500`.execute(tx)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    expect(plan).toMatch(/Index Cond: .*transaction_id, .*id\) > ROW/)
    expect(plan).not.toMatch(/Seq Scan|-> +Sort/)
  })

  test('records neither an update without a change nor what is rolled back', async () => {
    const number = await newSet()
    const count = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*) from change.change where item_number = ${number}`.execute(db)
      return rows[0]!.count
    }
    const before = await count()
    await setPrice(number, 5000, { last_checked_at: new Date() })
    const failing = db.transaction().execute(async (tx) => {
      await tx.updateTable('market.set_value').set({ data_tier: 'thin' }).where('set_number', '=', number).execute()
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    expect(await count()).toBe(before)
  })
})

describe('the cost of an account’s rules is bounded', () => {
  test('the same rule can’t be added twice, but with another threshold it can', async () => {
    const number = await newSet()
    expect(await rule({ kind: 'set', number }, 'price_at_most', 4200)).toBeUndefined()
    expect(await rule({ kind: 'set', number }, 'price_at_most', 4200)).toBe('exists')
    expect(await rule({ kind: 'set', number }, 'price_at_most', 4100)).toBeUndefined()
    expect(await rule({ kind: 'watchlist' }, 'sold_out')).toBeUndefined()
    expect(await rule({ kind: 'watchlist' }, 'sold_out')).toBe('exists')
  })

  test('requests at the same time don’t exceed the limit', async () => {
    const number = await newSet()
    const { accountId: hobby } = await createTestAccount(db, { plan: 'hobby' })
    const added = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        writeAs(db, hobby, (tx) =>
          addRule(tx, hobby, { scope: { kind: 'set', number }, kind: 'price_at_most', threshold: 1000 + index }),
        ),
      ),
    )
    expect(added.filter((refusal) => refusal === undefined)).toHaveLength(20)
    expect(await findRules(db, hobby)).toHaveLength(20)
  })

  test('an account has at most 50 rules for its watchlist and collections', async () => {
    for (let threshold = 1; threshold <= MAX_BROAD_RULES; threshold++)
      expect(await rule({ kind: 'watchlist' }, 'value_moved', threshold)).toBeUndefined()
    expect(await rule({ kind: 'watchlist' }, 'value_moved', 99)).toBe('broad_limit')
    expect(await rule({ kind: 'set', number: await newSet() }, 'sold_out')).toBeUndefined()
  })

  test('an account gets as many alerts a day as its plan includes, and the others are counted', async () => {
    await db.updateTable('account.plan').set({ max_alerts_per_day: 5 }).execute()
    const number = await newSet()
    for (let threshold = 4101; threshold <= 4108; threshold++)
      await rule({ kind: 'set', number }, 'price_at_most', threshold)
    const { accountId: other } = await createTestAccount(db)
    await addRule(db, other, { scope: { kind: 'set', number }, kind: 'price_at_most', threshold: 4100 })
    await setPrice(number, 4000)
    await applyAll()
    expect(await alertsOf()).toHaveLength(5)
    expect(await alertsOf(other)).toHaveLength(1)
    await setPrice(number, 4900)
    await setPrice(number, 4000)
    await applyAll()
    expect(await alertsOf()).toHaveLength(5)
    expect(await alertsOf(other)).toHaveLength(2)
    const totals = () =>
      db.selectFrom('alert.daily_total').select(['saved', 'left_out']).where('account_id', '=', accountId).execute()
    expect(await totals()).toEqual([{ saved: 5, left_out: 11 }])
    await db.updateTable('alert.daily_total').set({ day: '2020-01-01' }).execute()
    await setPrice(number, 4900)
    await setPrice(number, 4000)
    await applyAll()
    expect(await alertsOf()).toHaveLength(10)
    expect(await totals()).toEqual([{ saved: 5, left_out: 3 }])
    await db.updateTable('account.plan').set({ max_alerts_per_day: 1000 }).execute()
  })

  test('mail has the first alerts and the number of all', async () => {
    const number = await newSet()
    const email = `${accountId}@example.com`
    await db
      .insertInto('auth.user')
      .values({ id: email, name: 'A', email, email_verified: true, account_id: accountId })
      .execute()
    for (let threshold = 4101; threshold <= 4170; threshold++)
      await rule({ kind: 'set', number }, 'price_at_most', threshold)
    await setPrice(number, 4000)
    await applyAll()
    const due = (await takeDueMail(db, 100)).filter((mail) => mail.accountId === accountId)
    expect(due.map(({ alerts, total }) => [alerts.length, total])).toEqual([[50, 70]])
  })

  test('more rules than fit into a page are all applied', { timeout: 60_000 }, async () => {
    const number = await newSet()
    await sql`
      with a as (insert into account.account (name, plan) select 'many', 'reseller' from generate_series(1, 6) returning id)
      insert into alert.rule (account_id, kind, set_number, threshold)
      select a.id, 'price_at_most', ${number}, 4001 + n from a, generate_series(1, 998) n`.execute(db)
    await setPrice(number, 4000)
    expect(await applyAll()).toBe(5988)
  })

  test('a change can be skipped', async () => {
    const number = await newSet()
    await rule({ kind: 'set', number }, 'price_at_most', 4200)
    await applyAll()
    await setPrice(number, 4100)
    await setPrice(number, 4900)
    await setPrice(number, 4000)
    await vi.waitFor(async () => expect(await skipChange(workerDatabase)).toBeGreaterThan(0))
    expect(await applyAll()).toBe(1)
    expect((await alertsOf()).map(({ facts }) => facts.price)).toEqual([4000])
  })
})

test('alerts are deleted after 90 days', async () => {
  const number = await newSet()
  await rule({ kind: 'set', number }, 'sold_out')
  await setPrice(number, null)
  await applyAll()
  await sql`update alert.alert set at = at - interval '91 days' where account_id = ${accountId}`.execute(db)
  // More than one batch.
  await sql`
    insert into alert.alert (account_id, rule_id, change_id, at, kind, item_kind, item_number, retailer, facts)
    select account_id, rule_id, -n, at, kind, item_kind, item_number, retailer, facts
      from alert.alert, generate_series(1, 10500) n where account_id = ${accountId}`.execute(db)
  expect(await deleteOldAlerts(workerDatabase)).toBe(10_501)
  expect(await alertsOf()).toEqual([])
})
