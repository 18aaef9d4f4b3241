import { describe, expect, test } from 'vitest'
import { parseRows, parseTable } from '../server/import/parse-file.ts'

const MB = 1_000_000
const TOO_LONG = 'It has more than 20,000 rows. Split it into parts.'
const TOO_WIDE = 'It has more than 200 columns. Take out those that are not needed.'
const row = (columns: number, text = 'a') => `${Array.from({ length: columns }, () => text).join(',')}\n`
const items = (count: number, tagOf: (item: number) => string) =>
  `<INVENTORY>${Array.from({ length: count }, (_, n) => `<ITEM><${tagOf(n)}>1</${tagOf(n)}></ITEM>`).join('')}</INVENTORY>`

describe('a file that would grow when it is read is refused at once', () => {
  test.each([
    ['lines without end', 'a\n'.repeat(2.5 * MB), TOO_LONG],
    ['lines with nothing in their cells', ',\n'.repeat(2.5 * MB), TOO_LONG],
    ['empty lines', '\n'.repeat(5 * MB), 'It is empty.'],
    ['a header of commas', `${','.repeat(5 * MB)}\n1\n`, TOO_WIDE],
    ['one wide line among others', `a,b\n1,2\n${row(201)}`, TOO_WIDE],
    ['a tag of its own in every item', items(5000, (n) => `T${n}`), TOO_WIDE],
    ['items without end', items(200_000, () => 'A'), TOO_LONG],
    ['tags in tags', `<INVENTORY>${'<A>'.repeat(9000)}${'</A>'.repeat(9000)}</INVENTORY>`, 'not an inventory'],
  ])('%s', (_, text, words) => {
    const begun = performance.now()
    expect(parseTable(text)).toContain(words)
    expect(performance.now() - begun).toBeLessThan(2000)
  })

  test.each([
    ['lines without end', 'a\n'.repeat(2.5 * MB), TOO_LONG],
    ['a row below millions of empty ones', `${'\n'.repeat(5 * MB)}a`, TOO_LONG],
    ['a wide line', row(201), TOO_WIDE],
  ])('a report of eBay: %s', (_, text, words) => {
    expect(parseRows(text)).toBe(words)
  })
})

test('as many rows and columns as we take', () => {
  expect(parseTable(`${row(200, 'name')}${row(200).repeat(2)}`)).toMatchObject({ rows: [{ row: 2 }, { row: 3 }] })
  expect(parseTable(`Set Number\n${'90001\n'.repeat(20_000)}`)).toHaveProperty('rows.length', 20_000)
  expect(parseTable('90001\n'.repeat(20_000))).toHaveProperty('rows.length', 20_000)
  expect(parseTable('90001\n'.repeat(20_001))).toBe(TOO_LONG)
  expect(parseTable(items(20_000, (n) => `T${n % 200}`))).toHaveProperty('rows.length', 20_000)
  expect(parseTable(items(20_001, (n) => `T${n}`))).toBe(TOO_LONG)
})

test('rows have the numbers that a spreadsheet shows, whatever is empty between them', () => {
  expect(parseRows('\na\n\n,\n"b\nb",1\n\nc')).toEqual([
    { row: 2, cells: ['a'] },
    { row: 5, cells: ['b\nb', '1'] },
    { row: 7, cells: ['c'] },
  ])
})
