import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SearchIndex } from './search-index.ts'
import { sortByNumber } from '@brickmark/core/catalog/set-number'

/** The index against the rule written down plainly: whatever the names and the query, the same results in the same order. */

type Item = { number: string; name: string }

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Every item asked one by one. */
function plainSearch(items: Item[], query: string): string[] {
  const whole = fold(query.trim()).replace(/\s+/g, ' ')
  const terms = whole.split(' ')
  const rank = ({ number, name }: Item) => {
    const [foldedNumber, foldedName] = [fold(number), fold(name)]
    if (foldedNumber === whole || foldedNumber === `${whole}-1`) return 0
    if (foldedNumber.startsWith(whole)) return 1
    return foldedName.startsWith(whole) ? 2 : 3
  }
  const matches = items.filter(({ number, name }) =>
    terms.every((term) => fold(number).startsWith(term) || fold(name).includes(term)),
  )
  const ordered = matches.sort((a, b) => {
    const [left, right] = [fold(a.number), fold(b.number)]
    return rank(a) - rank(b) || (left === right ? 0 : sortByNumber([left, right], (one) => one)[0] === left ? -1 : 1)
  })
  return ordered.map((item) => item.number)
}

// Few letters make many matches; the rest is what real names and hostile queries bring along.
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
const items = fc.uniqueArray(item, { selector: (one) => fold(one.number), maxLength: 40 })
const query = fc
  .oneof(
    word,
    number,
    fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('  ')),
  )
  // The api trims first and asks for two characters; a term of accents alone is nothing to look for.
  .filter(
    (text) =>
      text.trim().length >= 2 &&
      fold(text.trim())
        .split(/\s+/)
        .every((term) => term !== ''),
  )

describe('like the plain rule', () => {
  test('same results, same order, same total', () => {
    fc.assert(
      fc.property(items, query, (all, q) => {
        const expected = plainSearch([...all], q)
        expect(new SearchIndex(all).search(q, 0, 1000)).toEqual({ numbers: expected, total: expected.length })
      }),
      { numRuns: 3000 },
    )
  })

  test('a page is a piece of the whole', () => {
    fc.assert(
      fc.property(items, query, fc.nat(20), fc.integer({ min: 1, max: 10 }), (all, q, offset, limit) => {
        const expected = plainSearch([...all], q)
        const page = new SearchIndex(all).search(q, offset, limit)
        expect(page).toEqual({ numbers: expected.slice(offset, offset + limit), total: expected.length })
      }),
      { numRuns: 1000 },
    )
  })

  test('what is taken from a name is found by it', () => {
    const part = fc.tuple(
      items.filter((all) => all.length > 0),
      fc.nat(),
      fc.nat(),
      fc.integer({ min: 2, max: 6 }),
    )
    fc.assert(
      fc.property(part, ([all, at, from, length]) => {
        const { number: wanted, name } = all[at % all.length]!
        const q = name
          .slice(from % (name.length + 1))
          .slice(0, length)
          .trim()
        fc.pre(
          q.length >= 2 &&
            fold(q)
              .split(/\s+/)
              .every((term) => term !== ''),
        )
        expect(new SearchIndex(all).search(q, 0, 1000).numbers).toContain(wanted)
      }),
      { numRuns: 1000 },
    )
  })
})

test('an empty catalog has nothing to find', () => {
  expect(new SearchIndex([]).search('ab', 0, 50)).toEqual({ numbers: [], total: 0 })
})

test('20,000 sets: how long it takes (printed, not judged)', () => {
  const words = ['Tide', 'Harbor', 'Castle', 'Lighthouse', 'Bridge', 'Canyon', 'Market', 'Station', 'Tower', 'Garden']
  const many = Array.from({ length: 20_000 }, (_, at) => ({
    number: `${10_000 + at}-1`,
    name: `${words[at % 10]} ${words[(at * 7) % 9]} ${words[(at * 13) % 8]} ${at}`,
  }))
  const started = performance.now()
  const index = new SearchIndex(many)
  const made = performance.now()
  const queries = ['ti', 'er', '12', '10000-1', 'castle tower', 'bridge 199', 'e r', 'qqqq', 'lighthouse']
  for (const q of queries) expect(index.search(q, 0, 50).total).toBe(plainSearch([...many], q).length)
  const before = performance.now()
  for (let round = 0; round < 20; round++) for (const q of queries) index.search(q, 0, 50)
  const each = (performance.now() - before) / (20 * queries.length)
  console.log(`search: index of 20,000 in ${(made - started).toFixed(0)} ms, a query in ${each.toFixed(2)} ms`)
})
