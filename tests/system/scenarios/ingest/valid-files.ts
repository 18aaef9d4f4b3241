import type { FeedName } from '@brickmark/core/source/feeds/feed-rows'
import { toCsv, toNdjson, type Fields } from '../../../support/feed-fixtures.ts'
import type { SeededRandom } from '../../harness/random.ts'
import type { Ingester } from './ingester.ts'

export const SOURCE = 'prove'
export const LICENSE = 'prove-license'
export const FEEDS: FeedName[] = ['sales', 'returns', 'retail', 'catalog']

const ORIGIN = { source: SOURCE, license: LICENSE }
const SETS = 40
const MINIFIGS = 20

const setNumber = (n: number) => `${80_000 + n}-1`
const minifigNumber = (n: number) => `prv${String(n).padStart(4, '0')}`
const productId = (n: number) => `B0PROVE${String(n).padStart(3, '0')}`

/** Ingests a catalog for the files to refer to. */
export async function ingestCatalog(ingester: Ingester): Promise<void> {
  const rows: Fields[] = []
  for (let n = 0; n < SETS; n++) {
    rows.push({
      ...ORIGIN,
      record: 'set',
      set_number: setNumber(n),
      title: `Set ${n}`,
      theme: 'Proof',
      msrp_usd: '99.99',
    })
    rows.push({ ...ORIGIN, ...product(setNumber(n), n) })
  }
  for (let n = 0; n < MINIFIGS; n++) {
    rows.push({ ...ORIGIN, record: 'minifig', minifig_number: minifigNumber(n), name: `Minifig ${n}` })
  }
  await ingester.ingestOrThrow('catalog', Buffer.from(toCsv('catalog', rows)), 'catalog of the scenario')
}

function product(set_number: string, n: number): Fields {
  return {
    record: 'product',
    set_number,
    retailer: 'retailer_a',
    product_id: productId(n),
    product_url: `https://a.example/${n}`,
  }
}

/** Returns valid rows; event ids are unique per tag. */
export function validRows(feed: FeedName, random: SeededRandom, tag: string, rows: number, source = SOURCE): Fields[] {
  return Array.from({ length: rows }, (_, n) => ({ ...ORIGIN, source, ...validRow(feed, random, `${tag}-${n}`) }))
}

function validRow(feed: FeedName, random: SeededRandom, event_id: string): Fields {
  const price = () => (random.int(100, 50_000) / 100).toFixed(2)
  const day = () => `2026-0${random.int(1, 9)}-${String(random.int(10, 28))}`
  if (feed === 'returns')
    return { event_id, returned_on: day(), ...(random.next() < 0.3 && { known_on: '2026-10-01' }) }
  if (feed === 'retail') {
    return {
      event_id,
      retailer: 'retailer_a',
      product_id: productId(random.int(0, SETS - 1)),
      observed_at: `${day()}T${random.int(10, 23)}:00:00Z`,
      price: price(),
      in_stock: random.pick(['true', 'false', '']),
      seller_type: random.pick(['retailer', 'third_party', '']),
      fba_sellers: random.pick(['', '3']),
      buy_box: random.pick(['', price()]),
    }
  }
  if (feed === 'catalog') return catalogRow(random, price())
  const item = random.next() < 0.8 ? { set_number: setNumber(random.int(0, SETS - 1)), condition: 'used' } : undefined
  return {
    event_id,
    ...(item ?? { minifig_number: minifigNumber(random.int(0, MINIFIGS - 1)) }),
    sold_on: day(),
    price: price(),
    ...random.pick([{ currency: 'USD' }, { currency: 'EUR', fx_rate: '1.0845' }]),
    quantity: random.pick(['', '1', '2']),
    seller: `CANARY-seller-${random.int(0, 99)}`,
    buyer: `CANARY-"buyer", ${random.int(0, 99)}`,
    kind: random.pick(['', '', 'lot']),
  }
}

/**
 * Returns a row for one of 3,000 numbers that recur in other files, so that attributes are replaced as well as added.
 */
function catalogRow(random: SeededRandom, msrp_usd: string): Fields {
  const n = random.int(0, 2999)
  const set_number = `${70_000 + n}-1`
  const minifig_number = `prx${n}`
  return random.pick<() => Fields>([
    () => ({
      record: 'set',
      set_number,
      title: `Häuser, "${n}"`,
      theme: 'Proof',
      pieces: String(n),
      msrp_usd,
      release_date: '2025-01-01',
      retire_date: '2027-12-31',
      asin: `B0PX${String(n).padStart(6, '0')}`,
      image_url: `https://example.test/${n}.png`,
      box_width_in: '15.5',
      box_weight_lbs: '1.6',
    }),
    () => ({ record: 'minifig', minifig_number, name: `Jo ${n}`, category: 'Town', year_released: '2025' }),
    () => ({
      record: 'contains',
      set_number: setNumber(n % SETS),
      minifig_number: minifigNumber(n % MINIFIGS),
      quantity: '2',
    }),
    () => product(setNumber(n % SETS), n % SETS),
  ])()
}

/** Encodes rows as CSV or NDJSON, chosen at random. */
export function encodeFile(feed: FeedName, rows: readonly Fields[], random: SeededRandom): Buffer {
  return Buffer.from(random.next() < 0.6 ? toCsv(feed, rows) : toNdjson(rows))
}
