import { expect, test } from 'vitest'
import { parseSearchQuery } from './search-terms.ts'

test('normalizes case, accents and spaces', () => {
  expect(parseSearchQuery('  Café   BAR ')).toEqual({
    number: 'cafe   bar',
    text: 'cafe bar',
    terms: ['cafe', 'bar'],
  })
})

test('a query longer than any title matches nothing', () => {
  expect(parseSearchQuery('a'.repeat(300))).toBeDefined()
  expect(parseSearchQuery('a'.repeat(301))).toBeUndefined()
  expect(parseSearchQuery(' '.repeat(7000))).toBeUndefined()
})

test('only the first 20 terms are used', () => {
  const words = Array.from({ length: 60 }, (_, n) => String(n))
  expect(parseSearchQuery(words.join(' '))?.terms).toEqual(words.slice(0, 20))
})
