import { expect, test } from 'vitest'
import { hasRetailRow, splitIdentifiers, createWatchFilter, type WatchedSet, type WatchFilter } from './retail-watch.ts'

const now = new Date('2026-06-27T12:00:00Z')
const set: WatchedSet = {
  asin: 'B0ABCD1234',
  upc: '036000291452',
  ean: null,
  changedAt: [null, new Date('2026-06-27T11:00:00Z')],
}

test.each<[story: string, filter: WatchFilter, wanted: boolean]>([
  ['nothing asked', {}, true],
  ['changed an hour ago, asked for an hour', { changedWithin: '60m' }, true],
  ['asked for less', { changedWithin: '59m' }, false],
  ['the later cutoff counts', { changedWithin: '7d', since: new Date('2026-06-27T11:00:01Z') }, false],
  ['an ASIN in lower case, among others', { asins: ['x', 'b0abcd1234'] }, true],
  ['a UPC as EAN', { upcs: ['0036000291452'] }, true],
  ['both must hold', { asins: ['B0ABCD1234'], upcs: ['4006381333931'] }, false],
  ['an empty list is a list that nothing is on', { asins: [] }, false],
])('%s', (_, filter, wanted) => {
  expect(createWatchFilter(filter, now)(set)).toBe(wanted)
})

test('a code that is none matches no set without a code', () => {
  expect(createWatchFilter({ upcs: ['abc'] }, now)({ ...set, upc: null })).toBe(false)
})

test('identifiers are separated by commas, blanks do not count', () => {
  expect(splitIdentifiers(' a, b,,c ,')).toEqual(['a', 'b', 'c'])
})

test('a row needs an ASIN, a UPC and a retailer', () => {
  expect(hasRetailRow(set, 1)).toBe(true)
  expect(hasRetailRow(set, 0)).toBe(false)
  expect(hasRetailRow({ ...set, asin: null }, 2)).toBe(false)
  expect(hasRetailRow({ ...set, upc: null }, 2)).toBe(false)
})
