import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test.each([
  [['plain', 12, -3.5, null], 'plain,12,-3.5,'],
  [['a, b', 'say "hi"', 'two\nlines'], '"a, b","say ""hi""","two\nlines"'],
  [['=1+1', '+1', '-1', '@sum', '\tx'], "'=1+1,'+1,'-1,'@sum,'\tx"],
  [['=HYPERLINK("http://x","y")'], '"\'=HYPERLINK(""http://x"",""y"")"'],
])('formats %j as one CSV line', (cells, line) => {
  expect(csvLine(cells)).toBe(`${line}\r\n`)
})
