import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openDatabase, openPool, readAs, type Database } from '@brickmark/core/db/database'
import { findHeldLots } from '@brickmark/core/portfolio/held-lot-queries'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { addCollection, addLot, addSale, addSet, createTestAccount } from '@brickmark/tests/support/fixtures'

/**
 * Isolation between accounts by row-level security alone: none of these queries filter by account. Some tests disable
 * the protection and check for the difference, so that the others can't pass by accident.
 */

type Role = 'brickmark_api' | 'brickmark_web'

let database: TestDatabase
let db: Database
let admin: pg.Client
let own: number
let foreign: number

const READABLE: [Role, string][] = [
  ['brickmark_api', 'portfolio.collection'],
  ['brickmark_api', 'portfolio.lot'],
  ['brickmark_api', 'portfolio.sale'],
  ['brickmark_api', 'portfolio.sale_lot'],
  ['brickmark_web', 'portfolio.collection'],
  ['brickmark_web', 'portfolio.lot'],
  ['brickmark_web', 'portfolio.sale'],
  ['brickmark_web', 'portfolio.sale_lot'],
  ['brickmark_web', 'portfolio.sale_order'],
  ['brickmark_web', 'portfolio.import'],
  ['brickmark_web', 'portfolio.import_row'],
  ['brickmark_web', 'portfolio.form_submission'],
  ['brickmark_web', 'portfolio.lot_view'],
  ['brickmark_web', 'portfolio.shelf'],
  ['brickmark_web', 'portfolio.watched_item'],
  ['brickmark_web', 'portfolio.selling_costs'],
  ['brickmark_web', 'alert.rule'],
  ['brickmark_web', 'alert.met_rule'],
  ['brickmark_web', 'alert.alert'],
  ['brickmark_web', 'alert.daily_total'],
  ['brickmark_web', 'alert.inbox'],
  ['brickmark_web', 'alert.mail_settings'],
  ['brickmark_web', 'alert.mail_schedule'],
  ['brickmark_web', 'webhook.endpoint'],
  ['brickmark_web', 'webhook.event'],
  ['brickmark_web', 'webhook.delivery'],
  ['brickmark_web', 'webhook.attempt'],
  ['brickmark_web', 'webhook.push_subscription'],
  ['brickmark_web', 'account.account'],
  ['brickmark_web', 'account.api_key'],
  ['brickmark_web', 'account.api_key_quota'],
  ['brickmark_web', 'account.api_key_quota_history'],
  ['brickmark_web', 'account.audit_log'],
  ['brickmark_web', 'account.api_key_last_request'],
  ['brickmark_web', 'account.api_key_usage'],
]
const PRIVATE = [
  'portfolio.lot_view',
  'portfolio.shelf',
  'alert.daily_total',
  'alert.inbox',
  'webhook.attempt',
  'webhook.delivery',
  'webhook.endpoint',
  'webhook.event',
  'webhook.push_subscription',
  'alert.alert',
  'alert.mail_schedule',
  'alert.mail_settings',
  'alert.met_rule',
  'alert.rule',
  'account.account',
  'account.api_key',
  'account.api_key_directory',
  'account.audit_log',
  'account.api_key_last_request',
  'account.api_key_quota',
  'account.api_key_quota_history',
  'account.api_key_usage',
  'account.quota_notice',
  'account.deleted_account',
  'portfolio.collection',
  'portfolio.lot',
  'portfolio.import',
  'portfolio.import_row',
  'portfolio.form_submission',
  'portfolio.watched_item',
  'portfolio.sale',
  'portfolio.sale_lot',
  'portfolio.sale_order',
  'portfolio.selling_costs',
]

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 2 }))
  admin = new pg.Client(database.url)
  await admin.connect()
  for (const set_number of ['90001-1', '90002-1']) await addSet(db, { set_number })
  own = await fillAccount()
  foreign = await fillAccount()
})
afterAll(async () => {
  await admin.end()
  await db.destroy()
  await database.drop()
})

