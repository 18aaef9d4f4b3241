import { describe, expect, test } from 'vitest'
import {
  toRowIdentity,
  createSetMatcher,
  collectLookupKeys,
  type RowIdentity,
  type MatchableSet,
} from './set-matcher.ts'

const set = (set_number: string, title: string, codes: Partial<MatchableSet> = {}): MatchableSet => ({
  set_number,
  title,
  upc: null,
  ean: null,
  msrp_cents: null,
  release_date: null,
  ...codes,
})
const MAPPING = { number: 0, variant: 1, barcode: 2, title: 3 }

describe('toRowIdentity', () => {
  test.each([
    ['90001', '', '90001'],
    ["'90001 ", '', '90001'],
    ['#90001', '', '90001'],
    ['GWP#7', '', 'GWP#7'],
    ['90001', '2', '90001-2'],
    ['90001', ' 12 ', '90001-12'],
    ['90001', 'second', '90001'],
    ['90001', '2b', '90001'],
    ['90001', 'b2', '90001'],
    ['90001-1', '2', '90001-1'],
    ['90001-12', '2', '90001-12'],
    ['12-A', '2', '12-A-2'],
    ['A-1B', '2', 'A-1B-2'],
    ['', '2', ''],
  ])('number %j with variant %j is %j', (number, variant, expected) => {
    expect(toRowIdentity([number, variant], MAPPING).number).toBe(expected)
  })

  test('missing columns and missing trailing cells are empty', () => {
    expect(toRowIdentity(['x'], {})).toEqual({ number: '', barcode: '', title: '' })
    expect(toRowIdentity([], MAPPING)).toEqual({ number: '', barcode: '', title: '' })
    expect(toRowIdentity(['', '', ' 673419000017', ' Gift '], MAPPING)).toEqual({
      number: '',
      barcode: '0673419000017',
      title: 'Gift',
    })
  })

  test('collectLookupKeys lowercases numbers, removes variants and omits empty values', () => {
    const rows = ['GWP7-1', ''].map((number, index) => ({ row: index + 2, cells: [number] }))
    expect(collectLookupKeys({ header: [], rows }, MAPPING)).toEqual({ bases: ['gwp7'], barcodes: [], titles: [] })
  })
})

describe('createSetMatcher', () => {
  const tower = set('GWP7', 'Tower', { ean: '5702019000013' })
  const first = set('90010-1', 'Mystery')
  const second = set('90010-2', 'Mystery')
  const [bare, variant] = [set('90030', 'Bare'), set('90030-2', 'Its variant')]
  const match = createSetMatcher([tower, first, second, bare, variant])
  const which = (identity: Partial<RowIdentity>) => match({ number: '', barcode: '', title: '', ...identity })

  test.each(['GWP7', 'gwp7', 'Gwp7'])('finds %s case-insensitively', (number) => {
    expect(which({ number })).toEqual({ kind: 'found', set: tower })
  })

  test('a number with a variant is exact; without, it is a choice even if the bare number exists', () => {
    expect(which({ number: '90010-2' })).toEqual({ kind: 'found', set: second })
    expect(which({ number: '90010' })).toEqual({ kind: 'choice', candidates: [first, second] })
    expect(which({ number: '90030' })).toEqual({ kind: 'choice', candidates: [bare, variant] })
    expect(which({ number: '90030-2' })).toEqual({ kind: 'found', set: variant })
  })

  test('an unknown variant does not match other variants', () => {
    expect(which({ number: '90010-3' })).toEqual({ kind: 'none', reason: 'Set 90010-3 not found' })
    expect(which({ number: '90010-12' })).toEqual({ kind: 'none', reason: 'Set 90010-12 not found' })
  })

  test('a suffix with letters matches all variants', () => {
    expect(which({ number: '90010-1x' })).toEqual({ kind: 'choice', candidates: [first, second] })
  })

  test('finds a set by barcode', () => {
    expect(which({ barcode: '5702019000013' })).toEqual({ kind: 'found', set: tower })
  })

  test('an empty row never matches, not even a set with an empty number and title', () => {
    const nameless = createSetMatcher([set('', ''), tower])
    expect(nameless({ number: '', barcode: '', title: '' })).toEqual({
      kind: 'none',
      reason: 'No set number, barcode or title',
    })
  })
})
