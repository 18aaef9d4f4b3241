import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkDigit } from '@brickmark/core/catalog/barcode'
import { FEED_COLUMNS } from '@brickmark/core/source/feeds/feed-columns'
import type { FeedName } from '@brickmark/core/source/feeds/feed-rows'
import { VALID_ROWS, toCsv, toNdjson } from '@brickmark/tests/support/feed-fixtures'
import { NOW, readFeed } from './read-feed.ts'

/** Valid row contents, implemented independently of the code under test. */
const RULES: Record<string, (value: string) => boolean> = {
  cents: (value) => /^[1-9]\d*$/.test(value) && Number(value) <= 100_000_000,
  date: (value) => /^\d{4}-\d\d-\d\d$/.test(value) && new Date(`${value}T00:00Z`).toISOString().startsWith(value),
  number: (value) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,23}$/.test(value),
  text: (value) => value.length > 0 && value.length <= 300 && value.isWellFormed() && !/\p{C}/u.test(value),
  count: (value) => Number.isInteger(Number(value)) && Number(value) >= 0 && Number(value) <= 100_000,
  instant: (value) => new Date(value).toISOString() === value && new Date(value) <= new Date(NOW.getTime() + 3_600_000),
  measure: (value) => /^\d{1,4}\.\d\d$/.test(value) && Number(value) > 0,
  code: (value) => /^\d{12,13}$/.test(value) && checkDigit(value.slice(0, -1)) === value.at(-1),
  url: (value) => URL.parse(value)?.protocol === 'https:',
}

const RULE_OF: [RegExp, string][] = [
  [/_cents$/, 'cents'],
  [/_on$|_date$/, 'date'],
  [/^(item|set|minifig)_number$|^alias$/, 'number'],
  [/^(quantity|pieces|fba_sellers|year_released|release_year)$/, 'count'],
  [/^observed_at$/, 'instant'],
  [/^box_/, 'measure'],
  [/^(upc|ean)$/, 'code'],
  [/_url$/, 'url'],
  [/./, 'text'],
]

const OPTIONAL =
  /_cents$|_ref$|^(exclusion_reason|known_on|stated_on|in_stock|seller_type|fba_sellers|subtheme|pieces|asin|upc|ean|category|color|year_released|release_year)$|^box_|_date$|^image_url$/

function violation(row: object): string | undefined {
  for (const [name, value] of Object.entries(row)) {
    if (value === undefined || (value === null && !OPTIONAL.test(name))) return `${name} is not there`
    if (value === null || typeof value === 'boolean') continue
    const rule = RULE_OF.find(([pattern]) => pattern.test(name))?.[1] ?? ''
    if (RULES[rule]?.(String(value)) !== true) return `${name} ${String(value)} breaks ${rule}`
  }
  return undefined
}

type Mutation = { at: number; remove: number; insert: Uint8Array }

const mutation: fc.Arbitrary<Mutation> = fc.record({
  // Not fc.double: most of its values are close to 0, so they would only hit the header.
  at: fc.nat(999_999).map((millionths) => millionths / 1e6),
  remove: fc.nat(4),
  insert: fc.oneof(
    fc.uint8Array({ maxLength: 3 }),
    // Bytes that are significant to a parser do the most damage.
    fc
      .constantFrom('"', ',', '\n', '\r', '-', '.', '0', 'e9', '\0', '{', '}', ':', '\ufeff', '\u202e', '\\')
      .map(bytesOf),
  ),
})

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text)
}

function mutate(bytes: Buffer, mutations: Mutation[]): Buffer {
  let result = bytes
  for (const { at, remove, insert } of mutations) {
    const index = Math.floor(at * result.length)
    result = Buffer.concat([result.subarray(0, index), insert, result.subarray(index + remove)])
  }
  return result
}

const feeds = Object.keys(VALID_ROWS) as FeedName[]
const forms: ((feed: FeedName) => Buffer)[] = [
  (feed) => Buffer.from(toCsv(feed, VALID_ROWS[feed])),
  (feed) => Buffer.from(toNdjson(VALID_ROWS[feed])),
  (feed) => gzipSync(toCsv(feed, VALID_ROWS[feed])),
]

test('2,000 mutated files only ever throw FeedRejectedError, and every parsed row satisfies the rules', async () => {
  let good = 0
  let bad = 0
  let rejected = 0
  const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 })
  const property = fc.asyncProperty(
    fc.constantFrom(...feeds),
    fc.constantFrom(...forms),
    mutations,
    async (feed, form, some) => {
      const result = await readFeed(feed, mutate(form(feed), some))
      for (const row of result.good) expect(violation(row)).toBeUndefined()
      for (const row of result.bad) expect(row.reason).not.toBe('')
      good += result.good.length
      bad += result.bad.length
      rejected += result.rejected === undefined ? 0 : 1
    },
  )
  await fc.assert(property, { numRuns: 2000 })
  // Mutations that never have an effect, or always destroy the file, would make this test pass vacuously.
  expect(Math.min(good, bad, rejected), JSON.stringify({ good, bad, rejected })).toBeGreaterThan(300)
})

const printableText = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .map((text) => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\ufffd]/gu, '').trim())
  .filter((text) => text !== '')

const saleFields = fc.record({
  source: printableText,
  license: printableText,
  event_id: printableText,
  set_number: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,23}$/),
  condition: fc.constantFrom('sealed', 'used'),
  sold_on: fc
    .date({ min: new Date('1990-01-01'), max: NOW, noInvalidDate: true })
    .map((day) => day.toISOString().slice(0, 10)),
  price: fc.integer({ min: 1, max: 99_999_999 }).map((cents) => (cents / 100).toFixed(2)),
  currency: fc.constant('USD'),
  quantity: fc.integer({ min: 1, max: 10_000 }).map(String),
  seller: printableText,
  kind: fc.constantFrom('single', 'lot', 'parts_only', 'unknown_offer'),
})

test('valid sales parse to the same rows from CSV in any column order, NDJSON and gzip', async () => {
  const columns = fc.shuffledSubarray([...FEED_COLUMNS.sales], { minLength: FEED_COLUMNS.sales.length })
  await fc.assert(
    fc.asyncProperty(
      fc.array(saleFields, { minLength: 1, maxLength: 5 }),
      columns,
      fc.integer({ min: 1, max: 99 }),
      async (rows, order, chunk) => {
        const csv = await readFeed('sales', Buffer.from(toCsv('sales', rows, order)), { chunk })
        expect(csv.bad).toEqual([])
        expect(csv.good).toMatchObject(
          rows.map(({ event_id, price, seller }) => ({
            event_id,
            unit_price_cents: Math.round(Number(price) * 100),
            seller_ref: seller,
          })),
        )
        expect(await readFeed('sales', Buffer.from(toNdjson(rows)))).toEqual(csv)
        expect(await readFeed('sales', gzipSync(toCsv('sales', rows)), { chunk })).toEqual(csv)
      },
    ),
    { numRuns: 300 },
  )
})