/** Creates an account with at least one row in every private table. */
async function fillAccount(): Promise<number> {
  const { accountId: account_id, keyId } = await createTestAccount(db)
  const collection_id = await addCollection(db, account_id)
  const lot_id = await addLot(db, { account_id, collection_id, set_number: '90001-1' })
  const sale_id = await addSale(db, { account_id, set_number: '90001-1' })
  const view = { name: 'Listed', query: 'status=listed' }
  await db
    .insertInto('portfolio.lot_view')
    .values({ account_id, collection_id, ...view })
    .execute()
  await admin.query(
    `insert into portfolio.shelf values ($1, $2, 'Shelf', false, false, false, sha256('salt'), sha256('token'))`,
    [account_id, collection_id],
  )
  await db.insertInto('portfolio.sale_lot').values({ account_id, sale_id, lot_id, quantity: 1 }).execute()
  await admin.query(
    `insert into portfolio.sale_order (account_id, platform, order_number, line, sale_id) values ($1, 'ebay', '1', '1', $2)`,
    [account_id, sale_id],
  )
  await admin.query(
    `with draft as (
       insert into portfolio.import (account_id, file_name, fingerprint, content) values ($1, 'a.csv', 'x', 'y') returning id)
     insert into portfolio.import_row (account_id, import_id, row_number, state, reason, excerpt)
     select $1, id, 2, 'skipped', 'x', 'y' from draft`,
    [account_id],
  )
  await admin.query("insert into portfolio.watched_item (account_id, set_number) values ($1, '90001-1')", [account_id])
  await admin.query('insert into portfolio.form_submission (account_id, token) values ($1, gen_random_uuid())', [
    account_id,
  ])
  await admin.query('insert into portfolio.selling_costs values ($1, 1325, 40, array[0, 0, 0, 0])', [account_id])
  await admin.query(
    `with added as (
       insert into alert.rule (account_id, kind, set_number) values ($1, 'new_low', '90001-1') returning id),
     met as (
       insert into alert.met_rule (account_id, rule_id, item_kind, item_number, retailer, since)
       select $1, id, 'set', '90001-1', '', now() from added)
     insert into alert.alert (account_id, rule_id, change_id, at, kind, item_kind, item_number, retailer, facts)
     select $1, id, 1, now(), 'new_low', 'set', '90001-1', '', '{}' from added`,
    [account_id],
  )
  await admin.query('insert into alert.mail_settings (account_id) values ($1)', [account_id])
  await admin.query('insert into alert.inbox (account_id, read_to) values ($1, 1)', [account_id])
  await admin.query('insert into alert.mail_schedule (account_id, first_alert_id) values ($1, 1)', [account_id])
  await admin.query(
    "insert into alert.daily_total (account_id, day, saved, left_out) values ($1, '2026-01-01', 1, 0)",
    [account_id],
  )
  await admin.query(
    `with endpoint as (
       insert into webhook.endpoint (account_id, url, salt) values ($1, 'https://hooks.example.com', '') returning id),
     event as (
       insert into webhook.event (account_id, type, data) values ($1, 'test', '{}') returning id),
     delivery as (
       insert into webhook.delivery (account_id, event_id, endpoint_id) select $1, event.id, endpoint.id from event, endpoint),
     browser as (
       insert into webhook.push_subscription (account_id, endpoint_id, p256dh, auth, client)
       select $1, id, decode(repeat('04', 65), 'hex'), decode(repeat('00', 16), 'hex'), '' from endpoint)
     insert into webhook.attempt (account_id, event_id, endpoint_id, at, duration_ms, response)
     select $1, event.id, endpoint.id, now(), 1, '' from event, endpoint`,
    [account_id],
  )
  await admin.query(
    `insert into account.api_key_quota (account_id, api_key_id, day, used, daily_limit, last_cost, last_count, last_granted)
     values ($1, $2, (now() at time zone 'utc')::date, 1, 10, 1, 1, 1)`,
    [account_id, keyId],
  )
  await admin.query("insert into account.quota_notice values ($1, $2, '2026-01-01', 80)", [account_id, keyId])
  await admin.query(
    `insert into account.api_key_quota_history select account_id, api_key_id, day - 1, used, daily_limit, last_at
       from account.api_key_quota where account_id = $1`,
    [account_id],
  )
  await admin.query('insert into account.deleted_account (account_id) values ($1)', [account_id])
  await admin.query('select account.record_requests($1)', [
    JSON.stringify([
      {
        account_id,
        api_key_id: keyId,
        status: 200,
        requests: 1,
        at: new Date(),
        request_id: randomUUID(),
        request: 'GET /api/v1/brickfolio',
      },
    ]),
  ])
  return account_id
}

