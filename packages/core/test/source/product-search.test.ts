import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { sql } from 'kysely'
import { recomputeDirty } from '@brickmark/core/market/values/recompute-commands'
import { keepaSource } from '@brickmark/core/source/connectors/keepa'
import { createTokenBucket, type Connector, type RetailSource } from '@brickmark/core/source/connectors/retail-source'
import { walmartSource } from '@brickmark/core/source/connectors/walmart'
import { acceptMatch, rejectMatch, searchProducts } from '@brickmark/core/source/product-search-commands'
import { runRetailPoll } from '@brickmark/core/source/retail-poll-commands'
import { findDoubtfulMatches } from '@brickmark/core/source/retail-poll-queries'
import { addRetailState } from '@brickmark/tests/support/fixtures'
import { startTestMarket, toCsv, type TestMarket } from '@brickmark/tests/support/market'

const NOW = Date.parse('2026-05-10T12:00:00Z')
/** NOW in Keepa minutes. */
const T = NOW / 60_000 - 21_564_000
const YEAR = 365 * 24 * 60

let market: TestMarket
let server: Server
let requests: URL[]
let products: Record<string, object>
let status = 200

beforeAll(async () => {
  market = await startTestMarket()
  // Answers in Keepa's and Walmart's formats: products by barcode or by number.
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    requests.push(url)
    const wanted = (
      url.searchParams.get('code') ??
      url.searchParams.get('asin') ??
      url.searchParams.get('upc') ??
      ''
    ).split(',')
    const found = wanted.flatMap((key) => products[key] ?? [])
    const body = { tokensLeft: 300, refillRate: 20, products: found, items: found }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await market.stop()
})

const set = (set_number: string, title: string, upc: string) => ({
  record: 'set',
  set_number,
  title,
  theme: 'Harbor',
  upc,
})

beforeEach(async () => {
  requests = []
  products = {}
  status = 200
  market.setNow(new Date(NOW).toISOString())
  await sql`truncate catalog.set, source.product_match, source.product_search, source.retail_observation, source.retail_progress
    cascade`.execute(market.superuserDb)
  await sql`truncate source.set_claim`.execute(market.superuserDb)
  await sql`update source.source set withdrawn_at = null`.execute(market.superuserDb)
  await market.ingest(
    'catalog',
    toCsv([set('90001-1', 'Tidewater Lighthouse', '036000291452'), set('90002-1', 'Pier', '012345678905')]),
  )
})

function connectorOf(source: RetailSource): Connector {
  return { source, bucket: createTokenBucket(10_000), licenseId: 'agreement', licenseTerms: 'For tests.' }
}

const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const keepa = () => connectorOf(keepaSource({ baseUrl: origin(), key: 'k', licenseId: 'agreement', now: () => NOW }))
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const walmart = () =>
  connectorOf(
    walmartSource({ baseUrl: origin(), consumerId: 'c', privateKey, keyVersion: '1', licenseId: 'agreement' }),
  )
const search = (connector = keepa()) => searchProducts(market, connector, AbortSignal.timeout(10_000))

function listed(asin: string, title: string, upc: string): object {
  return { asin, title, upcList: [upc], eanList: [`0${upc}`] }
}

const LIGHTHOUSE = listed('B000000001', 'Harbor 90001 Tidewater Lighthouse', '036000291452')

async function productsOf(retailer: string) {
  return market.superuserDb
    .selectFrom('source.retail_product')
    .select(['set_number', 'product_id'])
    .where('retailer', '=', retailer)
    .orderBy('set_number')
    .execute()
}

describe('searching for products', () => {
  test('finds them by barcode and title in one call; a title that disagrees waits for an operator', async () => {
    products = { '036000291452': LIGHTHOUSE, '012345678905': listed('B000000002', 'Wireless Charger', '012345678905') }
    expect(await search()).toEqual({ sets: 2, found: 1, doubtful: 1, stopped: null })
    expect(requests.map(({ searchParams }) => searchParams.get('code'))).toEqual(['036000291452,012345678905'])
    expect(await productsOf('retailer_a')).toEqual([{ set_number: '90001-1', product_id: 'B000000001' }])
    expect(await findDoubtfulMatches(market.pool, 10)).toMatchObject([
      { set_number: '90002-1', set_title: 'Pier', product_id: 'B000000002', title: 'Wireless Charger' },
    ])
  })

  test('asks again for what was not found after 30 days, not before', async () => {
    await search()
    expect(await search()).toMatchObject({ sets: 0 })
    expect(requests).toHaveLength(1)
    market.setNow(new Date(NOW + 31 * 86_400_000).toISOString())
    products = { '036000291452': LIGHTHOUSE }
    expect(await search()).toMatchObject({ sets: 2, found: 1 })
  })

  test('an accepted match is polled, a rejected one is not asked about again', async () => {
    products = { '012345678905': listed('B000000002', 'Wireless Charger', '012345678905') }
    await search()
    await rejectMatch(market.pool, 'retailer_a', '90002-1', 'B000000002')
    expect(await findDoubtfulMatches(market.pool, 10)).toEqual([])
    const decided = acceptMatch(market.pool, 'retailer_a', '90002-1', 'B000000009')
    await expect(decided).rejects.toThrow('No match of 90002-1 with B000000009')
    await acceptMatch(market.pool, 'retailer_a', '90002-1', 'B000000002')
    expect(await productsOf('retailer_a')).toEqual([{ set_number: '90002-1', product_id: 'B000000002' }])
  })

  test('a product of two sets is that of the first, and doubtful for the second', async () => {
    products = { '036000291452': LIGHTHOUSE }
    await search()
    await market.ingest('catalog', toCsv([set('90001-2', 'Tidewater Lighthouse', '042100005264')]))
    products = { '042100005264': listed('B000000001', 'Tidewater Lighthouse', '042100005264') }
    expect(await search()).toMatchObject({ found: 0, doubtful: 1 })
  })

  test('stops when the source refuses, and stores nothing of that call', async () => {
    status = 401
    expect(await search()).toEqual({ sets: 0, found: 0, doubtful: 0, stopped: 'HTTP 401' })
    status = 200
    products = { '036000291452': LIGHTHOUSE }
    expect(await search()).toMatchObject({ found: 1 })
  })

  test('at Walmart, one barcode per call', async () => {
    products = { '036000291452': { itemId: 501, name: 'Kit 90001', upc: '036000291452' } }
    expect(await search(walmart())).toMatchObject({ sets: 2, found: 1 })
    const searched = new Set(requests.map(({ searchParams }) => searchParams.get('upc')))
    expect(searched).toEqual(new Set(['012345678905', '036000291452']))
    expect(await productsOf('retailer_b')).toEqual([{ set_number: '90001-1', product_id: '501' }])
  })

  test('the first prices don’t wait for the products of all sets', async () => {
    await market.ingest(
      'catalog',
      toCsv([set('90003-1', 'Mill', '042100005264'), set('90004-1', 'Barn', '088796203508')]),
    )
    const callsTake15Seconds = vi.spyOn(performance, 'now').mockImplementation(() => requests.length * 15_000)
    expect(await search(walmart())).toMatchObject({ sets: 2 })
    await addRetailState(market.superuserDb, { set_number: '90001-1', retailer: 'retailer_b' })
    expect(await search(walmart())).toMatchObject({ sets: 2 })
    market.setNow(new Date(NOW + 31 * 86_400_000).toISOString())
    expect(await search(walmart())).toMatchObject({ sets: 4 })
    callsTake15Seconds.mockRestore()
  })
})

