import { describe, expect, test } from 'vitest'
import { parseRows, parseTable } from '../host/import/parse-file.ts'
import { cpuMs } from '@brickmark/tests/support/timing'

const MB = 1_000_000
const TOO_LONG = 'Files can have up to 20,000 rows. Split the file and try again.'
const TOO_WIDE = 'Files can have up to 200 columns. Remove the ones you don’t need.'
const row = (columns: number, text = 'a') => `${Array.from({ length: columns }, () => text).join(',')}\n`
const items = (count: number, tagOf: (item: number) => string) =>
  `<INVENTORY>${Array.from({ length: count }, (_, n) => `<ITEM><${tagOf(n)}>1</${tagOf(n)}></ITEM>`).join('')}</INVENTORY>`
const tags = (count: number) => Array.from({ length: count }, (_, n) => `<a${n}/>`).join('')

describe('rejects files that would expand during parsing within 2 s', () => {
  test.each([
    ['too many rows', 'a\n'.repeat(2.5 * MB), TOO_LONG],
    ['rows of empty cells', ',\n'.repeat(2.5 * MB), TOO_LONG],
    ['empty lines', '\n'.repeat(5 * MB), 'This file is empty.'],
    ['a header of commas', `${','.repeat(5 * MB)}\n1\n`, TOO_WIDE],
    ['one wide row among others', `a,b\n1,2\n${row(201)}`, TOO_WIDE],
    ['a different tag in every item', items(5000, (n) => `T${n}`), TOO_WIDE],
    ['one item with 400,000 tags', `<INVENTORY><ITEM>${tags(400_000)}</ITEM></INVENTORY>`, TOO_WIDE],
    ['a cell of 4 MB', `a,b\n"${'x'.repeat(4 * MB)}",1`, 'Cells can have up to 10,000 characters'],
    [
      'a tag of 4 MB',
      `<INVENTORY><ITEM><A>${'x'.repeat(4 * MB)}</A></ITEM></INVENTORY>`,
      'Cells can have up to 10,000 characters',
    ],
    ['too many items', items(200_000, () => 'A'), TOO_LONG],
    [
      'deeply nested tags',
      `<INVENTORY>${'<A>'.repeat(9000)}${'</A>'.repeat(9000)}</INVENTORY>`,
      'isn’t a BrickLink inventory',
    ],
  ])('%s', async (_, text, message) => {
    expect(await cpuMs(() => expect(parseTable(text)).toContain(message))).toBeLessThan(2000)
  })

  test.each([
    ['too many rows', 'a\n'.repeat(2.5 * MB), TOO_LONG],
    ['a row after millions of empty lines', `${'\n'.repeat(5 * MB)}a`, TOO_LONG],
    ['a wide row', row(201), TOO_WIDE],
  ])('eBay report: %s', (_, text, message) => {
    expect(parseRows(text)).toBe(message)
  })
})

test('accepts 20,000 rows and 200 columns', () => {
  expect(parseTable(`${row(200, 'name')}${row(200).repeat(2)}`)).toMatchObject({ rows: [{ row: 2 }, { row: 3 }] })
  expect(parseTable(`Set Number\n${'90001\n'.repeat(20_000)}`)).toHaveProperty('rows.length', 20_000)
  expect(parseTable('90001\n'.repeat(20_000))).toHaveProperty('rows.length', 20_000)
  expect(parseTable('90001\n'.repeat(20_001))).toBe(TOO_LONG)
  expect(parseTable(items(20_000, (n) => `T${n % 200}`))).toHaveProperty('rows.length', 20_000)
  expect(parseTable(items(20_001, (n) => `T${n % 200}`))).toBe(TOO_LONG)
})

test('numbers rows like a spreadsheet, counting empty rows', () => {
  expect(parseRows('\na\n\n,\n"b\nb",1\n\nc')).toEqual([
    { row: 2, cells: ['a'] },
    { row: 5, cells: ['b\nb', '1'] },
    { row: 7, cells: ['c'] },
  ])
})

test('reads BrickLink XML: tags in any case, entities, CDATA and comments', () => {
  const text = `<?xml version="1.0"?><inventory><item><ItemID>90001-1</ItemID><Remarks>a &amp; <![CDATA[<b>]]> c</Remarks>
    <!-- a comment --><Nested><Inner>ignored</Inner></Nested></item><note>ignored</note></inventory>`
  expect(parseTable(text)).toEqual({
    header: ['ITEMID', 'REMARKS', 'NESTED'],
    rows: [{ row: 1, cells: ['90001-1', 'a & <b> c', ''] }],
  })
})
