import { sql } from 'kysely'
import { pino } from 'pino'
import { openDatabase } from '@brickmark/core/db/database'
import { queueAllItems } from '@brickmark/core/market/values/valuation-queue-commands'
import type { MarketContext } from '@brickmark/core/db/context'
import { finalizeDueMonths } from '@brickmark/core/market/values/month-finalization-commands'
import { toCsv, type Fields } from '../../../support/feed-fixtures.ts'
import { registerSources, type Ingester } from '../ingest/ingester.ts'
import type { SeededRandom } from '../../harness/random.ts'
import type { TestEnvironment } from '../../harness/test-environment.ts'

const SETS = 24
const MINIFIGS = 6
const HISTORY_DAYS = 150
const SALES_OF_EACH = 30
const ORIGIN = { source: 'prove', license: 'prove-license' }

export const setNumbers = Array.from({ length: SETS }, (_, n) => `${80_000 + n}-1`)
export const minifigNumbers = Array.from({ length: MINIFIGS }, (_, n) => `prv00${n}`)

const productOf = (set: string) => `B0PROVE${set.slice(2, 5)}`

/** Creates the same market context as the worker's, on the test's own connections. */
export function createMarketContext(ingester: Ingester): MarketContext {
  return { pool: ingester.pool, db: openDatabase(ingester.pool), log: pino({ level: 'silent' }), now: () => new Date() }
}

/** Ingests a part of the market with several months of history from files; all items are left dirty. */
export async function seedScenario({ db }: TestEnvironment, ingester: Ingester, random: SeededRandom): Promise<void> {
  await registerSources(db, ORIGIN.license, [ORIGIN.source])
  await ingestRows(ingester, 'catalog', [...setNumbers.flatMap(setRows), ...minifigNumbers.map(minifigRow)])
  const history: Fields[] = []
  for (let n = 0; n < SALES_OF_EACH; n++) {
    const daysAgo = () => random.int(1, HISTORY_DAYS)
    for (const set of setNumbers) {
      history.push(saleOf({ set_number: set, condition: 'sealed' }, random, `h-${set}-${n}`, daysAgo()))
      if (n % 3 === 0) history.push(saleOf({ set_number: set, condition: 'used' }, random, `u-${set}-${n}`, daysAgo()))
    }
    for (const minifig_number of minifigNumbers) {
      history.push(saleOf({ minifig_number }, random, `h-${minifig_number}-${n}`, daysAgo()))
    }
  }
  await ingestRows(ingester, 'sales', history)
  // Months without model parameters were inserted by hand, not computed, so remove them.
  await sql`delete from market.set_month where not exists (select from market.finalized_month)`.execute(db)
  await finalizeDueMonths(createMarketContext(ingester))
  await queueAllItems(db)
}

async function ingestRows(ingester: Ingester, feed: 'catalog' | 'sales' | 'retail', rows: Fields[]): Promise<void> {
  const { quarantined } = await ingester.ingestOrThrow(feed, Buffer.from(toCsv(feed, rows)), `${feed} of the scenario`)
  if (quarantined > 0) throw new Error(`${quarantined} valid ${feed} rows were quarantined.`)
}

function setRows(set_number: string): Fields[] {
  const n = set_number.slice(2, 5)
  const upc = `03600990${n}`
  return [
    {
      ...ORIGIN,
      record: 'set',
      set_number,
      title: `Set ${n}`,
      theme: 'Proof',
      msrp_usd: '89.99',
      release_date: '2024-01-01',
      asin: productOf(set_number),
      upc: `${upc}${checkDigit(upc)}`,
    },
    {
      ...ORIGIN,
      record: 'product',
      set_number,
      retailer: 'retailer_a',
      product_id: productOf(set_number),
      product_url: `https://a.example/${n}`,
    },
  ]
}

function minifigRow(minifig_number: string): Fields {
  return { ...ORIGIN, record: 'minifig', minifig_number, name: `Minifig ${minifig_number}`, category: 'Proof' }
}

function checkDigit(digits: string): number {
  const sum = Array.from(digits).reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0)
  return (10 - (sum % 10)) % 10
}

function saleOf(item: Fields, random: SeededRandom, event: string, daysAgo: number): Fields {
  return {
    ...ORIGIN,
    ...item,
    event_id: `CANARY-${event}`,
    sold_on: dateDaysAgo(daysAgo),
    known_on: dateDaysAgo(daysAgo),
    price: (random.int(9000, 13_000) / 100).toFixed(2),
    currency: 'USD',
    seller: `CANARY-seller-${random.int(0, 199)}`,
    buyer: `CANARY-buyer-${random.int(0, 999)}`,
  }
}

const dateDaysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** Ingests a single sale of today in its own file. */
export function ingestSale(ingester: Ingester, item: Fields, random: SeededRandom, event: string): Promise<void> {
  return ingestRows(ingester, 'sales', [saleOf(item, random, event, 0)])
}

/** Ingests a single current price in its own file. */
export function ingestPrice(ingester: Ingester, set: string, price: string, event: string): Promise<void> {
  const observation = { retailer: 'retailer_a', product_id: productOf(set), observed_at: new Date().toISOString() }
  return ingestRows(ingester, 'retail', [
    { ...ORIGIN, ...observation, event_id: `CANARY-${event}`, price, in_stock: 'true' },
  ])
}
