import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateKeyPairSync } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { checkDigit } from '@brickmark/core/catalog/barcode'

/** A set as the fake services know it. */
export type FakeSet = {
  number: string
  name: string
  theme: string
  year: number
  pieces: number
  /** Null if Brickset doesn't know the set. */
  brickset: { released: string; listPrice: number; upc: string } | null
  asin: string
  walmartId: string
}

/**
 * Stands in for Rebrickable's downloads, Brickset's API (version 3), Keepa and Walmart's affiliate API, each in its own format,
 * on one port of loopback. Every name is invented.
 */
export type CatalogServices = {
  sets: FakeSet[]
  minifigs: number
  /** Minifigs in sets, by the latest inventory. */
  contents: number
  /** Variables that make a worker read them. */
  env: Record<string, string>
  /** Requests by path. */
  requests: Map<string, number>
  stop(): Promise<void>
}

const THEMES = ['Harbor', 'Orchard', 'Railway', 'Observatory', 'Market Town', 'Lighthouses']
const WORDS = [
  'Crane',
  'Bakery',
  'Signal',
  'Ferry',
  'Windmill',
  'Workshop',
  'Bridge',
  'Library',
  'Stable',
  'Greenhouse',
]
const KEEPA_EPOCH_MINUTES = 21_564_000