test('the first poll reads the whole history of a product, so that its lowest price has a past', async () => {
  products = { '036000291452': LIGHTHOUSE }
  await search()
  const csv: (number[] | null)[] = Array.from({ length: 36 }, () => null)
  csv[0] = [T - 2 * YEAR, 5999, T - YEAR, 3499, T - YEAR + 5000, 5999]
  products = { B000000001: { asin: 'B000000001', title: 'Kit', csv, lastUpdate: T - 5 } }
  requests = []
  await runRetailPoll(market, keepa(), AbortSignal.timeout(10_000))
  await runRetailPoll(market, keepa(), AbortSignal.timeout(10_000))
  await recomputeDirty(market)
  expect(requests.map(({ searchParams }) => searchParams.get('days'))).toEqual([null, '7', '7'])
  const states = await market.superuserDb.selectFrom('market.retail_state').selectAll().execute()
  expect(states).toMatchObject([{ set_number: '90001-1', price_cents: 5999, lowest_cents: 3499 }])
})

test('a connector keeps the name, rank and rules that the operator gave its source', async () => {
  await search()
  await sql`update source.source set name = 'Our prices', rank = 7 where id = 'keepa'`.execute(market.superuserDb)
  await search()
  const row = await market.superuserDb
    .selectFrom('source.source')
    .selectAll()
    .where('id', '=', 'keepa')
    .executeTakeFirst()
  expect(row).toMatchObject({ name: 'Our prices', rank: 7 })
})

test('a withdrawn source is not asked any more', async () => {
  await search()
  await sql`update source.source set withdrawn_at = now() where id = 'keepa'`.execute(market.superuserDb)
  requests = []
  expect(await search()).toMatchObject({ sets: 0, stopped: 'the source was withdrawn' })
  expect(await runRetailPoll(market, keepa(), AbortSignal.timeout(10_000))).toMatchObject({ calls: 0 })
  expect(requests).toEqual([])
})

test('sets that somebody watches or owns are polled first, unless they were checked in the last hours', async () => {
  products = {}
  const poll = async () => {
    requests = []
    await runRetailPoll(market, keepa(), AbortSignal.timeout(10_000), ['90002-1'])
    return requests.map(({ searchParams }) => searchParams.get('asin'))
  }
  for (const [asin, number] of [
    ['B000000001', '90001-1'],
    ['B000000002', '90002-1'],
  ] as const) {
    products[asin] = { asin, title: 'Kit', csv: [[T - 5, 3999]], lastUpdate: T - 5 }
    await market.ingest(
      'catalog',
      toCsv([
        {
          record: 'product',
          set_number: number,
          retailer: 'retailer_a',
          product_id: asin,
          product_url: `https://a.example/${asin}`,
        },
      ]),
    )
  }
  // Both are new: first their history, then all.
  expect(await poll()).toEqual(['B000000001,B000000002', 'B000000001,B000000002'])
  expect(await poll()).toEqual(['B000000001,B000000002'])
  market.setNow(new Date(NOW + 5 * 3_600_000).toISOString())
  expect(await poll()).toEqual(['B000000002', 'B000000001,B000000002'])
})

test('the history of a product that the retailer does not know is asked for once', async () => {
  await market.ingest(
    'catalog',
    toCsv([
      {
        record: 'product',
        set_number: '90001-1',
        retailer: 'retailer_a',
        product_id: 'B000000009',
        product_url: 'https://a.example/9',
      },
    ]),
  )
  const days = async () => {
    requests = []
    await runRetailPoll(market, keepa(), AbortSignal.timeout(10_000))
    return requests.map(({ searchParams }) => searchParams.get('days'))
  }
  expect(await days()).toEqual([null, '7'])
  expect(await days()).toEqual(['7'])
})
