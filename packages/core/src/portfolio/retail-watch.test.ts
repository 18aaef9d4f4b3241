import { expect, test } from 'vitest'
import { splitIdentifiers, createWatchFilter, type WatchedSet, type WatchFilter } from './retail-watch.ts'

const now = new Date('2026-06-27T12:00:00Z')
const set: WatchedSet = {
  asin: 'B0ABCD1234',
  upc: '036000291452',
  ean: null,
  retail: { retailer_a: { changed_at: null }, retailer_b: { changed_at: new Date('2026-06-27T11:00:00Z') } },
}

test.each<[story: string, filter: WatchFilter, matches: boolean]>([
  ['matches without filters', {}, true],
  ['matches a change exactly at the cutoff', { changedWithin: '60m' }, true],
  ['excludes a change before the cutoff', { changedWithin: '59m' }, false],
  ['applies the later of two cutoffs', { changedWithin: '7d', since: new Date('2026-06-27T11:00:01Z') }, false],
  ['matches an ASIN in lower case among others', { asins: ['x', 'b0abcd1234'] }, true],
  ['matches a UPC given as an EAN', { upcs: ['0036000291452'] }, true],
  ['requires both ASIN and UPC to match', { asins: ['B0ABCD1234'], upcs: ['4006381333931'] }, false],
  ['an empty list matches nothing', { asins: [] }, false],
])('%s', (_, filter, matches) => {
  expect(createWatchFilter(filter, now)(set)).toBe(matches)
})

test('an invalid code does not match a set without codes', () => {
  expect(createWatchFilter({ upcs: ['abc'] }, now)({ ...set, upc: null })).toBe(false)
})

test('splits identifiers at commas and ignores blanks', () => {
  expect(splitIdentifiers(' a, b,,c ,')).toEqual(['a', 'b', 'c'])
})
