import { deflateRawSync, gzipSync } from 'node:zlib'
import { FEED_COLUMNS } from '@brickmark/core/source/feeds/feed-columns'
import type { FeedName } from '@brickmark/core/source/feeds/feed-rows'
import { type Fields, VALID_ROWS, toCsv, toNdjson } from './feed-fixtures.ts'

/** Expected outcome of a file: rejected entirely, or the number of good and bad rows. */
type Outcome = 'refused' | { good: number; bad: number }
export type MalformedFile = { name: string; feed: FeedName; bytes: () => Buffer; outcome: Outcome }

const MEGABYTE = 1024 * 1024

/** A file of three valid rows with some fields of one row replaced: that row is bad, its neighbors are not. */
function badValue(feed: FeedName, name: string, fields: Fields, position = 1): MalformedFile {
  const rows = VALID_ROWS[feed].map((row, index) => (index === position ? { ...row, ...fields } : row))
  return { name: `${feed}: ${name}`, feed, bytes: () => Buffer.from(toCsv(feed, rows)), outcome: { good: 2, bad: 1 } }
}

/** A file of a valid NDJSON row, the given line, and another valid row. */
function badLine(feed: FeedName, name: string, line: string | Buffer): MalformedFile {
  const [first, , last] = VALID_ROWS[feed].map((row) => toNdjson([row]))
  const bytes = () => Buffer.concat([Buffer.from(first ?? ''), Buffer.from(line), Buffer.from(`\n${last}`)])
  return { name: `${feed}: ${name}`, feed, bytes, outcome: { good: 2, bad: 1 } }
}

/** A modified copy of a feed's valid CSV file. */
function file(feed: FeedName, name: string, outcome: Outcome, change: (csv: Buffer) => Buffer | string): MalformedFile {
  const bytes = () => Buffer.from(change(Buffer.from(toCsv(feed, VALID_ROWS[feed]))))
  return { name: `${feed}: ${name}`, feed, bytes, outcome }
}

const ALL_GOOD = { good: 3, bad: 0 }
const ONE_BAD = { good: 2, bad: 1 }

