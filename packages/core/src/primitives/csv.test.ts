import { expect, test } from 'vitest'
import { escapeFormula, formatCsv, unescapeFormula } from './csv.ts'

test.each([
  [['plain', 12, -3.5, null], 'plain,12,-3.5,'],
  [['a, b', 'say "hi"', 'two\nlines'], '"a, b","say ""hi""","two\nlines"'],
  [['=1+1', '+1', '-1', '@sum', '\tx'], `'=1+1,'+1,'-1,'@sum,"'\tx"`],
  [['=HYPERLINK("http://x","y")'], '"\'=HYPERLINK(""http://x"",""y"")"'],
  [['a;b', ' padded', "'quoted"], `"a;b"," padded",''quoted`],
])('formats %j', (cells, line) => {
  expect(formatCsv([cells])).toBe(`${line}\r\n`)
})

test('writes one line per row, and nothing for no rows', () => {
  expect(formatCsv([['a'], ['b']])).toBe('a\r\nb\r\n')
  expect(formatCsv([])).toBe('')
})

test.each(['plain', '=1+1', "'=1+1", "'", "it's", '-', '\n'])('unescapes %j to what was escaped', (text) => {
  expect(unescapeFormula(escapeFormula(text))).toBe(text)
})
