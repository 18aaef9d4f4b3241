import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ingestFile } from '@brickmark/core/source/ingest-commands'
import { retryQuarantine } from '@brickmark/core/source/quarantine-commands'
import { FeedRejectedError } from '@brickmark/core/source/feeds/feed'
import { toCsv, startTestMarket, type TestMarket } from '@brickmark/tests/support/market'

let market: TestMarket

beforeAll(async () => {
  market = await startTestMarket()
  await market.ingest(
    'catalog',
    toCsv([
      {
        record: 'set',
        set_number: '90001-1',
        title: 'Lighthouse',
        theme: 'Harbor',
        msrp_usd: '89.99',
        asin: 'B0ABCD1234',
      },
      { record: 'set', set_number: '90002', title: 'Crossing', theme: 'Canyon' },
      { record: 'minifig', minifig_number: 'hbr001', name: 'Keeper' },
      { record: 'contains', set_number: '90001-1', minifig_number: 'hbr001', quantity: 2 },
      {
        record: 'product',
        set_number: '90001-1',
        retailer: 'retailer_a',
        product_id: 'B0ABCD1234',
        product_url: 'https://a.example/1',
      },
    ]),
  )
})
afterAll(() => market.stop())

const sale = (event_id: string, more: Record<string, string | number> = {}) => ({
  event_id,
  set_number: '90001-1',
  condition: 'sealed',
  sold_on: '2026-05-01',
  price: '100.00',
  currency: 'USD',
  quantity: 1,
  seller: 'ann',
  buyer: 'bob',
  ...more,
})