export async function startCatalogServices(setCount: number, minifigCount: number): Promise<CatalogServices> {
  const sets = Array.from({ length: setCount }, (_, index) => buildSet(index))
  const { files, contents } = buildDownloads(sets, minifigCount)
  const byUpc = new Map(sets.flatMap((set) => (set.brickset ? [[set.brickset.upc, set]] : [])))
  const byProduct = new Map(
    sets.flatMap(
      (set) =>
        [
          [set.asin, set],
          [set.walmartId, set],
        ] as const,
    ),
  )
  const byYear = Map.groupBy(
    sets.filter(({ brickset }) => brickset),
    ({ year }) => year,
  )
  const requests = new Map<string, number>()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    requests.set(pathname, (requests.get(pathname) ?? 0) + 1)
    const json = (body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const file = files.get(pathname)
    if (file !== undefined) return response.writeHead(200, { 'last-modified': new Date().toUTCString() }).end(file)
    const found = (map: Map<string, FakeSet>, parameter: string) =>
      (searchParams.get(parameter) ?? '').split(',').flatMap((key) => map.get(key) ?? [])
    switch (pathname) {
      case '/api/v3.asmx/getSets':
        return json(bricksetPage(byYear, JSON.parse(searchParams.get('params')!) as BricksetQuery))
      case '/product':
        return json({
          tokensLeft: 1000,
          refillRate: 1000,
          products: searchParams.has('code')
            ? found(byUpc, 'code').map(keepaIdentity)
            : found(byProduct, 'asin').map(keepaProduct),
        })
      case '/walmart/items':
        return json({
          items: (searchParams.has('upc') ? found(byUpc, 'upc') : found(byProduct, 'ids')).map(walmartItem),
        })
      default:
        return response.writeHead(404).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return {
    sets,
    minifigs: minifigCount,
    contents,
    requests,
    env: {
      REBRICKABLE_LICENSE_ID: 'rebrickable-test',
      REBRICKABLE_BASE_URL: `${origin}/downloads/`,
      BRICKSET_API_KEY: 'key',
      BRICKSET_LICENSE_ID: 'brickset-test',
      BRICKSET_BASE_URL: `${origin}/api/v3.asmx/`,
      KEEPA_API_KEY: 'key',
      KEEPA_LICENSE_ID: 'keepa-test',
      KEEPA_BASE_URL: origin,
      WALMART_CONSUMER_ID: 'consumer',
      WALMART_PRIVATE_KEY: privateKey,
      WALMART_LICENSE_ID: 'walmart-test',
      WALMART_BASE_URL: `${origin}/walmart/`,
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function buildSet(index: number): FakeSet {
  const number = String(10_001 + index)
  const theme = THEMES[index % THEMES.length]!
  const year = 1985 + (index % 41)
  const digits = `0${String(index).padStart(10, '0')}`
  const [month, day] = [1 + (index % 12), 1 + (index % 28)].map((part) => String(part).padStart(2, '0'))
  return {
    number: `${number}-1`,
    name: `${WORDS[index % WORDS.length]} ${WORDS[Math.floor(index / 10) % WORDS.length]} ${number}`,
    theme,
    year,
    pieces: 20 + (index % 3000),
    brickset:
      index % 5 === 0
        ? null
        : {
            released: `${year}-${month}-${day}`,
            listPrice: 9.99 + (index % 300),
            upc: digits + checkDigit(digits),
          },
    asin: `B${String(index).padStart(9, '0')}`,
    walmartId: String(5_000_000 + index),
  }
}

/** The files of Rebrickable, with what real ones have: gear, boxes without pieces, invisible characters, older inventories. */
function buildDownloads(sets: FakeSet[], minifigCount: number): { files: Map<string, Buffer>; contents: number } {
  const lines: Record<string, string[]> = {
    'themes.csv': [
      'id,name,parent_id',
      ...THEMES.map((name, index) => `${index + 1},${name},`),
      '90,Gear,',
      '91,Key Chains,90',
    ],
    'sets.csv': [
      'set_num,name,year,theme_id,num_parts,img_url',
      ...sets.map(
        ({ number, name, theme, year, pieces }, index) =>
          `${number},${index % 1000 === 7 ? `\u200B${name}` : name},${year},${THEMES.indexOf(theme) + 1},${pieces},`,
      ),
      'gear-1,A Key Chain,2020,91,0,',
      '9999999-1,An Empty Box,2020,1,0,',
    ],
    'minifigs.csv': ['fig_num,name,num_parts,img_url'],
    'inventories.csv': ['id,version,set_num'],
    'inventory_minifigs.csv': ['inventory_id,fig_num,quantity'],
  }
  for (let fig = 0; fig < minifigCount; fig++) {
    const number = `fig-${String(fig).padStart(6, '0')}`
    lines['minifigs.csv']!.push(`${number},Figure ${fig},4,`)
    lines['inventory_minifigs.csv']!.push(`${2 * (fig % sets.length) + 1},${number},1`)
    // An earlier box contained more of them.
    if (fig % 10 === 0) lines['inventory_minifigs.csv']!.push(`${2 * (fig % sets.length)},${number},5`)
  }
  for (const [index, { number }] of sets.entries())
    lines['inventories.csv']!.push(`${2 * index},1,${number}`, `${2 * index + 1},2,${number}`)
  const files = Object.entries(lines).map(
    ([name, rows]) => [`/downloads/${name}.gz`, gzipSync(`${rows.join('\n')}\n`)] as const,
  )
  return { files: new Map(files), contents: minifigCount }
}

type BricksetQuery = { year: string; pageSize: number; pageNumber: number }

function bricksetPage(byYear: Map<number, FakeSet[]>, { year, pageSize, pageNumber }: BricksetQuery): object {
  const all = year.split(',').flatMap((one) => byYear.get(Number(one)) ?? [])
  const page = all.slice((pageNumber - 1) * pageSize, pageNumber * pageSize)
  return {
    status: 'success',
    matches: all.length,
    sets: page.map(({ number, name, theme, year: setYear, pieces, brickset }) => ({
      number: number.split('-')[0],
      numberVariant: 1,
      name,
      year: setYear,
      theme,
      pieces,
      launchDate: `${brickset!.released}T00:00:00Z`,
      LEGOCom: { US: { retailPrice: brickset!.listPrice } },
      barcode: { UPC: brickset!.upc },
    })),
  }
}

const productTitle = ({ theme, number, name }: FakeSet) => `${theme} ${number.split('-')[0]} ${name}`

function keepaIdentity(set: FakeSet): object {
  return { asin: set.asin, title: productTitle(set), upcList: [set.brickset!.upc] }
}

function keepaProduct(set: FakeSet): object {
  const now = Math.floor(Date.now() / 60_000) - KEEPA_EPOCH_MINUTES
  const price = Math.round(set.brickset!.listPrice * 100)
  const csv: (number[] | null)[] = Array.from({ length: 36 }, () => null)
  csv[0] = [now - 500_000, price, now - 1000, price - 100]
  csv[4] = [now - 500_000, price]
  return { asin: set.asin, title: productTitle(set), csv, lastUpdate: now }
}

function walmartItem(set: FakeSet): object {
  const { upc, listPrice } = set.brickset!
  return {
    itemId: Number(set.walmartId),
    name: productTitle(set),
    upc,
    msrp: listPrice,
    salePrice: listPrice,
    stock: 'Available',
    availableOnline: true,
    marketplace: false,
  }
}