/** Runs `work` as a role acting for an account, after the superuser ran `before`, and rolls everything back. */
async function as<T>(
  role: Role,
  account: number | string | undefined,
  work: () => Promise<T>,
  before: string[] = [],
): Promise<T> {
  await admin.query('begin')
  try {
    for (const statement of before) await admin.query(statement)
    await admin.query(`set local role ${role}`)
    if (account !== undefined) await admin.query("select set_config('brickmark.account_id', $1, true)", [account])
    return await work()
  } finally {
    await admin.query('rollback')
  }
}

async function accountsIn(table: string): Promise<number[]> {
  const { rows } = await admin.query<{ id: number }>(
    `select distinct ${ownerColumn(table)} as id from ${table} order by 1`,
  )
  return rows.map((row) => row.id)
}

function ownerColumn(table: string): string {
  return table === 'account.account' ? 'id' : 'account_id'
}

test('every private table has row-level security enabled and forced', async () => {
  const { rows } = await admin.query<{ name: string; enabled: boolean; forced: boolean }>(`
    select c.oid::regclass::text as name, relrowsecurity as enabled, relforcerowsecurity as forced
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('account', 'portfolio', 'alert', 'webhook') and c.relkind in ('r', 'p') and not c.relispartition and c.relname not in ('plan', 'announcement')
     order by 1`)
  expect(rows.filter((row) => !row.enabled || !row.forced)).toEqual([])
  expect(rows.map((row) => row.name)).toEqual(PRIVATE.toSorted())
})

test('the superuser sees both accounts in every table, so there is something to hide', async () => {
  for (const table of PRIVATE) expect(await accountsIn(table), table).toEqual([own, foreign])
})

describe.each(READABLE)('%s reads %s', (role, table) => {
  test('only its own rows', async () => {
    expect(await as(role, own, () => accountsIn(table))).toEqual([own])
    expect(await as(role, foreign, () => accountsIn(table))).toEqual([foreign])
  })

  test('nothing without an account', async () => {
    for (const account of [undefined, '', 999_999_999]) {
      expect(await as(role, account, () => accountsIn(table))).toEqual([])
    }
  })

  test('nothing without its policy, and foreign rows with row-level security disabled', async () => {
    const policy = role === 'brickmark_api' ? 'read_own' : 'own'
    expect(await as(role, own, () => accountsIn(table), [`drop policy ${policy} on ${table}`])).toEqual([])
    const off = [`alter table ${table} disable row level security`]
    expect(await as(role, own, () => accountsIn(table), off)).toEqual([own, foreign])
  })
})

