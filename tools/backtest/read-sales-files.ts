import { createReadStream } from 'node:fs'
import type { PackedItem, SalesMarket } from '@brickmark/core/market/backtest/sales-market'
import { NEVER } from '@brickmark/core/market/backtest/sales-market'
import type { SetAttributesRow } from '@brickmark/core/market/values/set-sales'
import { dayNumber } from '@brickmark/core/primitives/calendar'
import { parseFeed, type FeedRow } from '@brickmark/core/source/feeds/feed'
import type { MarketSaleRow } from '@brickmark/core/source/feeds/feed-rows'

const FLAGS = [null, 'lot', 'parts_only', 'unknown_offer'] as const

/** Reads a sales feed and a catalog feed for a backtest. Only sets are valued; rows that ingest would reject are skipped. */
export async function readSalesFiles(
  salesFile: string,
  catalogFile: string,
): Promise<SalesMarket & { skipped: number }> {
  const catalog = await readFeed('catalog', catalogFile)
  const sales = await readFeed('sales', salesFile)
  const sets = catalog.rows.flatMap((row): SetAttributesRow[] =>
    row.record === 'set'
      ? [
          {
            set_number: row.set_number,
            theme: row.theme,
            msrp_cents: row.msrp_cents,
            retail_cents: null,
            release_date: row.release_date,
            release_year: row.release_year,
            retire_date: row.retire_date,
          },
        ]
      : [],
  )
  const listed = new Set(sets.map(({ set_number }) => set_number))
  const ofSets = sales.rows.filter(({ item_kind, item_number }) => item_kind === 'set' && listed.has(item_number))
  return {
    sets,
    items: packSales(ofSets),
    skipped: catalog.skipped + sales.skipped + sales.rows.length - ofSets.length,
  }
}

async function readFeed<N extends 'sales' | 'catalog'>(name: N, fileName: string) {
  const rows: FeedRow[N][] = []
  let skipped = 0
  for await (const batch of parseFeed(name, createReadStream(fileName), { fileName })) {
    for (const parsed of batch) {
      if ('row' in parsed) rows.push(parsed.row)
      else skipped++
    }
  }
  return { rows, skipped }
}

/** Packs sales as they come from the database, with traders who are known once they have traded a second item. */
function packSales(rows: readonly MarketSaleRow[]): PackedItem[] {
  const sorted = rows.toSorted((a, b) => (a.sold_on < b.sold_on ? -1 : a.sold_on > b.sold_on ? 1 : 0))
  const established = establishedFrom(sorted)
  const seen = new Set<string>()
  const items = new Map<string, { item: Pick<PackedItem, 'number' | 'condition'>; fields: number[] }>()
  for (const row of sorted) {
    const event = `${row.source_id} ${row.event_id}`
    if (seen.has(event)) continue
    seen.add(event)
    const key = `${row.condition} ${row.item_number}`
    const entry = items.get(key) ?? { item: { number: row.item_number, condition: row.condition }, fields: [] }
    items.set(key, entry)
    entry.fields.push(
      dayNumber(row.sold_on),
      row.unit_price_cents,
      row.quantity,
      hash(row.seller_ref),
      hash(row.buyer_ref),
      FLAGS.indexOf(row.exclusion_reason),
      dayNumber(row.known_on ?? row.sold_on),
      NEVER,
      established.get(`seller ${row.seller_ref}`) ?? NEVER,
      established.get(`buyer ${row.buyer_ref}`) ?? NEVER,
    )
  }
  return [...items.values()].map(({ item, fields }) => ({ ...item, sales: Int32Array.from(fields) }))
}

function establishedFrom(rows: readonly MarketSaleRow[]): Map<string, number> {
  const firstItem = new Map<string, string>()
  const established = new Map<string, number>()
  for (const { seller_ref, buyer_ref, item_number, known_on, sold_on } of rows) {
    for (const trader of [`seller ${seller_ref}`, `buyer ${buyer_ref}`]) {
      const first = firstItem.get(trader)
      if (first === undefined) firstItem.set(trader, item_number)
      else if (first !== item_number && !established.has(trader))
        established.set(trader, dayNumber(known_on ?? sold_on))
    }
  }
  return established
}

/** FNV-1a; 0 stands for unknown. */
function hash(ref: string | null): number {
  if (ref === null) return 0
  let state = 0x811c9dc5
  for (let index = 0; index < ref.length; index++) state = Math.imul(state ^ ref.charCodeAt(index), 0x01000193)
  return state | 0 || 1
}