async function count(table: string, where = 'true'): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from ${sql.raw(table)} where ${sql.raw(where)}`.execute(market.superuserDb)
  return rows[0]!.n
}

async function reasons(importId: number): Promise<string[]> {
  const rows = await market.superuserDb
    .selectFrom('source.quarantine')
    .select(['row_number', 'reason'])
    .where('import_id', '=', importId)
    .orderBy('row_number')
    .execute()
  return rows.map((row) => `${row.row_number}: ${row.reason}`)
}

describe('sales', () => {
  test('ingesting the same file again changes nothing', async () => {
    const file = toCsv([sale('again-1'), sale('again-2', { price: '90.5' })])
    expect(await market.ingest('sales', file)).toMatchObject({ accepted: 2, repeated: 0, quarantined: 0 })
    expect(await market.ingest('sales', file)).toMatchObject({ accepted: 0, repeated: 2, quarantined: 0 })
    expect(await count('source.sale_observation', "event_id like 'again-%'")).toBe(2)
  })

  test('an event sent again with another date counts as repeated', async () => {
    await market.ingest('sales', toCsv([sale('moved')]))
    const again = await market.ingest(
      'sales',
      toCsv([sale('moved', { sold_on: '2026-06-01' }), sale('moved', { sold_on: '2026-06-02' })]),
    )
    expect(again).toMatchObject({ accepted: 0, repeated: 2 })
    expect(await count('source.sale_observation', "event_id = 'moved'")).toBe(1)
  })

  test('the first row wins if a file contains an event twice', async () => {
    await market.ingest('sales', toCsv([sale('twin', { price: '10' }), sale('twin', { price: '20' })]))
    expect(await count('source.sale_observation', "event_id = 'twin' and unit_price_cents = 1000")).toBe(1)
    expect(await count('source.sale_observation', "event_id = 'twin'")).toBe(1)
  })

  test('quarantines bad rows with row number and reason and publishes the rest', async () => {
    const result = await market.ingest(
      'sales',
      toCsv([
        sale('good'),
        sale('bad-1', { price: '0' }),
        sale('bad-2', { set_number: '99999-9' }),
        sale('bad-3', { source: 'stranger' }),
        sale('bad-4', { license: 'stolen' }),
      ]),
    )
    expect(result).toMatchObject({ accepted: 1, quarantined: 4 })
    expect(await reasons(result.importId)).toEqual([
      expect.stringMatching(/^3: price/),
      '4: the catalog has no set 99999-9',
      '5: source stranger is not declared; declare it with ops source add',
      '6: license stolen is not the one source shop is declared under',
    ])
  })

  test('resolves a set number without its variant', async () => {
    await market.ingest('sales', toCsv([sale('plain', { set_number: '90001' })]))
    expect(await count('source.sale_observation', "event_id = 'plain' and item_number = '90001-1'")).toBe(1)
  })

  test('marks the items of new sales dirty, but not those of repeated sales', async () => {
    const file = toCsv([sale('dirty-1')])
    await market.ingest('sales', file)
    await sql`delete from source.valuation_queue`.execute(market.superuserDb)
    await market.ingest('sales', file)
    expect(await count('source.valuation_queue')).toBe(0)
    await market.ingest('sales', toCsv([sale('dirty-2')]))
    expect(await count('source.valuation_queue')).toBe(1)
  })

  test('a trader counts as established from the second item on', async () => {
    const since = async () =>
      (
        await market.superuserDb
          .selectFrom('source.trader')
          .select('several_since')
          .where('ref', '=', 'cleo')
          .executeTakeFirst()
      )?.several_since
    await market.ingest('sales', toCsv([sale('cleo-1', { seller: 'cleo', known_on: '2026-05-02' })]))
    expect(await since()).toBeNull()
    await market.ingest('sales', toCsv([sale('cleo-2', { seller: 'cleo', known_on: '2026-05-03' })]))
    expect(await since()).toBeNull()
    await market.ingest(
      'sales',
      toCsv([sale('cleo-3', { seller: 'cleo', set_number: '90002', known_on: '2026-05-04' })]),
    )
    expect(await since()).toBe('2026-05-04')
    await market.ingest(
      'sales',
      toCsv([sale('cleo-4', { seller: 'cleo', set_number: '90002', known_on: '2026-05-09' })]),
    )
    expect(await since()).toBe('2026-05-04')
  })
})

describe('returns', () => {
  test('mark the item of their sale dirty, whether the sale or the return arrives first', async () => {
    await market.ingest('returns', toCsv([{ event_id: 'late-sale', returned_on: '2026-05-20' }]))
    await market.ingest('sales', toCsv([sale('late-sale'), sale('early-sale')]))
    await sql`delete from source.valuation_queue`.execute(market.superuserDb)
    await market.ingest('returns', toCsv([{ event_id: 'early-sale', returned_on: '2026-05-20' }]))
    expect(await count('source.valuation_queue', "item_number = '90001-1'")).toBe(1)
    expect(await count('source.sale_return', "item_number = '90001-1'")).toBe(2)
  })
})

describe('retail observations', () => {
  const observation = (event_id: string, more: Record<string, string | number> = {}) => ({
    event_id,
    retailer: 'retailer_a',
    product_id: 'B0ABCD1234',
    observed_at: '2026-05-01T10:00:00Z',
    price: '79.99',
    ...more,
  })

  test('an event sent again, even with another timestamp, changes nothing', async () => {
    expect(
      await market.ingest(
        'retail',
        toCsv([observation('r1'), observation('r2', { observed_at: '2026-05-01T11:00:00Z' })]),
      ),
    ).toMatchObject({ accepted: 2 })
    const again = await market.ingest(
      'retail',
      toCsv([observation('r1'), observation('r2', { observed_at: '2026-05-03T11:00:00Z' })]),
    )
    expect(again).toMatchObject({ accepted: 0, repeated: 2 })
  })

  test('are quarantined if the product is unknown', async () => {
    const result = await market.ingest('retail', toCsv([observation('r3', { product_id: 'B0UNKNOWN1' })]))
    expect(await reasons(result.importId)).toEqual([
      '2: no set is known for product B0UNKNOWN1 at retailer_a; add a product row to the catalog',
    ])
  })
})

describe('the catalog', () => {
  test('a blank attribute keeps the stored value and a new value replaces it', async () => {
    await market.ingest(
      'catalog',
      toCsv([{ record: 'set', set_number: '90001-1', title: 'Old Lighthouse', theme: 'Harbor', pieces: 812 }]),
    )
    const set = await market.superuserDb
      .selectFrom('catalog.set')
      .selectAll()
      .where('set_number', '=', '90001-1')
      .executeTakeFirstOrThrow()
    expect(set).toMatchObject({ title: 'Old Lighthouse', pieces: 812, msrp_cents: 8999, asin: 'B0ABCD1234' })
  })

  test('ingesting the same file again writes nothing and sends no notification', async () => {
    const file = toCsv([{ record: 'set', set_number: '90002', title: 'Crossing', theme: 'Canyon' }])
    expect(await market.ingest('catalog', file)).toMatchObject({ accepted: 0, repeated: 1 })
  })

  test('quarantines a row whose code belongs to another set', async () => {
    const result = await market.ingest(
      'catalog',
      toCsv([
        { record: 'set', set_number: '90003-1', title: 'Thief', theme: 'Harbor', asin: 'B0ABCD1234' },
        { record: 'set', set_number: '90004-1', title: 'First', theme: 'Harbor', asin: 'B0SAMESAME' },
        { record: 'set', set_number: '90005-1', title: 'Second', theme: 'Harbor', asin: 'B0SAMESAME' },
        { record: 'contains', set_number: '90004-1', minifig_number: 'nobody1', quantity: 1 },
      ]),
    )
    expect(await reasons(result.importId)).toEqual([
      '2: asin B0ABCD1234 belongs to 90001-1',
      '4: asin B0SAMESAME belongs to 90004-1',
      '5: there is no minifig nobody1',
    ])
  })
})

describe('a failed ingest', () => {
  test('leaves nothing behind', async () => {
    const before = await count('source.import')
    await expect(market.ingest('sales', 'source,license,nonsense\n')).rejects.toThrow(FeedRejectedError)
    expect(await count('source.import')).toBe(before)
  })

  test('leaves nothing behind when its connection is lost halfway', async () => {
    const rows = Array.from({ length: 40_000 }, (_, n) => sale(`cut-${n}`))
    const file = toCsv(rows)
    const cut = async () => {
      const { rows: killed } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where usename = 'brickmark_worker' and datname = current_database() and state = 'active'
          and query like 'copy staged%'`.execute(market.superuserDb)
      return killed.length
    }
    // Send the second half only after the COPY of the first has lost its connection.
    async function* halves() {
      yield Buffer.from(file.slice(0, file.length / 2))
      await expect.poll(cut, { timeout: 10_000 }).toBe(1)
      yield Buffer.from(file.slice(file.length / 2))
    }
    const running = ingestFile(market.pool, 'sales', Readable.from(halves()), { fileName: 'test' })
    await expect(running).rejects.toThrow()
    expect(await count('source.sale_observation', "event_id like 'cut-%'")).toBe(0)
    expect(await market.ingest('sales', toCsv(rows.slice(0, 10)))).toMatchObject({ accepted: 10 })
  })
})

describe('the quarantine', () => {
  test('a retry publishes rows whose missing data has arrived and removes them from quarantine', async () => {
    const result = await market.ingest(
      'sales',
      toCsv([sale('waits', { set_number: '90077-1' }), sale('broken', { price: 'ten' })]),
    )
    expect(result).toMatchObject({ accepted: 0, quarantined: 2 })
    await sql`delete from source.quarantine where import_id <> ${result.importId}`.execute(market.superuserDb)
    expect(await retryQuarantine(market, 'sales')).toMatchObject({ accepted: 0, quarantined: 2 })
    await market.ingest('catalog', toCsv([{ record: 'set', set_number: '90077-1', title: 'New', theme: 'Harbor' }]))
    expect(await retryQuarantine(market, 'sales')).toMatchObject({ accepted: 1, quarantined: 1 })
    expect(await count('source.sale_observation', "event_id = 'waits'")).toBe(1)
    expect(await count('source.quarantine', 'retried_at is null')).toBe(1)
  })
})