describe('brickmark_web writes', () => {
  const values: Record<string, string> = {
    'portfolio.collection': "(account_id, name) values ($1, 'x')",
    'portfolio.lot': `(account_id, collection_id, set_number, condition, quantity, purchase_price_cents, purchase_date)
       select $1::bigint, $2::bigint, '90001-1', 'sealed', 1, 1, '2025-01-01'`,
    'portfolio.sale': `(account_id, set_number, platform, sale_date, quantity, gross_proceeds_cents)
       values ($1, '90001-1', 'ebay', '2025-01-01', 1, 1)`,
    'portfolio.import': "(account_id, file_name, fingerprint, status) values ($1, 'a.csv', 'x', 'done')",
    'portfolio.import_row': `(account_id, import_id, row_number, state, reason, excerpt)
       select $1::bigint, $2::bigint, 3, 'skipped', 'x', 'y'`,
    'portfolio.form_submission': '(account_id, token) values ($1, gen_random_uuid())',
    'portfolio.watched_item': "(account_id, set_number) values ($1, '90002-1')",
    'alert.rule': "(account_id, kind) values ($1, 'new_low')",
    'portfolio.sale_lot': '(account_id, sale_id, lot_id, quantity) select $1::bigint, $2::bigint, $3::bigint, 1',
    'portfolio.sale_order': `(account_id, platform, order_number, line, sale_id)
       select $1::bigint, 'ebay', '2', '1', $2::bigint`,
    'portfolio.shelf': `(account_id, collection_id, heading, shows_value, shows_purchase_date, shows_notes, salt, token_hash)
       select $1::bigint, $2::bigint, 'x', true, true, true, sha256('a'), sha256('b')`,
    'account.api_key': "(account_id, name, last4, slot) values ($1, 'x', 'abcd', 5)",
    'account.audit_log': "(account_id, actor, action) values ($1, 'owner', 'y')",
    'account.api_key_directory': `(hash, account_id, api_key_id, pepper_version)
       select decode(repeat('ab', 32), 'hex'), $1::bigint, $2::bigint, 1`,
  }

  /** Returns parameters that make a valid row for an account. */
  async function parameters(table: string, account: number): Promise<number[]> {
    const one = async (query: string) => (await admin.query<{ id: number }>(query, [account])).rows[0]!.id
    if (table === 'portfolio.lot') {
      return [account, await one('select id from portfolio.collection where account_id = $1')]
    }
    if (table === 'portfolio.shelf') return [account, await addCollection(db, account, { name: randomUUID() })]
    if (table === 'portfolio.import_row') {
      return [account, await one('select id from portfolio.import where account_id = $1')]
    }
    if (table === 'account.api_key_directory') {
      return [account, await one('select id from account.api_key where account_id = $1')]
    }
    if (table === 'portfolio.sale_order') {
      return [account, await addSale(db, { account_id: account, set_number: '90001-1' })]
    }
    if (table === 'portfolio.sale_lot') {
      const sale = await addSale(db, { account_id: account, set_number: '90001-1' })
      return [account, sale, await one('select id from portfolio.lot where account_id = $1')]
    }
    return [account]
  }

  test.each(Object.keys(values))('inserts into %s only for its own account', async (table) => {
    const insert = async (acting: number, account: number) => {
      const params = await parameters(table, account)
      return as('brickmark_web', acting, () => admin.query(`insert into ${table} ${values[table]}`, params))
    }
    expect((await insert(own, own)).rowCount).toBe(1)
    await expect(insert(own, foreign)).rejects.toThrow('row-level security')
    await expect(insert(foreign, own)).rejects.toThrow('row-level security')
  })

  test.each([
    ['portfolio.collection', "name = 'x'"],
    ['portfolio.lot', "notes = 'x'"],
    ['portfolio.sale', 'cost_cents = 1'],
    ['portfolio.sale_lot', 'quantity = 2'],
    ['portfolio.import', "file_name = 'x'"],
    ['portfolio.watched_item', 'target_cents = 1'],
    ['portfolio.shelf', 'shows_notes = true'],
    ['alert.rule', 'is_paused = true'],
    ['portfolio.selling_costs', 'fixed_fee_cents = 1'],
    ['account.account', "name = 'x'"],
    ['account.api_key', "name = 'x'"],
  ])("updates only its own rows of %s and can't reassign them", async (table, change) => {
    const update = (where: string) =>
      as('brickmark_web', own, async () => (await admin.query(`update ${table} set ${change} ${where}`)).rowCount)
    const { rowCount } = await admin.query(`select from ${table} where ${ownerColumn(table)} = $1`, [own])
    expect(await update('')).toBe(rowCount)
    expect(await update(`where ${ownerColumn(table)} = ${foreign}`)).toBe(0)
    const reassign = () => admin.query(`update ${table} set ${ownerColumn(table)} = ${foreign}`)
    await expect(as('brickmark_web', own, reassign)).rejects.toThrow(
      /row-level security|can only be updated to DEFAULT|permission denied/,
    )
  })

  test.each([
    'portfolio.collection',
    'portfolio.lot',
    'portfolio.sale',
    'portfolio.sale_lot',
    'portfolio.sale_order',
    'portfolio.import',
    'portfolio.import_row',
    'portfolio.form_submission',
    'portfolio.shelf',
    'portfolio.watched_item',
    'alert.rule',
    'alert.alert',
  ])('deletes only its own rows from %s', async (table) => {
    const remove = (where: string) =>
      as('brickmark_web', own, async () => {
        const { rowCount } = await admin.query(`delete from ${table} ${where}`)
        await admin.query('reset role')
        return { rowCount, left: await accountsIn(table) }
      })
    expect(await remove(`where account_id = ${foreign}`)).toMatchObject({ rowCount: 0, left: [own, foreign] })
    expect((await remove('')).left).toEqual([foreign])
  })

  test.each(Object.keys(values))(
    "only row-level security prevents it from writing other accounts' rows to %s",
    async (table) => {
      const params = await parameters(table, foreign)
      const insert = () => admin.query(`insert into ${table} ${values[table]}`, params)
      const off = [`alter table ${table} disable row level security`]
      expect((await as('brickmark_web', own, insert, off)).rowCount).toBe(1)
      const noPolicy = [`drop policy ${table === 'account.audit_log' ? 'own_entry' : 'own'} on ${table}`]
      await expect(as('brickmark_web', foreign, insert, noPolicy)).rejects.toThrow('row-level security')
    },
  )

  test.each([
    'account.api_key_last_request',
    'account.api_key_usage',
    'account.api_key_quota',
    'account.api_key_quota_history',
  ])("can't write to %s", async (table) => {
    const change = () => admin.query(`update ${table} set api_key_id = api_key_id`)
    await expect(as('brickmark_web', own, change)).rejects.toThrow('permission denied')
  })

  test("can shorten the expiry of its own keys but never extend it, and can't change other accounts' keys", async () => {
    const end = (when: string, where = '') => admin.query(`update account.api_key set expires_at = ${when} ${where}`)
    const expiry = async () => {
      const { rows } = await admin.query<{ account_id: number; ends: boolean }>(
        'select account_id, expires_at is not null as ends from account.api_key',
      )
      return rows
    }
    const after = await as('brickmark_web', own, async () => {
      await end("now() + interval '1 day'")
      await admin.query('reset role')
      return expiry()
    })
    expect(after.filter(({ ends }) => ends).map(({ account_id }) => account_id)).toEqual([own])
    for (const later of ["now() + interval '2 days'", 'null']) {
      const prolong = async () => {
        await end("now() + interval '1 day'")
        await end(later)
      }
      await expect(as('brickmark_web', own, prolong)).rejects.toThrow('only be made earlier')
    }
  })

  test.each(['account.account', 'account.api_key', 'account.api_key_quota', 'account.audit_log'])(
    "can't delete from %s",
    async (table) => {
      const remove = () => admin.query(`delete from ${table}`)
      await expect(as('brickmark_web', own, remove)).rejects.toThrow('permission denied')
    },
  )
})

test("a pooled connection doesn't carry the account over to the next request", async () => {
  const pool = openPool(asRole(database.url, 'brickmark_api'), { size: 1, pipelined: true })
  const reader = openDatabase(pool)
  const accounts = (from: Database) => from.selectFrom('portfolio.lot').select('account_id').distinct().execute()
  expect(await readAs(reader, own, accounts)).toEqual([{ account_id: own }])
  expect(await accounts(reader)).toEqual([])
  const failed = readAs(reader, own, async () => {
    throw new Error('on purpose')
  })
  await expect(failed).rejects.toThrow('on purpose')
  expect(await accounts(reader)).toEqual([])
  expect((await findHeldLots(reader, foreign, { limit: 50, offset: 0 }))?.lots).toHaveLength(1)
  expect(await accounts(reader)).toEqual([])
  await expect(readAs(reader, own, (tx) => tx.deleteFrom('portfolio.lot').execute())).rejects.toThrow(
    /permission denied|read-only/,
  )
  await reader.destroy()
})