const refusedFiles: MalformedFile[] = [
  file('sales', 'empty', 'refused', () => ''),
  file('sales', 'only blank lines', 'refused', () => '\r\n \n\t\n'),
  file('sales', 'only a byte order mark', 'refused', () => '\ufeff'),
  file('sales', 'binary junk', 'refused', () =>
    Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 167 + 13) % 256)),
  ),
  file('sales', 'zeros', 'refused', () => Buffer.alloc(100_000)),
  file('sales', 'UTF-16', 'refused', (csv) => Buffer.from(`\ufeff${csv.toString()}`, 'utf16le')),
  file('sales', 'an Excel file', 'refused', () => Buffer.from('PK\u0003\u0004\u0014\0\u0006\0xl/workbook.xml\n')),
  file('sales', 'an HTML error page', 'refused', () => '<!doctype html>\n<title>502 Bad Gateway</title>\n'),
  file('sales', 'a JSON list', 'refused', () => JSON.stringify(VALID_ROWS.sales)),
  file('sales', 'semicolons', 'refused', (csv) => csv.toString().replaceAll(',', ';')),
  file('sales', 'tabs', 'refused', (csv) => csv.toString().replaceAll(',', '\t')),
  file('sales', 'carriage returns only', 'refused', (csv) => csv.toString().replaceAll('\n', '\r')),
  file('sales', 'a typo in a column', 'refused', (csv) => csv.toString().replace('seller', 'sellr')),
  file('sales', 'a duplicate column', 'refused', (csv) => csv.toString().replace('seller', 'buyer')),
  file('sales', 'a column without a name', 'refused', (csv) => csv.toString().replace('seller', '')),
  file('sales', 'no header', 'refused', (csv) => csv.subarray(csv.indexOf('\n') + 1)),
  file('sales', 'a header with an open quote', 'refused', (csv) => csv.toString().replace('seller', '"seller')),
  file('sales', 'a header of 100 KB', 'refused', () => `${'source,'.repeat(15_000)}\n`),
  file('sales', 'a retail file', 'refused', () => toCsv('retail', VALID_ROWS.retail)),
  file('retail', 'a sales file', 'refused', () => toCsv('sales', VALID_ROWS.sales)),
  file('returns', 'a required column missing', 'refused', () =>
    toCsv('returns', VALID_ROWS.returns, ['source', 'event_id']),
  ),
  file('catalog', 'no item column', 'refused', () => toCsv('catalog', [], ['source', 'license', 'record'])),
  file('sales', 'truncated gzip', 'refused', (csv) => gzipSync(csv).subarray(0, 90)),
  file('sales', 'gzip with a broken checksum', 'refused', (csv) => flipByte(gzipSync(csv), -5)),
  file('sales', 'gzip with broken data', 'refused', (csv) => flipByte(gzipSync(csv), 40)),
  file('sales', 'only the gzip magic bytes', 'refused', () => Buffer.from([0x1f, 0x8b])),
  file('sales', 'gzip inside gzip', 'refused', (csv) => gzipSync(gzipSync(csv))),
  file('sales', 'gzip of an empty file', 'refused', () => gzipSync('')),
  file('sales', 'junk after the gzip data', 'refused', (csv) => Buffer.concat([gzipSync(csv), Buffer.from('junk')])),
  file('sales', 'deflate without a gzip header', 'refused', (csv) => deflateRawSync(csv)),
  file('sales', 'a bomb of zeros', 'refused', () => gzipSync(Buffer.alloc(80 * MEGABYTE), { level: 9 })),
  file('sales', 'a bomb after good rows', 'refused', (csv) =>
    gzipSync(Buffer.concat([csv, Buffer.alloc(80 * MEGABYTE, '\n')]), { level: 9 }),
  ),
  file('sales', 'a bomb of line breaks', 'refused', () => gzipSync(Buffer.alloc(80 * MEGABYTE, '\n'), { level: 9 })),
]

const damagedFiles: MalformedFile[] = [
  file('sales', 'a header only', { good: 0, bad: 0 }, (csv) => csv.subarray(0, csv.indexOf('\n') + 1)),
  file('sales', 'CRLF, byte order mark, capitals', ALL_GOOD, (csv) =>
    `\ufeff${upperHeader(csv)}`.replaceAll('\n', '\r\n'),
  ),
  file('sales', 'two gzip members', ALL_GOOD, (csv) => inTwoMembers(csv)),
  file('sales', 'a truncated last line', ONE_BAD, (csv) => csv.subarray(0, -8)),
  file('returns', 'the last line without a line break', ONE_BAD, (csv) => csv.subarray(0, -1)),
  file('sales', 'a NUL byte', ONE_BAD, (csv) => csv.toString().replace('e2', 'e\0')),
  file('sales', 'an escape sequence', ONE_BAD, (csv) => csv.toString().replace('e2', '\u001b[2Je2')),
  file('sales', 'a carriage return inside a line', ONE_BAD, (csv) => csv.toString().replace('e2', 'e\r2')),
  file('sales', 'Latin-1', ONE_BAD, (csv) => replaceBytes(csv, 'e2', Buffer.from([0xe9, 0x32]))),
  file('sales', 'an overlong UTF-8 form', ONE_BAD, (csv) => replaceBytes(csv, 'e2', Buffer.from([0xc0, 0xaf]))),
  file('sales', 'a UTF-8 surrogate', ONE_BAD, (csv) => replaceBytes(csv, 'e2', Buffer.from([0xed, 0xa0, 0x80]))),
  file('sales', 'a replacement character', ONE_BAD, (csv) => csv.toString().replace('e2', 'e\ufffd')),
  file('sales', 'a lone quote', ONE_BAD, (csv) => csv.toString().replace('e2', '"e2')),
  file('sales', 'a quote inside a field', ONE_BAD, (csv) => csv.toString().replace('e2', 'e"2')),
  file('sales', 'text after a closing quote', ONE_BAD, (csv) => csv.toString().replace('e2', '"e"2')),
  file('sales', 'a line break inside quotes', { good: 2, bad: 2 }, (csv) => csv.toString().replace('e2', '"e\n2"')),
  file('sales', 'a missing column', ONE_BAD, (csv) => csv.toString().replace('e2,', '')),
  file('sales', 'an extra column', ONE_BAD, (csv) => csv.toString().replace('e2,', 'e2,,')),
  file('sales', 'a line of commas', ONE_BAD, (csv) => csv.toString().replace(/^.*e2.*$/m, ','.repeat(14))),
  file('sales', 'a line of 70 KB', ONE_BAD, (csv) => csv.toString().replace('e2', 'x'.repeat(70_000))),
  file('sales', 'a line of 5 MB', ONE_BAD, (csv) => csv.toString().replace('e2', 'x'.repeat(5_000_000))),
  file('sales', 'a line of 60,000 quotes', ONE_BAD, (csv) => csv.toString().replace('e2', '"'.repeat(60_001))),
]

