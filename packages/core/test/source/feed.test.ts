import { createReadStream, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { parseFeed } from '@brickmark/core/source/feeds/feed'
import { FEED_COLUMNS } from '@brickmark/core/source/feeds/feed-columns'
import type { FeedName } from '@brickmark/core/source/feeds/feed-rows'
import { type Fields, VALID_ROWS, toCsv, toNdjson } from '@brickmark/tests/support/feed-fixtures'
import { NOW, readFeed } from './read-feed.ts'

async function reasonOf(feed: FeedName, fields: Fields, index = 0): Promise<string | undefined> {
  const row = { ...VALID_ROWS[feed][index], ...fields }
  return (await readFeed(feed, Buffer.from(toCsv(feed, [row])))).bad[0]?.reason
}

async function saleOf(fields: Fields): Promise<object | undefined> {
  const { good, bad } = await readFeed('sales', Buffer.from(toCsv('sales', [{ ...VALID_ROWS.sales[0], ...fields }])))
  expect(bad).toEqual([])
  return good[0]
}

describe('good rows', () => {
  test('a sale in a foreign currency has its exchange rate and its price in US dollars', async () => {
    const { good } = await readFeed('sales', Buffer.from(toCsv('sales', VALID_ROWS.sales)))
    expect(good[2]).toEqual({
      source_id: 'demo-market',
      license_id: 'demo',
      event_id: 'e3',
      item_kind: 'set',
      item_number: '90002-1',
      condition: 'used',
      sold_on: '2026-03-03',
      unit_price_cents: 10845,
      currency: 'EUR',
      fx_rate: '1.0845',
      quantity: 2,
      seller_ref: 's1',
      buyer_ref: 'b, "the" 1',
      exclusion_reason: 'lot',
      known_on: '2026-03-05',
    })
    expect(good[1]).toMatchObject({
      item_kind: 'minifig',
      condition: 'used',
      quantity: 1,
      exclusion_reason: null,
      known_on: null,
    })
  })

  test.each([
    ['1.005', 'USD', '', 101],
    ['1.0049', 'USD', '', 100],
    ['1000000', 'USD', '1.00', 100_000_000],
    ['12', 'USD', '', 1_200],
    ['0.01', 'USD', '', 1],
    ['15800', 'JPY', '0.0067', 10_586],
    ['999999999999', 'VND', '0.0000000001', 10_000],
    ['2.675', 'EUR', '1', 268],
  ])('%s %s at a rate of %s is %i cents', async (price, currency, fx_rate, cents) => {
    expect(await saleOf({ price, currency, fx_rate })).toMatchObject({ unit_price_cents: cents })
  })

  test('converts timestamps to UTC and blanks to null', async () => {
    const { good } = await readFeed('retail', Buffer.from(toCsv('retail', VALID_ROWS.retail)))
    expect(good[1]).toMatchObject({ observed_at: '2026-03-01T10:00:00.500Z', price_cents: null, seller_type: null })
    expect(good[2]).toMatchObject({ price_cents: 3500, list_price_cents: 4999, in_stock: null, fba_sellers: 3 })
  })

  test('derives a stable event id from the content if an observation has none', async () => {
    const rows = [{}, {}, { price: '40' }].map((change) => ({ ...VALID_ROWS.retail[0], event_id: '', ...change }))
    const { good } = await readFeed('retail', Buffer.from(toCsv('retail', rows)))
    const [first, second, third] = good.map((row) => (row as { event_id: string }).event_id)
    expect(first).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  test.each(Object.keys(VALID_ROWS) as FeedName[])('%s: CSV, NDJSON and gzip yield the same rows', async (feed) => {
    const csv = await readFeed(feed, Buffer.from(toCsv(feed, VALID_ROWS[feed])))
    expect(csv).toMatchObject({ bad: [] })
    expect(csv.good).toHaveLength(3)
    expect(await readFeed(feed, Buffer.from(toNdjson(VALID_ROWS[feed])))).toEqual(csv)
    expect(await readFeed(feed, gzipSync(toNdjson(VALID_ROWS[feed])))).toEqual(csv)
    expect(await readFeed(feed, gzipSync(toCsv(feed, VALID_ROWS[feed], FEED_COLUMNS[feed].toReversed())))).toEqual(csv)
  })

  test('accepts NDJSON numbers, booleans and null in place of text', async () => {
    const text = toNdjson([{ ...VALID_ROWS.retail[0], price: 39.99, in_stock: true, buy_box: null, fba_sellers: 0 }])
    const { good } = await readFeed('retail', Buffer.from(text))
    expect(good[0]).toMatchObject({ price_cents: 3999, in_stock: true, buy_box_cents: null, fba_sellers: 0 })
  })

  test('accepts a last NDJSON line without a line break', async () => {
    expect((await readFeed('returns', Buffer.from(toNdjson(VALID_ROWS.returns).trimEnd()))).good).toHaveLength(3)
  })
})

describe('reasons', () => {
  test.each<[FeedName, Fields, string]>([
    ['sales', { price: '0' }, 'price must be more than 0'],
    ['sales', { sold_on: '2026-13-01' }, 'sold_on 2026-13-01 is not a date (YYYY-MM-DD)'],
    ['sales', { sold_on: '2026-06-03' }, 'sold_on 2026-06-03 is not between 1990-01-01 and 2026-06-02'],
    ['sales', { set_number: '' }, 'set_number is missing'],
    [
      'sales',
      { minifig_number: 'zz0001' },
      'minifig_number and set_number are both present; a sale has only one of them',
    ],
    ['sales', { currency: 'EUR' }, 'fx_rate is missing'],
    ['sales', { quantity: '0' }, 'quantity must be a whole number from 1 to 10,000, not 0'],
    ['sales', { known_on: '2026-02-01' }, 'known_on 2026-02-01 is before sold_on'],
    ['sales', { price: '-1', event_id: '' }, 'price must be more than 0; event_id is missing'],
    ['sales', { event_id: '\ufffd' }, 'the line contains invalid UTF-8 or U+FFFD'],
    ['retail', { in_stock: 'yes' }, 'in_stock must be true, false or blank, not yes'],
    ['catalog', { upc: '036000291453' }, 'upc 036000291453 has a wrong check digit (it should end in 2)'],
    ['catalog', { color: 'red' }, 'color does not belong to a set record'],
  ])('%s %o is rejected: %s', async (feed, fields, reason) => {
    expect(await reasonOf(feed, fields)).toBe(reason)
  })

  test('a bad row keeps its line number and text and can be parsed again with the same header', async () => {
    let header = ''
    const [first, , last] = VALID_ROWS.sales as [Fields, Fields, Fields]
    const csv = `\n${toCsv('sales', [first, { ...first, price: 'x' }, last])}`
    const { bad } = await readFeed('sales', Buffer.from(csv), { onHeader: (line) => (header = line) })
    expect(bad).toMatchObject([{ row_number: 4, raw: csv.split('\n')[3] }])
    const corrected = `${header}\n${bad[0]?.raw.replace(',x,', ',5,')}\n`
    expect((await readFeed('sales', Buffer.from(corrected))).good).toMatchObject([{ unit_price_cents: 500 }])
  })

  test.each<[string, string]>([
    ['source,license,event_id,returned_on,colour\n', 'unknown column colour; a returns file may have source, license,'],
    ['source,license,event_id\n', 'a returns file needs the column returned_on'],
    [toCsv('retail', VALID_ROWS.retail), 'It looks like a retail file'],
    ['source;license;event_id;returned_on\n', 'Columns must be separated by commas'],
    ['source,license,event_id,returned_on,source\n', 'the column source appears twice'],
  ])('the error names the file and the problem: %j', async (text, sentence) => {
    const { rejected } = await readFeed('returns', Buffer.from(text), { fileName: 'returns-1.csv' })
    expect(rejected).toMatch(/^returns-1\.csv was rejected: /)
    expect(rejected).toContain(sentence)
  })
})

describe('streams', () => {
  test('yields rows in batches of 1000, and long quarantined lines in smaller batches', async () => {
    const many = Array.from({ length: 2500 }, () => VALID_ROWS.returns[0] as Fields)
    expect(await batchSizes(toCsv('returns', many))).toEqual([1000, 1000, 500])
    const long = Array.from({ length: 40 }, () => ({ ...VALID_ROWS.returns[0], event_id: 'x'.repeat(60_000) }))
    expect(await batchSizes(toCsv('returns', long))).toEqual([18, 18, 4])
  })

  test('closes the file if the consumer stops early', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'feed-'))
    const many = Array.from({ length: 20_000 }, () => VALID_ROWS.returns[0] as Fields)
    for (const bytes of [Buffer.from(toCsv('returns', many)), gzipSync(toCsv('returns', many))]) {
      writeFileSync(join(folder, 'feed'), bytes)
      const input = createReadStream(join(folder, 'feed'))
      for await (const batch of parseFeed('returns', input, { now: NOW })) if (batch.length > 0) break
      expect(input.destroyed).toBe(true)
    }
    await rm(folder, { recursive: true })
  })

  test('passes file system errors through unchanged', async () => {
    const input = createReadStream('/nonexistent/feed.csv')
    await expect(parseFeed('returns', input).next()).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

async function batchSizes(text: string): Promise<number[]> {
  const sizes: number[] = []
  for await (const batch of parseFeed('returns', Readable.from([text]), { now: NOW })) sizes.push(batch.length)
  return sizes
}
