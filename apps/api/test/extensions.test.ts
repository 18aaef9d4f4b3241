import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Database } from '@brickmark/core/db/database'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { addCollection, addLot, addSale, addSet, addValue, type TestAccount } from '@brickmark/tests/support/fixtures'

/** What only the extensions do; what they share with v1 is tested in all-endpoints.test.ts. */

const PREFIX = '/api/extensions/v1'

let api: TestApi
let account: TestAccount
let other: TestAccount

async function seed(db: Database): Promise<void> {
  await addSet(db, {
    set_number: '90001-1',
    title: 'Tidewater Lighthouse',
    theme: 'Harbor',
    release_date: '2021-03-01',
    release_year: 2021,
    retire_date: '2023-12-31',
  })
  await addSet(db, {
    set_number: '90010-1',
    title: 'Harbor Crane',
    theme: 'Harbor',
    release_date: '2024-06-01',
    release_year: 2024,
  })
  await addSet(db, { set_number: '90002-1', title: 'Night Train', theme: 'Rails', release_year: 2021 })
  await addSet(db, { set_number: '90003-1', title: 'Signal Box', theme: 'Rails' })
  await addValue(db, { set_number: '90001-1', value_cents: 11240 })
}

beforeAll(async () => {
  api = await startTestApi(seed)
  account = await api.createAccount()
  other = await api.createAccount()
})
afterAll(() => api.stop())

async function get<D>(path: string, caller = account): Promise<D> {
  const response = await api.get<D>(PREFIX + path, caller)
  expect(response.status, response.text).toBe(200)
  return response.data
}

async function messageOf(path: string): Promise<string> {
  const response = await api.get(PREFIX + path, account)
  expect([response.status, response.error.code]).toEqual([400, 'BadRequest'])
  return response.error.message
}

describe('GET /usage', () => {
  type Usage = { limit: number; used: number; remaining: number; reset: string; days: Day[] }
  type Day = { date: string; credits: number; requests: number; failed: number; endpoints: object[] }
  const today = () => new Date().toISOString().slice(0, 10)

  test('a new key has used nothing', async () => {
    const { days, ...rest } = await get<Usage>('/usage', await api.createAccount({ limit: 7 }))
    expect(rest).toMatchObject({ limit: 7, used: 0, remaining: 7 })
    expect(rest.reset).toBe(new Date(Date.parse(today()) + 86_400_000).toISOString())
    expect(days).toEqual([{ date: today(), credits: 0, requests: 0, failed: 0, endpoints: [] }])
  })

  test('counts credits at once, and requests by endpoint after the next flush', async () => {
    const caller = await api.createAccount()
    for (const path of ['/set/90001-1', '/set/90010-1', '/set/nothing', '/catalog/themes', '/catalog/themes?bogus=1'])
      await api.get(path, caller)
    const usage = await get<Usage>('/usage', caller)
    expect([usage.used, usage.remaining]).toEqual([4, 996])
    await expect
      .poll(async () => (await get<Usage>('/usage?days=1', caller)).days[0]!.requests, { timeout: 20_000 })
      .toBeGreaterThanOrEqual(6)
    const [day] = (await get<Usage>('/usage', caller)).days
    expect(day).toMatchObject({ credits: 4, failed: 2 })
    const counts = new Map(day!.endpoints.map((one) => Object.values(one) as [string, number]))
    expect([counts.get('/set/{number}'), counts.get('/catalog/themes')]).toEqual([3, 2])
    expect(counts.get('/extensions/v1/usage')).toBeGreaterThanOrEqual(1)
  })

  test('includes earlier days, and no other key', async () => {
    const caller = await api.createAccount()
    const { accountId, keyId } = caller
    await sql`insert into account.api_key_quota_history (account_id, api_key_id, day, used, daily_limit, last_at)
      select ${accountId}, ${keyId}, (now() at time zone 'utc')::date - days, days, 1000, now()
        from unnest(array[3, 20]) as days`.execute(api.db)
    const creditsOf = async (query: string) =>
      (await get<Usage>(`/usage?${query}`, caller)).days.map(({ credits }) => credits)
    expect(await creditsOf('days=30')).toEqual([20, 3, 0])
    expect(await creditsOf('days=4')).toEqual([3, 0])
    expect(await creditsOf('days=3')).toEqual([0])
    expect((await get<Usage>('/usage', other)).days).toHaveLength(1)
  })

  test('is free and answers when the quota is used up', async () => {
    const caller = await api.createAccount({ limit: 1 })
    await api.get('/catalog/themes', caller)
    expect((await api.get('/catalog/themes', caller)).status).toBe(429)
    expect(await get<Usage>('/usage', caller)).toMatchObject({ limit: 1, used: 1, remaining: 0 })
    expect(await api.creditsUsed(caller)).toBe(1)
  })
})

