import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keepaSource } from '@brickmark/core/source/connectors/keepa'
import {
  pollAllProducts,
  SourceError,
  createTokenBucket,
  type RejectedProduct,
} from '@brickmark/core/source/connectors/retail-source'
import type { RetailRow } from '@brickmark/core/source/feeds/feed-rows'
import { cpuMs } from '@brickmark/tests/support/timing'

const KEY = 'k'.repeat(64)
const NOW = Date.parse('2026-05-10T12:00:00Z')
/** NOW in Keepa minutes. */
const T = NOW / 60_000 - 21_564_000
const DAY = 24 * 60
const RETAILER = 'ATVPDKIKX0DER'

let server: Server
let respond: RequestListener
let requests: URL[]

beforeEach(async () => {
  requests = []
  server = createServer((request, response) => {
    requests.push(new URL(request.url ?? '', 'http://localhost'))
    respond(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

function source() {
  const { port } = server.address() as AddressInfo
  return keepaSource({ baseUrl: `http://127.0.0.1:${port}`, key: KEY, licenseId: 'keepa-2026', now: () => NOW })
}

const poll = (asins: string[]) => source().poll(asins, AbortSignal.timeout(2_000))

/** Responds like Keepa: token counts and the known products. */
function keepa(products: unknown[], more: object = {}): RequestListener {
  const body = {
    timestamp: NOW,
    tokensLeft: 297,
    refillIn: 31_000,
    refillRate: 5,
    tokensConsumed: 3,
    products,
    ...more,
  }
  return (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

type Histories = {
  own?: number[]
  new?: number[]
  list?: number[]
  fba?: number[]
  buyBox?: number[]
  count?: number[]
}

function product(asin: string, histories: Histories, more: object = {}): object {
  const csv: (number[] | null)[] = Array.from({ length: 36 }, () => null)
  const types = { own: 0, new: 1, list: 4, fba: 10, buyBox: 18, count: 34 }
  for (const [name, type] of Object.entries(types)) csv[type] = histories[name as keyof Histories] ?? null
  return { asin, title: 'A set', csv, lastUpdate: T - 5, ...more }
}

/** Returns the latest observation of a product with these histories. */
async function seen(histories: Histories, more: object = {}): Promise<Partial<RetailRow> | undefined> {
  respond = keepa([product('B000000001', histories, more)])
  const { rows, rejected } = await poll(['B000000001'])
  expect(rejected).toEqual([])
  return rows.at(-1)
}

describe('requests', () => {
  test('sends one request for all products with the parameters Keepa expects', async () => {
    respond = keepa([])
    await poll(['B000000001', 'B000000002'])
    expect(requests).toHaveLength(1)
    expect(requests[0]?.pathname).toBe('/product')
    expect(Object.fromEntries(requests[0]?.searchParams ?? [])).toEqual({
      key: KEY,
      domain: '1',
      asin: 'B000000001,B000000002',
      days: '7',
      buybox: '1',
      history: '1',
    })
  })

  test('reports the cost and the remaining tokens', async () => {
    respond = keepa([])
    expect(await poll(['B000000001'])).toMatchObject({ cost: 3, tokens: { left: 297, perMinute: 5 } })
  })
})

describe('observations', () => {
  test('yields the full state for every change of the last week and for the last update', async () => {
    const own = [T - 400 * DAY, 5999, T - 2 * DAY, 4999, T - DAY, -1]
    const anyNew = [T - 400 * DAY, 5899, T - DAY, 6499]
    const list = [T - 400 * DAY, 5999]
    const fba = [T - 20 * DAY, 6099, T - DAY, 6499]
    const buyBox = [T - 2 * DAY, 4999, 0, T - DAY, 6499, 399]
    const count = [T - 2 * DAY, 3]
    respond = keepa([product('B000000001', { own, new: anyNew, list, fba, buyBox, count })])
    const { rows } = await poll(['B000000001'])
    expect(rows).toEqual([
      {
        source_id: 'keepa',
        license_id: 'keepa-2026',
        event_id: `B000000001:${T - 2 * DAY}`,
        retailer: 'retailer_a',
        product_id: 'B000000001',
        observed_at: '2026-05-08T12:00:00.000Z',
        price_cents: 4999,
        list_price_cents: 5999,
        seller_type: 'retailer',
        in_stock: true,
        lowest_fba_cents: 6099,
        fba_sellers: 2,
        buy_box_cents: 4999,
      },
      expect.objectContaining({
        event_id: `B000000001:${T - DAY}`,
        observed_at: '2026-05-09T12:00:00.000Z',
        price_cents: 6499,
        seller_type: 'third_party',
        in_stock: true,
        lowest_fba_cents: 6499,
        fba_sellers: 3,
        buy_box_cents: 6898,
      }),
      expect.objectContaining({ event_id: `B000000001:${T - 5}`, observed_at: '2026-05-10T11:55:00.000Z' }),
    ])
  })

  test('polling again yields the same observations with the same event ids', async () => {
    respond = keepa([product('B000000001', { own: [T - DAY, 4999], new: [T - 3 * DAY, 4899, T - DAY, 4799] })])
    expect((await poll(['B000000001'])).rows).toEqual((await poll(['B000000001'])).rows)
  })

  test('a price unchanged for a year is still observed today', async () => {
    expect(await seen({ own: [T - 365 * DAY, 4999] })).toMatchObject({
      price_cents: 4999,
      event_id: `B000000001:${T - 5}`,
    })
  })

  test('uses the last change if there is no last update', async () => {
    expect(await seen({ own: [T - 365 * DAY, 4999] }, { lastUpdate: null })).toMatchObject({
      event_id: `B000000001:${T - 365 * DAY}`,
    })
  })
})

describe('seller and availability', () => {
  const none = [1, -1]
  test.each<[string, Histories, string | null, [price: number | null, seller: string | null, inStock: boolean | null]]>(
    [
      [
        'the retailer sells, even if others are cheaper',
        { own: [1, 5000], new: [1, 4500] },
        null,
        [5000, 'retailer', true],
      ],
      ['only third parties sell', { own: none, new: [1, 4500] }, 'A1OTHER', [4500, 'third_party', true]],
      ['the retailer never sold it', { new: [1, 4500] }, null, [4500, 'third_party', true]],
      ['sold out', { own: none, new: none, count: [1, 0] }, '-1', [null, null, false]],
      [
        'offers without a price: the price is hidden',
        { own: none, new: none, count: [1, 2] },
        null,
        [null, null, null],
      ],
      [
        'price hidden while the retailer holds the buy box: not a flip',
        { own: none, new: [1, 9900] },
        RETAILER,
        [null, null, null],
      ],
      [
        'unknown buy box seller: the seller type stays unknown',
        { own: none, new: [1, 4500] },
        '-2',
        [4500, null, true],
      ],
      ['no offer history: availability is unknown', { list: [1, 5999] }, null, [null, null, null]],
    ],
  )('%s', async (_, histories, seller, [price_cents, seller_type, in_stock]) => {
    const more = seller === null ? {} : { buyBoxSellerIdHistory: ['1', seller] }
    expect(await seen(histories, more)).toMatchObject({ price_cents, seller_type, in_stock })
  })

  test('−1 is never parsed as a price', async () => {
    const row = await seen({ own: [1, 5000], list: none, fba: none, buyBox: [1, -1, -1], count: none })
    expect(row).toMatchObject({
      list_price_cents: null,
      lowest_fba_cents: null,
      buy_box_cents: null,
      fba_sellers: null,
    })
  })

  test('a buy box with unknown shipping is priced without it', async () => {
    expect(await seen({ own: [1, 5000], buyBox: [1, 4999, -1] })).toMatchObject({ buy_box_cents: 4999 })
  })
})

describe('invalid products are rejected with a reason and the others are parsed', () => {
  test.each<[string, object | null, string | RegExp]>([
    ['missing', null, "the response doesn't include this product"],
    ['no histories', { asin: 'B0BROKEN01', csv: null }, /^csv: /],
    ['text values', { asin: 'B0BROKEN01', csv: [['a', 'b']] }, 'history 0 contains values that are not integers'],
    ['truncated', product('B0BROKEN01', { own: [1, 5000, 2] }), 'history 0 is truncated'],
    ['a pair instead of a triple', product('B0BROKEN01', { buyBox: [1, 5000] }), 'history 18 is truncated'],
    ['out of order', product('B0BROKEN01', { new: [5, 5000, 4, 4000] }), 'history 1 is out of order'],
    ['an impossible price', product('B0BROKEN01', { own: [1, 1e12] }), 'history 0 has an impossible value'],
    ['dated in the future', product('B0BROKEN01', { own: [T + 60, 5000] }), 'a point is in the future'],
    ['empty', product('B0BROKEN01', {}, { lastUpdate: null }), 'there is neither a history nor a last update'],
  ])('%s', async (_, broken, reason) => {
    respond = keepa([broken, null, product('B000000001', { own: [T - 5, 4999] })])
    const { rows, rejected } = await poll(['B0BROKEN01', 'B000000001'])
    expect(rows.map((row) => row.product_id)).toEqual(['B000000001'])
    expect(rejected).toHaveLength(1)
    expect(rejected[0]?.product_id).toBe('B0BROKEN01')
    expect(rejected[0]?.reason).toMatch(reason)
    expect(rejected[0]?.raw.length).toBeLessThanOrEqual(2_000)
  })

  test('ignores products that were not requested and uses the first of duplicates', async () => {
    respond = keepa(['B000000009', 'B000000001', 'B000000001'].map((asin, i) => product(asin, { own: [1, 4000 + i] })))
    const { rows } = await poll(['B000000001'])
    expect(rows).toEqual([expect.objectContaining({ product_id: 'B000000001', price_cents: 4001 })])
  })

  test('parses a history of 200,000 entries within two seconds of CPU time', async () => {
    const own = Array.from({ length: 200_000 }, (_, i) => (i % 2 === 0 ? T - 200_000 + i : 4000 + (i % 7)))
    respond = keepa([product('B000000001', { own })])
    const taken = await cpuMs(async () => expect((await poll(['B000000001'])).rows.length).toBeGreaterThan(5_000))
    expect(taken).toBeLessThan(2_000)
  })
})

describe('failed calls', () => {
  const failing = async (): Promise<SourceError> => {
    const failure = await poll(['B000000001']).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(SourceError)
    expect(`${(failure as Error).stack} ${JSON.stringify(failure)}`).not.toContain(KEY)
    return failure as SourceError
  }

  test('429: takes the delay from the body', async () => {
    respond = (_, response) =>
      void response
        .writeHead(429, { 'content-type': 'application/json' })
        .end(JSON.stringify({ tokensLeft: -4, refillIn: 12_345, refillRate: 5 }))
    expect(await failing()).toMatchObject({ kind: 'throttled', retryAfterMs: 12_345 })
  })

  test.each([
    ['429 with Retry-After', 429, { 'retry-after': '3' }, '{"refillIn":99}', { kind: 'throttled', retryAfterMs: 3000 }],
    ['402: no plan', 402, {}, '{}', { kind: 'unauthorized' }],
    ['500', 500, {}, 'oops', { kind: 'unavailable' }],
    ['HTML', 200, { 'content-type': 'text/html' }, `<a href="/product?key=${KEY}">`, { kind: 'invalid_response' }],
    ['truncated JSON', 200, {}, '{"products":[{"asin"', { kind: 'invalid_response' }],
    ['JSON with another schema', 200, {}, '{"products":"none"}', { kind: 'invalid_response' }],
    ["JSON that isn't an object", 200, {}, '[]', { kind: 'invalid_response' }],
  ])('%s', async (_, status, headers, body, expected) => {
    respond = (_, response) =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    expect(await failing()).toMatchObject(expected)
  })

  test('a response without products rejects every requested product', async () => {
    respond = keepa([], { products: null })
    expect((await poll(['B000000001', 'B000000002'])).rejected).toHaveLength(2)
  })
})

test('a round that is throttled once, out of tokens once and has one invalid product stores everything else', async () => {
  let now = NOW
  const asins = ['B000000001', 'B000000002', 'B000000003', 'B000000004']
  respond = (request, response) => {
    const ids = requests.at(-1)?.searchParams.get('asin')?.split(',') ?? []
    const products = ids.map((asin) => product(asin, { own: asin.endsWith('3') ? [T] : [T - 5, 4999] }))
    if (requests.length === 1) response.writeHead(429, { 'retry-after': '2' }).end()
    else keepa(products, { tokensLeft: 0, tokensConsumed: 6 })(request, response)
  }
  const stored = { rows: [] as RetailRow[], rejected: [] as RejectedProduct[], pauses: [] as number[] }
  const counts = await pollAllProducts(source(), {
    cursor: null,
    nextProducts: async (cursor) => asins.slice(cursor === null ? 0 : asins.indexOf(cursor) + 1).slice(0, 2),
    publish: async (rows, _cursor, rejected) => {
      stored.rows.push(...rows)
      stored.rejected.push(...rejected)
    },
    bucket: createTokenBucket(60, () => now),
    signal: AbortSignal.timeout(10_000),
    random: () => 0,
    sleep: async (ms) => {
      stored.pauses.push(ms)
      now += ms
    },
  })
  expect(counts).toMatchObject({ outcome: 'completed', calls: 3, failedCalls: 1, products: 4, rows: 3, rejected: 1 })
  expect(stored.rejected).toMatchObject([{ product_id: 'B000000003', reason: 'history 0 is truncated' }])
  // Retry-After plus half a second; then 6 tokens at Keepa's 5 per minute.
  expect(stored.pauses.map((ms) => Math.round(ms / 100) / 10)).toEqual([2.5, 72])
})
