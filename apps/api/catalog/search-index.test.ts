import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SearchIndex } from './search-index.ts'
import { sortByNumber } from '@brickmark/core/catalog/set-number'

/**
 * Compares the index with a naive implementation of the search rules: same results in the same order for any names and
 * query.
 */

type Item = { number: string; name: string }

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const strip = (text: string) =>
  Array.from(fold(text))
    .filter((character) => /[\p{L}\p{N}\s]/u.test(character))
    .join('')
    .split(/\s+/)
    .filter(Boolean)
    .join(' ')

/** Naive search: tests every item. */
function naiveSearch(items: Item[], query: string): string[] {
  const exact = fold(query.trim())
  const text = strip(query)
  const terms = text.split(' ').filter(Boolean)
  if (terms.length === 0) return []
  const rank = ({ number, name }: Item) => {
    if (strip(number).startsWith(text) && [exact, `${exact}-1`].includes(fold(number))) return 0
    if (strip(number).startsWith(text)) return 1
    return strip(name).startsWith(text) ? 2 : 3
  }
  const matches = items.filter(({ number, name }) =>
    terms.every((term) => strip(number).includes(term) || strip(name).includes(term)),
  )
  const ordered = matches.sort((a, b) => {
    const [first] = sortByNumber([a.number, b.number], (number) => number)
    return rank(a) - rank(b) || (first === a.number ? -1 : 1)
  })
  return ordered.map((item) => item.number)
}

// A small alphabet produces many matches; the rest occurs in real names and hostile queries.
const letter = fc.constantFrom(...Array.from('aabb1122ÀéZ- ß.İ\u0301🧱%'))
const word = fc.string({ unit: letter, minLength: 1, maxLength: 6 })
const number = fc.oneof(
  fc.stringMatching(/^[1-3]{1,5}(-[12])?$/),
  fc.stringMatching(/^[abAB]{2,3}[0-2]{1,4}[a-b]?$/),
  fc.stringMatching(/^[A-Ca-c0-9][A-Ca-c0-9._-]{0,8}$/),
)
const item = fc.record({
  number,
  name: fc.oneof(
    word,
    fc.array(word, { maxLength: 4 }).map((words) => words.join(' ')),
  ),
})
const items = fc.uniqueArray(item, { selector: (entry) => fold(entry.number), maxLength: 40 })
const query = fc
  .oneof(
    word,
    number,
    fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('  ')),
  )
  // The API trims the query and requires two characters; a term that consists only of accents matches nothing.
  .filter(
    (text) =>
      text.trim().length >= 2 &&
      fold(text.trim())
        .split(/\s+/)
        .every((term) => term !== ''),
  )

describe('compared with a naive search', () => {
  test('returns the same results, order and total', () => {
    fc.assert(
      fc.property(items, query, (all, q) => {
        const expected = naiveSearch([...all], q)
        expect(new SearchIndex(all).search(q, 0, 1000)).toEqual({ numbers: expected, total: expected.length })
      }),
      { numRuns: 3000 },
    )
  })

  test('returns the requested slice of the full result', () => {
    fc.assert(
      fc.property(items, query, fc.nat(20), fc.integer({ min: 1, max: 10 }), (all, q, offset, limit) => {
        const expected = naiveSearch([...all], q)
        const page = new SearchIndex(all).search(q, offset, limit)
        expect(page).toEqual({ numbers: expected.slice(offset, offset + limit), total: expected.length })
      }),
      { numRuns: 1000 },
    )
  })

  test('finds an item by any part of its name', () => {
    const part = fc.tuple(
      items.filter((all) => all.length > 0),
      fc.nat(),
      fc.nat(),
      fc.integer({ min: 2, max: 6 }),
    )
    fc.assert(
      fc.property(part, ([all, index, from, length]) => {
        const { number: expected, name } = all[index % all.length]!
        const q = name
          .slice(from % (name.length + 1))
          .slice(0, length)
          .trim()
        fc.pre(strip(q) !== '')
        expect(new SearchIndex(all).search(q, 0, 1000).numbers).toContain(expected)
      }),
      { numRuns: 1000 },
    )
  })
})

test('finds nothing in an empty catalog', () => {
  expect(new SearchIndex([]).search('ab', 0, 50)).toEqual({ numbers: [], total: 0 })
})

test('searches 20,000 sets (timings are logged, not asserted)', () => {
  const words = ['Tide', 'Harbor', 'Castle', 'Lighthouse', 'Bridge', 'Canyon', 'Market', 'Station', 'Tower', 'Garden']
  const many = Array.from({ length: 20_000 }, (_, index) => ({
    number: `${10_000 + index}-1`,
    name: `${words[index % 10]} ${words[(index * 7) % 9]} ${words[(index * 13) % 8]} ${index}`,
  }))
  const started = performance.now()
  const searchIndex = new SearchIndex(many)
  const built = performance.now()
  const queries = ['ti', 'er', '12', '10000-1', 'castle tower', 'bridge 199', 'e r', 'qqqq', 'lighthouse']
  for (const q of queries) expect(searchIndex.search(q, 0, 50).total).toBe(naiveSearch([...many], q).length)
  const before = performance.now()
  for (let round = 0; round < 20; round++) for (const q of queries) searchIndex.search(q, 0, 50)
  const each = (performance.now() - before) / (20 * queries.length)
  console.log(`search: indexed 20,000 sets in ${(built - started).toFixed(0)} ms, ${each.toFixed(2)} ms per query`)
})