test('a key that has run out gets its 429 without a read of account data', async () => {
  const caller = await api.createAccount({ limit: 1 })
  await api.get('/catalog/themes', caller)
  const ask = () => api.get('/brickfolio/entries', caller)
  // The first 429 needs a charge to find out.
  expect((await ask()).status).toBe(429)
  await api.db.transaction().execute(async (transaction) => {
    await sql`lock table portfolio.lot, portfolio.collection in access exclusive mode`.execute(transaction)
    const response = await ask()
    expect([response.status, response.headers['x-ratelimit-remaining']]).toEqual([429, '0'])
    expect(response.error.message).toContain('has 0 of 1 credits remaining')
    // A typo is still reported as one.
    expect((await api.get('/brickfolio/entries?bogus=1', caller)).status).toBe(400)
  })
  await api.db.updateTable('account.api_key_quota').set({ used: 0 }).where('api_key_id', '=', caller.keyId).execute()
  expect((await ask()).status).toBe(200)
})

describe('GET /changes', () => {
  type Page = { changes: { kind: string; item: string; number: string }[]; next: string; has_more: boolean }
  let start: string

  /** Records a change that happened some seconds ago. */
  async function addChange(number: string, secondsAgo = 120, kind = 'value'): Promise<void> {
    await sql`insert into change.change (kind, item_kind, item_number, after, at)
      values (${kind}, 'set', ${number}, '{"value_cents": 12345}', now() - make_interval(secs => ${secondsAgo}))`.execute(
      api.db,
    )
  }

  /** Waits until no open transaction, of any test that runs beside this one, holds changes back. */
  async function untilAnnounced(): Promise<void> {
    await vi.waitFor(
      async () => {
        const { rows } = await sql`select from change.change
          where transaction_id >= pg_snapshot_xmin(pg_current_snapshot())`.execute(api.db)
        expect(rows).toEqual([])
      },
      { timeout: 10_000 },
    )
  }

  const after = (cursor: string, limit = 1000) => get<Page>(`/changes?after=${cursor}&limit=${limit}`)

  test('without `after`, returns the current position and no changes', async () => {
    await addChange('90001-1')
    await untilAnnounced()
    const page = await get<Page>('/changes')
    expect(page).toMatchObject({ changes: [], has_more: false })
    start = page.next
    expect(await after(start)).toMatchObject({ changes: [], has_more: false })
  })

  test('returns every later change once, page by page, without what changed', async () => {
    for (const number of ['90001-1', '90002-1', '90001-1']) await addChange(number)
    await addChange('90003-1', 120, 'status')
    await untilAnnounced()
    const first = await after(start, 3)
    const { data } = await api.get<Page>(`${PREFIX}/changes?after=${first.next}&limit=3`, account)
    expect(first.changes.map(({ number }) => number)).toEqual(['90001-1', '90002-1', '90001-1'])
    expect([first.has_more, data.has_more]).toEqual([true, false])
    expect(data.changes).toMatchObject([{ kind: 'status', item: 'set', number: '90003-1' }])
    expect(JSON.stringify([first, data])).not.toContain('12345')
    expect((await after(data.next)).changes).toEqual([])
    start = data.next
  })

  test('holds back what is less than a minute old, and everything after it', async () => {
    await addChange('90001-1')
    await addChange('90002-1', 30)
    await addChange('90003-1')
    await untilAnnounced()
    const page = await after(start)
    expect(page.changes.map(({ number }) => number)).toEqual(['90001-1'])
    expect(page.has_more).toBe(false)
    await sql`update change.change set at = at - interval '1 minute' where item_number = '90002-1'`.execute(api.db)
    await untilAnnounced()
    const rest = await after(page.next)
    expect(rest.changes.map(({ number }) => number)).toEqual(['90002-1', '90003-1'])
    start = rest.next
  })

  test('leaves out nothing of a transaction that commits late', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    const late = api.db.transaction().execute(async (transaction) => {
      await sql`insert into change.change (kind, item_kind, item_number, after, at)
        values ('value', 'set', '90001-1', '{}', now() - interval '2 minutes')`.execute(transaction)
      started.resolve()
      await promise
    })
    await started.promise
    await addChange('90002-1')
    const page = await after(start)
    expect(page.changes).toEqual([])
    resolve()
    await late
    await untilAnnounced()
    expect((await after(page.next)).changes.map(({ number }) => number)).toEqual(['90001-1', '90002-1'])
  })

  test('400: rejects a position of before a restore, and waits for a standby that is behind', async () => {
    const at = (minutes: number) => Math.floor((Date.now() - minutes * 60_000) / 1000).toString(16)
    const ahead = (minutes: number) => `ffffffff-0-${at(minutes)}`
    const waiting = ahead(1)
    expect(await after(waiting)).toEqual({ changes: [], next: waiting, has_more: false })
    expect(await messageOf(`/changes?after=${ahead(6)}`)).toContain('unknown to the service')
  })

  test('400: rejects what isn’t a position, and one that is too old', async () => {
    expect(await messageOf('/changes?after=x')).toContain('`next` of an earlier response')
    const old = Math.floor((Date.now() - 30 * 86_400_000) / 1000).toString(16)
    expect(await messageOf(`/changes?after=1-0-${old}`)).toContain('more than 29 days old')
    expect(await messageOf('/changes?after=ffffffffffffffff-0-ffffffffff')).toContain('`next` of an earlier response')
  })
})

