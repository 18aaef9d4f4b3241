import { generateKeyPairSync, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { pollAllProducts, SourceError, createTokenBucket } from '@brickmark/core/source/connectors/retail-source'
import type { RetailRow } from '@brickmark/core/source/feeds/feed-rows'
import { walmartSource } from '@brickmark/core/source/connectors/walmart'

const NOW = Date.parse('2026-05-10T12:00:00Z')
const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

let server: Server
let respond: RequestListener
let requests: IncomingMessage[]

beforeEach(async () => {
  requests = []
  server = createServer((request, response) => {
    requests.push(request)
    respond(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

function source(now = NOW) {
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}/affil/product/v2`
  return walmartSource({ baseUrl, consumerId: 'consumer', privateKey, keyVersion: '3', licenseId: 'w', now: () => now })
}

const poll = (ids: string[]) => source().poll(ids, AbortSignal.timeout(2_000))

function walmart(items: unknown): RequestListener {
  return (_, response) =>
    void response.writeHead(200, { 'content-type': 'application/json;charset=utf-8' }).end(JSON.stringify({ items }))
}

function item(more: object = {}): object {
  return {
    itemId: 101,
    name: 'A set',
    msrp: 59.99,
    salePrice: 47.49,
    upc: '673419000000',
    stock: 'Available',
    availableOnline: true,
    marketplace: false,
    sellerInfo: 'Walmart.com',
    ...more,
  }
}

test('requests all items in one signed call', async () => {
  respond = walmart([])
  await poll(['101', '102'])
  const [request] = requests
  expect(request?.url).toBe('/affil/product/v2/items?ids=101%2C102')
  const { 'wm_sec.auth_signature': signature, ...headers } = request?.headers ?? {}
  expect(headers).toMatchObject({
    'wm_consumer.id': 'consumer',
    'wm_consumer.intimestamp': String(NOW),
    'wm_sec.key_version': '3',
  })
  const signed = Buffer.from(`consumer\n${NOW}\n3\n`)
  expect(verify('sha256', signed, publicKey, Buffer.from(String(signature), 'base64'))).toBe(true)
})

test('yields one observation per item and poll', async () => {
  respond = walmart([item()])
  expect((await poll(['101'])).rows).toEqual([
    {
      source_id: 'walmart',
      license_id: 'w',
      event_id: `101:${NOW}`,
      retailer: 'retailer_b',
      product_id: '101',
      observed_at: '2026-05-10T12:00:00.000Z',
      price_cents: 4749,
      list_price_cents: 5999,
      seller_type: 'retailer',
      in_stock: true,
      lowest_fba_cents: null,
      fba_sellers: null,
      buy_box_cents: null,
    },
  ])
})

const third = { price: 71.5, sellerInfo: 'Somebody', availableOnline: true }

describe('seller and availability', () => {
  test.each<[string, object, Partial<RetailRow>]>([
    [
      'sold by a third party',
      { marketplace: true, sellerInfo: 'Somebody' },
      { seller_type: 'third_party', price_cents: 4749 },
    ],
    ['an unknown seller', { marketplace: undefined }, { seller_type: null, price_cents: 4749, in_stock: true }],
    ['not online: sold out', { availableOnline: false }, { price_cents: null, in_stock: false }],
    ["stock is 'Not available'", { stock: 'Not available' }, { price_cents: null, in_stock: false }],
    [
      'the last few items count as in stock',
      { stock: 'Last few items', availableOnline: undefined },
      { in_stock: true },
    ],
    ['unknown stock', { stock: undefined, availableOnline: undefined }, { in_stock: null, price_cents: 4749 }],
    [
      'sold out at the retailer, offered by a third party',
      { availableOnline: false, bestMarketplacePrice: third },
      { seller_type: 'third_party', price_cents: 7150, in_stock: true },
    ],
    [
      'in stock at the retailer: ignores the third party',
      { bestMarketplacePrice: third },
      { seller_type: 'retailer', price_cents: 4749 },
    ],
    [
      'sold out everywhere',
      { availableOnline: false, bestMarketplacePrice: { ...third, availableOnline: false } },
      { price_cents: null, in_stock: false },
    ],
    ['no price', { salePrice: undefined }, { price_cents: null, in_stock: true }],
    ['a price of 0 is unknown', { salePrice: 0, msrp: 0 }, { price_cents: null, list_price_cents: null }],
    ['cents are exact', { salePrice: 1.005, msrp: 64.1 }, { price_cents: 100, list_price_cents: 6410 }],
    ['ids as text', { itemId: '101' }, { product_id: '101' }],
  ])('%s', async (_, more, expected) => {
    respond = walmart([item(more)])
    const { rows, rejected } = await poll(['101'])
    expect(rejected).toEqual([])
    expect(rows[0]).toMatchObject(expected)
  })
})

describe('invalid items are rejected with a reason and the others are parsed', () => {
  test.each<[string, unknown, RegExp]>([
    ['missing', null, /^the response doesn't include this item$/],
    ['a price as text', item({ itemId: 102, salePrice: '47.49' }), /salePrice/],
    ['a negative price', item({ itemId: 102, salePrice: -1 }), /salePrice/],
    ['an impossible price', item({ itemId: 102, msrp: 1e9 }), /msrp/],
    ['a seller flag as text', item({ itemId: 102, marketplace: 'no' }), /marketplace/],
  ])('%s', async (_, broken, reason) => {
    respond = walmart([broken, 7, item()])
    const { rows, rejected } = await poll(['102', '101'])
    expect(rows.map((row) => row.product_id)).toEqual(['101'])
    expect(rejected).toEqual([
      { product_id: '102', reason: expect.stringMatching(reason), raw: JSON.stringify(broken) },
    ])
  })
})

describe('failed calls', () => {
  test.each([
    ['429 with Retry-After', 429, { 'retry-after': '3' }, '{}', { kind: 'throttled', retryAfterMs: 3000 }],
    ['401: the key is unknown', 401, {}, '{}', { kind: 'unauthorized' }],
    ['400: none of the items exists', 400, {}, '{"errors":[{"code":4002}]}', { kind: 'bad_request' }],
    ['504', 504, {}, '', { kind: 'unavailable' }],
    ['HTML', 200, { 'content-type': 'text/html' }, '<html>', { kind: 'invalid_response' }],
    ['truncated JSON', 200, {}, '{"items":[{"itemId":1', { kind: 'invalid_response' }],
    ['no list of items', 200, {}, '{"errors":[]}', { kind: 'invalid_response' }],
  ])('%s', async (_, status, headers, body, expected) => {
    respond = (_, response) =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    const failure = await poll(['101']).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(SourceError)
    expect(failure).toMatchObject(expected)
    expect(`${(failure as Error).stack}`).not.toContain('PRIVATE KEY')
  })
})

test('a round of 20 items per call finds the unknown item that fails its whole batch', async () => {
  const ids = Array.from({ length: 45 }, (_, i) => String(1000 + i))
  respond = (request, response) => {
    const requestedIds = new URL(request.url ?? '', 'http://localhost').searchParams.get('ids')?.split(',') ?? []
    if (requestedIds.includes('1025')) response.writeHead(400, { 'content-type': 'application/json' }).end('{}')
    else walmart(requestedIds.map((itemId) => item({ itemId: Number(itemId) })))(request, response)
  }
  const counts = await pollAllProducts(source(), {
    cursor: null,
    nextProducts: async (cursor, limit) => {
      const start = cursor === null ? 0 : ids.indexOf(cursor) + 1
      return ids.slice(start, start + limit)
    },
    publish: async () => {},
    bucket: createTokenBucket(1_000),
    signal: AbortSignal.timeout(10_000),
  })
  expect(counts).toMatchObject({ outcome: 'completed', calls: 3 + 20, failedCalls: 2, rows: 44, rejected: 1 })
})