/** Invalid values by column, in the second row of each feed unless stated otherwise. */
const badValues: MalformedFile[] = [
  ...values('sales', 'price', [
    '',
    '0',
    '0.00',
    '-5',
    '1,299.00',
    '1e3',
    'NaN',
    '0x10',
    '1_000',
    '$5',
    '5.',
    '.5',
    '１２',
  ]),
  ...values('sales', 'price', ['0.004', '1000000.01', '99999999999999', '12.34567']),
  ...values('sales', 'sold_on', [
    '',
    '2026-13-01',
    '2026-02-30',
    '2025-02-29',
    '01/03/2026',
    '1989-12-31',
    '2999-01-01',
  ]),
  ...values('sales', 'quantity', ['0', '-1', '1.5', '10001', '1e2', '９']),
  ...values('sales', 'currency', ['', 'usd', 'US', 'QQQ', 'DOLLAR']),
  ...values('sales', 'fx_rate', ['0.9', '0', '-1', 'one']),
  ...values('sales', 'kind', ['LOT', 'bundle']),
  ...values('sales', 'minifig_number', [
    '',
    '-zz',
    'a'.repeat(25),
    "'; drop table x",
    '../../etc/passwd',
    'zz\u202e0001',
  ]),
  ...values('sales', 'event_id', ['', 'x'.repeat(201), 'a\tb', 'a\u200bb', 'a\u2028b']),
  ...values('sales', 'known_on', ['2026-03-01', 'yesterday']),
  badValue('sales', 'both a set and a minifig', { set_number: '90001-1' }),
  badValue('sales', 'a set without a condition', { condition: '' }, 0),
  badValue('sales', 'an unknown condition', { condition: 'new' }, 0),
  badValue('sales', 'euros without a rate', { fx_rate: '' }, 2),
  badValue('sales', 'no source', { source: '' }),
  badValue('sales', 'no license', { license: ' ' }),
  ...values('returns', 'returned_on', ['', '2026-00-10', '2026-3-1', '0000-00-00']),
  ...values('retail', 'retailer', ['', 'amazon', 'retailer_c']),
  ...values('retail', 'observed_at', ['', '2026-03-01', '2026-03-01T12:00:00', '2026-02-30T12:00:00Z', '1772366400']),
  ...values('retail', 'observed_at', ['2026-03-01T24:00:00Z', '2026-03-01T12:00:00+99:00', '2014-12-31T23:59:59Z']),
  ...values('retail', 'price', ['0', '-1', 'free', '1000001']),
  ...values('retail', 'in_stock', ['yes', '1', 'TRUE']),
  ...values('retail', 'seller_type', ['1p']),
  ...values('retail', 'fba_sellers', ['-1', '2.5']),
  ...values('catalog', 'record', ['', 'brick']),
  ...values('catalog', 'year_released', ['1899', '20255', '2025.0']),
  ...values('catalog', 'image_url', [
    'http://example.test/1.png',
    'javascript:alert(1)',
    'https://u:p@example.test/',
    'https://',
  ]),
  badValue('catalog', 'a price on a minifig', { msrp_usd: '5' }),
  ...values('catalog', 'upc', ['036000291453', '36000291452', '03600029145x'], 0),
  ...values('catalog', 'ean', ['4006381333932', '400638133393'], 0),
  ...values('catalog', 'asin', ['b000000001', 'B00000001'], 0),
  ...values('catalog', 'box_width_in', ['0', '0.001', '1001'], 0),
  ...values('catalog', 'title', ['', 'x'.repeat(301)], 0),
  ...values('catalog', 'quantity', ['', '0'], 2),
]