describe('GET /sets', () => {
  type Page = { sets: { set_number: string }[]; pagination: { total: number; has_more: boolean } }
  const numbers = async (query: string) => (await get<Page>(`/sets?${query}`)).sets.map(({ set_number }) => set_number)

  test.each([
    ['', ['90001-1', '90002-1', '90003-1', '90010-1']],
    ['theme=harbor', ['90001-1', '90010-1']],
    ['year_from=2021&year_to=2021', ['90001-1', '90002-1']],
    ['year_from=2022', ['90010-1']],
    ['status_id=4', ['90001-1']],
    ['status_id=5', ['90002-1', '90003-1']],
    ['q=harbor', ['90010-1']],
    ['q=90&theme=Rails', ['90002-1', '90003-1']],
    ['theme=Nowhere', []],
  ])('%j finds %j', async (query, expected) => {
    expect(await numbers(query)).toEqual(expected)
  })

  test('pages', async () => {
    const page = await get<Page>('/sets?limit=2&offset=1')
    expect(page.sets.map(({ set_number }) => set_number)).toEqual(['90002-1', '90003-1'])
    expect(page.pagination).toEqual({ total: 4, limit: 2, offset: 1, has_more: true })
  })

  test('400: names the parameter that is wrong', async () => {
    expect(await messageOf('/sets?status_id=6')).toContain('`status_id` must be an integer between 1 and 5')
    expect(await messageOf('/sets?year_from=20')).toContain('`year_from`')
  })
})

describe('GET /lots', () => {
  type Page = { lots: Record<string, unknown>[]; pagination: { total: number } }
  let ids: number[]

  beforeAll(async () => {
    const collectionId = await addCollection(api.db, account.accountId, { name: 'Shelf' })
    const lot = { account_id: account.accountId, collection_id: collectionId, set_number: '90001-1' }
    const bought = { quantity: 2, purchase_price_cents: 6450, purchase_date: '2024-01-14', notes: 'Box dented' }
    const listed = { condition: 'used', status: 'listed', purchase_price_cents: null, purchase_date: null }
    ids = [
      await addLot(api.db, { ...lot, ...bought }),
      await addLot(api.db, { ...lot, ...listed, set_number: '90002-1' }),
    ]
    const foreignId = await addCollection(api.db, other.accountId)
    await addLot(api.db, {
      account_id: other.accountId,
      collection_id: foreignId,
      set_number: '90001-1',
      notes: 'private',
    })
  })

  test('has ids and notes, and the same values as v1', async () => {
    const { lots } = await get<Page>('/lots')
    expect(lots.map(({ id }) => id)).toEqual(ids)
    expect(lots[0]).toMatchObject({
      title: 'Tidewater Lighthouse',
      quantity: 2,
      purchase_price_usd: 64.5,
      notes: 'Box dented',
      value_usd: 112.4,
      total_value_usd: 224.8,
      gain_usd: 95.8,
      gain_pct: 74.26,
    })
    expect(lots[1]).toMatchObject({ purchase_price_usd: null, purchase_date: null, value_usd: null, gain_pct: null })
    const { data } = await api.get<{ entries: Record<string, unknown>[] }>('/brickfolio/entries', account)
    expect(data.entries.map((entry) => [entry['total_current_value_usd'], entry['unrealized_gain_loss_usd']])).toEqual(
      lots.map((lot) => [lot['total_value_usd'], lot['gain_usd']]),
    )
  })

  test.each([
    ['condition=used', 1],
    ['status=owned', 0],
    ['set_number=90002', 1],
    ['set_number=nothing', undefined],
  ])('%s', async (query, index) => {
    const { lots, pagination } = await get<Page>(`/lots?${query}`)
    expect(lots.map(({ id }) => id)).toEqual(index === undefined ? [] : [ids[index]])
    expect(pagination.total).toBe(lots.length)
  })

  test('404: another account’s collection doesn’t exist', async () => {
    const [lot] = (await get<Page>('/lots', other)).lots
    expect(lot).toMatchObject({ notes: 'private' })
    const response = await api.get(`${PREFIX}/lots?collection_id=${String(lot!['collection_id'])}`, account)
    expect([response.status, response.error.code]).toEqual([404, 'NotFound'])
  })
})

