import { FEED_COLUMNS } from '@brickmark/core/source/feeds/feed-columns'
import type { FeedName } from '@brickmark/core/source/feeds/feed-rows'

/** A feed row as text by column; missing columns are blank. */
export type Fields = Record<string, string>

const ORIGIN = { source: 'demo-market', license: 'demo' }

/** Three valid rows per feed, covering every kind of row. */
export const VALID_ROWS: Record<FeedName, readonly Fields[]> = {
  sales: [
    {
      event_id: 'e1',
      set_number: '90001-1',
      condition: 'sealed',
      sold_on: '2026-03-01',
      price: '49.99',
      currency: 'USD',
    },
    { event_id: 'e2', minifig_number: 'zz0001', sold_on: '2026-03-02', price: '7.5', currency: 'USD', fx_rate: '1' },
    {
      event_id: 'e3',
      set_number: '90002-1',
      condition: 'used',
      sold_on: '2026-03-03',
      price: '100',
      currency: 'EUR',
      fx_rate: '1.0845',
      quantity: '2',
      seller: 's1',
      buyer: 'b, "the" 1',
      kind: 'lot',
      known_on: '2026-03-05',
    },
  ].map((row) => ({ ...ORIGIN, ...row })),
  returns: [
    { ...ORIGIN, event_id: 'e1', returned_on: '2026-03-09' },
    { ...ORIGIN, event_id: 'e2', returned_on: '2026-03-10', known_on: '2026-03-11' },
    { ...ORIGIN, event_id: 'é3', returned_on: '2026-03-11' },
  ],
  retail: [
    { event_id: 'r1', product_id: 'B000000001', observed_at: '2026-03-01T12:00:00Z', price: '39.99', in_stock: 'true' },
    { event_id: 'r2', product_id: 'B000000001', observed_at: '2026-03-01T12:00:00.5+02:00', in_stock: 'false' },
    {
      event_id: 'r3',
      product_id: 'B000000002',
      observed_at: '2026-03-02T12:00Z',
      price: '35',
      list_price: '49.99',
      seller_type: 'third_party',
      lowest_fba: '34.5',
      fba_sellers: '3',
      buy_box: '35.00',
    },
  ].map((row) => ({ ...ORIGIN, retailer: 'retailer_a', ...row })),
  catalog: [
    {
      record: 'set',
      set_number: '90001-1',
      title: 'Harbor, "old"',
      theme: 'Town',
      subtheme: 'Sea',
      pieces: '812',
      msrp_usd: '49.99',
      release_date: '2025-01-01',
      retire_date: '2027-12-31',
      asin: 'B000000001',
      upc: '036000291452',
      ean: '4006381333931',
      image_url: 'https://example.test/1.png',
      box_width_in: '15',
      box_height_in: '10.3',
      box_depth_in: '2.8',
      box_weight_lbs: '1.6',
    },
    { record: 'minifig', minifig_number: 'zz0001', name: 'Fischer „Jo“', category: 'Town', year_released: '2025' },
    { record: 'contains', set_number: '90001-1', minifig_number: 'zz0001', quantity: '2', stated_on: '2026-03-01' },
  ].map((row) => ({ ...ORIGIN, ...row })),
}

/** Formats rows as CSV with all columns of the feed, or the given columns. */
export function toCsv(
  feed: FeedName,
  rows: readonly Fields[],
  columns: readonly string[] = FEED_COLUMNS[feed],
): string {
  const lines = rows.map((row) => columns.map((column) => csvField(row[column] ?? '')).join(','))
  return [columns.join(','), ...lines, ''].join('\n')
}

/** Formats rows as NDJSON. */
export function toNdjson(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

function csvField(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