const badLines: MalformedFile[] = [
  badLine('sales', 'NDJSON with invalid JSON', '{"source":'),
  badLine('sales', 'NDJSON with a list', '[1,2]'),
  badLine('sales', 'NDJSON with null', 'null'),
  badLine('sales', 'NDJSON with an unknown key', JSON.stringify({ ...VALID_ROWS.sales[1], colour: 'red' })),
  badLine(
    'sales',
    'NDJSON with __proto__',
    `{"__proto__":{"price":"1"},${JSON.stringify(VALID_ROWS.sales[1]).slice(1)}`,
  ),
  badLine('sales', 'NDJSON with an object as price', JSON.stringify({ ...VALID_ROWS.sales[1], price: { usd: 5 } })),
  badLine(
    'sales',
    'NDJSON with an inexact id',
    JSON.stringify(VALID_ROWS.sales[1]).replace('"e2"', '9007199254740993'),
  ),
  badLine('sales', 'NDJSON with a decimal id', JSON.stringify(VALID_ROWS.sales[1]).replace('"e2"', '1.10')),
  badLine('sales', 'NDJSON with an infinite price', JSON.stringify(VALID_ROWS.sales[1]).replace('"7.5"', '1e999')),
  badLine('sales', 'NDJSON with an escaped NUL', JSON.stringify({ ...VALID_ROWS.sales[1], event_id: 'e\0' })),
  badLine(
    'sales',
    'NDJSON with an unpaired surrogate',
    JSON.stringify(VALID_ROWS.sales[1]).replace('"e2"', String.raw`"\ud800"`),
  ),
  badLine('retail', 'NDJSON with true as an id', JSON.stringify({ ...VALID_ROWS.retail[1], event_id: true })),
  badLine('sales', 'NDJSON nested 60,000 deep', '['.repeat(60_000)),
  badLine('sales', 'NDJSON with a line of 70 KB', `{"source":"${'x'.repeat(70_000)}"}`),
  badLine('catalog', 'NDJSON with invalid UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
  badLine('catalog', 'a CSV line in NDJSON', FEED_COLUMNS.catalog.join(',')),
]

/** Malformed files that a feed must handle; `bytes` rebuilds a file on each call, so that no large buffers are kept. */
export const malformedFiles: MalformedFile[] = [...refusedFiles, ...damagedFiles, ...badValues, ...badLines]

function values(feed: FeedName, column: string, wrong: string[], index = 1): MalformedFile[] {
  return wrong.map((value) =>
    badValue(feed, `${column} ${JSON.stringify(value.slice(0, 40))}`, { [column]: value }, index),
  )
}

function flipByte(bytes: Buffer, position: number): Buffer {
  const index = position < 0 ? bytes.length + position : position
  bytes[index] = (bytes[index] ?? 0) ^ 0xff
  return bytes
}

function replaceBytes(bytes: Buffer, text: string, by: Buffer): Buffer {
  const offset = bytes.indexOf(text)
  return Buffer.concat([bytes.subarray(0, offset), by, bytes.subarray(offset + text.length)])
}

function upperHeader(csv: Buffer): string {
  const text = csv.toString()
  const end = text.indexOf('\n')
  return text.slice(0, end).toUpperCase() + text.slice(end)
}

function inTwoMembers(csv: Buffer): Buffer {
  return Buffer.concat([gzipSync(csv.subarray(0, 200)), gzipSync(csv.subarray(200))])
}
