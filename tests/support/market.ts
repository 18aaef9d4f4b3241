import { Readable } from 'node:stream'
import { pino } from 'pino'
import { inject } from 'vitest'
import { openDatabase, openPool } from '@brickmark/core/db/database'
import type { MarketContext } from '@brickmark/core/db/context'
import { ingestFile, type IngestResult } from '@brickmark/core/source/ingest-commands'
import type { FeedName } from '@brickmark/core/source/feeds/feed-rows'
import { asRole, createDatabase } from './database.ts'

export type TestMarket = MarketContext & {
  /** Superuser connection for creating and inspecting rows; the market context itself uses brickmark_worker. */
  superuserDb: MarketContext['db']
  url: string
  ingest(feed: FeedName, text: string): Promise<IngestResult>
  setNow(now: string): void
  stop(): Promise<void>
}

/** Creates a market context on a fresh database, with a declared source and its license. */
export async function startTestMarket(): Promise<TestMarket> {
  const database = await createDatabase(inject('serverUrl'))
  const superuserDb = openDatabase(
    openPool(database.url, { size: 2, statementTimeoutMs: 60_000, connectTimeoutMs: 30_000 }),
  )
  await superuserDb.insertInto('source.license').values({ id: 'trial', terms: 'for tests' }).execute()
  await superuserDb.insertInto('source.source').values({ id: 'shop', name: 'A shop', license_id: 'trial' }).execute()
  await superuserDb
    .insertInto('catalog.retailer')
    .values([
      { retailer: 'retailer_a', name: 'Retailer A' },
      { retailer: 'retailer_b', name: 'Retailer B' },
    ])
    .execute()
  const pool = openPool(asRole(database.url, 'brickmark_worker'), {
    size: 4,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 30_000,
  })
  let now = new Date()
  return {
    pool,
    db: openDatabase(pool),
    superuserDb,
    url: database.url,
    log: pino({ level: 'silent' }),
    now: () => now,
    setNow(text) {
      now = new Date(text)
    },
    ingest: (feed, text) => ingestFile(pool, feed, Readable.from([Buffer.from(text)]), { fileName: 'test' }),
    async stop() {
      await pool.end()
      await superuserDb.destroy()
      await database.drop()
    },
  }
}

type SaleFields = {
  event_id: string
  set_number: string
  sold_on: string
  price: string
  seller: string
  buyer: string
}

/** Returns a row of the sales feed: one sealed unit, known on the day it was sold, unless `sale` overrides it. */
export function saleRow(sale: SaleFields & Record<string, unknown>) {
  return { condition: 'sealed', known_on: sale.sold_on, currency: 'USD', quantity: 1, ...sale }
}

/** Formats rows as CSV with a shared header; rows are from the declared source unless they override it. */
export function toCsv(rows: Record<string, string | number>[]): string {
  const columns = [...new Set(['source', 'license', ...rows.flatMap((row) => Object.keys(row))])]
  const lines = rows.map((row) => {
    const fullRow: Record<string, string | number> = { source: 'shop', license: 'trial', ...row }
    return columns.map((column) => String(fullRow[column] ?? '')).join(',')
  })
  return `${columns.join(',')}\n${lines.join('\n')}\n`
}