describe('GET /alerts', () => {
  type Alerts = { alerts: Record<string, unknown>[]; pagination: { total: number; has_more: boolean } }

  beforeAll(async () => {
    for (const { accountId } of [account, other])
      await sql`insert into alert.alert (account_id, rule_id, change_id, at, kind, item_kind, item_number, retailer, facts)
        select ${accountId}, 1, n, now() - make_interval(days => n), 'below_value', 'set', '90001-1', '',
               '{"price": 5000, "value": 11240, "threshold": 2500, "percent": 5552}' from generate_series(1, 3) n`.execute(
        api.db,
      )
    await sql`insert into alert.inbox select account_id, min(id) from alert.alert group by 1`.execute(api.db)
  })

  test('returns the caller’s alerts, latest first, with what has been read', async () => {
    const { alerts, pagination } = await get<Alerts>('/alerts?limit=2')
    expect(pagination).toMatchObject({ total: 3, has_more: true })
    expect(alerts).toHaveLength(2)
    expect(alerts[0]).toMatchObject({
      kind: 'below_value',
      number: '90001-1',
      title: 'Tidewater Lighthouse',
      price_usd: 50,
      value_usd: 112.4,
      threshold_usd: null,
      threshold_pct: 25,
      actual_pct: 55.52,
      read: true,
    })
    expect(alerts[1]).toMatchObject({ read: false })
    const days = alerts.map(({ created_at }) => created_at as string)
    expect(days).toEqual(days.toSorted().toReversed())
  })

  test('another account has its own, and a new one has none', async () => {
    const ids = async (caller: TestAccount) => (await get<Alerts>('/alerts', caller)).alerts.map(({ id }) => id)
    const [own, foreign] = [await ids(account), await ids(other)]
    expect([own.length, foreign.length]).toEqual([3, 3])
    expect(own.filter((id) => foreign.includes(id))).toEqual([])
    expect(await ids(await api.createAccount())).toEqual([])
  })
})

describe('GET /sales', () => {
  type Page = { sales: { id: number }[]; pagination: { total: number } }
  let ids: number[]

  beforeAll(async () => {
    const add = (sale_date: string, platform: string, set_number = '90001-1', owner = account) =>
      addSale(api.db, { account_id: owner.accountId, set_number, platform, sale_date })
    ids = [
      await add('2026-01-01', 'ebay'),
      await add('2026-01-31', 'local'),
      await add('2026-02-01', 'ebay', '90002-1'),
    ]
    await add('2026-01-15', 'ebay', '90001-1', other)
  })

  test.each([
    ['', [2, 1, 0]],
    ['from=2026-01-31', [2, 1]],
    ['to=2026-01-31', [1, 0]],
    ['from=2026-01-01&to=2026-01-01', [0]],
    ['platform=ebay', [2, 0]],
    ['set_number=90002', [2]],
    ['limit=1&offset=1', [1]],
  ])('%j, newest first', async (query, expected) => {
    const { sales } = await get<Page>(`/sales?${query}`)
    expect(sales.map(({ id }) => ids.indexOf(id))).toEqual(expected)
  })

  test('400: names the parameter that is wrong', async () => {
    expect(await messageOf('/sales?from=2026-02-30')).toContain('`from`')
    expect(await messageOf('/sales?from=2026-02-01&to=2026-01-01')).toBe('`from` must not be after `to`.')
    expect(await messageOf('/sales?platform=shop')).toContain('`platform`')
  })
})
