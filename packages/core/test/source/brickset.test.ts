import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { refreshFromBrickset } from '@brickmark/core/source/brickset-commands'
import { SourceError } from '@brickmark/core/source/connectors/retail-source'
import { startTestMarket, toCsv, type TestMarket } from '@brickmark/tests/support/market'

const KEY = '3-abcd-secret'

let market: TestMarket
let server: Server
let requests: URL[]
/** The sets by year, as the API has them. */
let setsOf: Record<number, object[]>
let problem: object | undefined

beforeAll(async () => {
  market = await startTestMarket()
  market.setNow('2026-05-10T12:00:00Z')
  // Answers getSets in the format of Brickset's API, version 3.
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    requests.push(url)
    const { year, pageSize, pageNumber } = JSON.parse(url.searchParams.get('params') ?? '{}') as {
      year: string
      pageSize: number
      pageNumber: number
    }
    const all = year.split(',').flatMap((one) => setsOf[Number(one)] ?? [])
    const sets = all.slice((pageNumber - 1) * pageSize, pageNumber * pageSize)
    response
      .writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
      .end(JSON.stringify(problem ?? { status: 'success', matches: all.length, sets }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await market.stop()
})
beforeEach(async () => {
  requests = []
  setsOf = {}
  problem = undefined
  await sql`truncate catalog.set cascade`.execute(market.superuserDb)
  await sql`truncate source.set_claim`.execute(market.superuserDb)
})

function lighthouse(more: object = {}): object {
  return {
    setID: 9001,
    number: '90001',
    numberVariant: 1,
    name: 'Tidewater Lighthouse',
    year: 2025,
    theme: 'Harbor',
    subtheme: 'Coast',
    category: 'Normal',
    released: true,
    pieces: 812,
    minifigs: 2,
    image: { thumbnailURL: 'https://images.example/s.jpg', imageURL: 'https://images.example/90001-1.jpg' },
    launchDate: '2025-03-01T00:00:00Z',
    exitDate: '2027-12-31T00:00:00Z',
    LEGOCom: {
      US: { retailPrice: 89.99, dateFirstAvailable: '2025-03-02T00:00:00Z' },
      UK: { retailPrice: 79.99 },
      CA: {},
      DE: {},
    },
    barcode: { EAN: '4006381333931', UPC: '036000291452' },
    dimensions: { height: 26.2, width: 38.2, depth: 7.1, weight: 1.16 },
    ...more,
  }
}

const refresh = () =>
  refreshFromBrickset(
    market,
    {
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3.asmx`,
      key: KEY,
      licenseId: 'brickset-2026',
      licenseTerms: 'For tests.',
    },
    AbortSignal.timeout(20_000),
  )

const storedSet = (number = '90001-1') =>
  market.superuserDb.selectFrom('catalog.set').selectAll().where('set_number', '=', number).executeTakeFirst()

test('dates, list price, barcodes, box in inches and pounds, and picture', async () => {
  setsOf = { 2025: [lighthouse()] }
  expect(await refresh()).toMatchObject({ accepted: 1, quarantined: 0 })
  expect(await storedSet()).toMatchObject({
    title: 'Tidewater Lighthouse',
    theme: 'Harbor',
    subtheme: 'Coast',
    pieces: 812,
    msrp_cents: 8999,
    release_date: '2025-03-01',
    release_year: 2025,
    retire_date: '2027-12-31',
    upc: '036000291452',
    ean: '4006381333931',
    image_url: 'https://images.example/90001-1.jpg',
    box_width_in: '15.04',
    box_height_in: '10.31',
    box_depth_in: '2.80',
    box_weight_lbs: '2.56',
  })
})

test('what is unknown stays unknown, and a mistyped barcode is dropped', async () => {
  const blank = {
    launchDate: null,
    exitDate: undefined,
    LEGOCom: { US: { retailPrice: 0 } },
    dimensions: {},
    image: {},
  }
  setsOf = {
    1999: [
      lighthouse({
        ...blank,
        year: 1999,
        subtheme: '',
        pieces: undefined,
        barcode: { EAN: '123', UPC: '036000291453' },
      }),
    ],
  }
  expect(await refresh()).toMatchObject({ accepted: 1, quarantined: 0 })
  expect(await storedSet()).toMatchObject({
    subtheme: null,
    pieces: null,
    msrp_cents: null,
    release_date: null,
    release_year: 1999,
    retire_date: null,
    upc: null,
    ean: null,
    image_url: null,
    box_width_in: null,
  })
})

test('reads every page of every year in few calls, and quarantines a malformed set', async () => {
  setsOf = {
    1955: [lighthouse({ number: '55', year: 1955, launchDate: null, barcode: {} })],
    2025: Array.from({ length: 1201 }, (_, index) => lighthouse({ number: `${90_000 + index}`, barcode: {} })),
    2027: [lighthouse({ number: 12345, barcode: {} })],
  }
  expect(await refresh()).toMatchObject({ accepted: 1202, quarantined: 1 })
  expect(requests.length).toBeLessThan(15)
  const [row] = await market.superuserDb.selectFrom('source.quarantine').selectAll().execute()
  expect(row!.reason).toContain('Brickset: number')
})

test('a source of higher rank wins, and Brickset fills in what it does not say', async () => {
  await sql`update source.source set rank = 9 where id = 'shop'`.execute(market.superuserDb)
  await market.ingest(
    'catalog',
    toCsv([{ record: 'set', set_number: '90001-1', title: 'Our Lighthouse', theme: 'Harbor', pieces: 800 }]),
  )
  setsOf = { 2025: [lighthouse()] }
  await refresh()
  expect(await storedSet()).toMatchObject({ title: 'Our Lighthouse', pieces: 800, msrp_cents: 8999 })
})

test('an error of the API changes nothing, and never shows the key', async () => {
  problem = { status: 'error', message: 'Invalid API key' }
  const error: unknown = await refresh().catch((error: unknown) => error)
  expect(error).toBeInstanceOf(SourceError)
  expect(error).toMatchObject({ kind: 'unauthorized', message: 'Brickset answered: Invalid API key' })
  problem = { status: 'error', message: 'API limit exceeded' }
  await expect(refresh()).rejects.toMatchObject({ kind: 'throttled' })
  problem = { sets: [] }
  await expect(refresh()).rejects.toMatchObject({ kind: 'invalid_response' })
  expect(await storedSet()).toBeUndefined()
})
