import { describe, expect, test } from 'vitest'
import { normalizeForSearch, setNumberAliases, sortByNumber, createNumberSorter } from './set-number.ts'

const sorted = (numbers: string[]) => sortByNumber(numbers, (number) => number)

describe('set numbers', () => {
  test.each([
    ['90001', ['90001', '90001-1']],
    ['90001-1', ['90001-1', '90001']],
    ['90001-2', ['90001-2']],
    ['90001-10', ['90001-10']],
    ['90001-2b', ['90001-2b', '90001-2b-1']],
    ['promo', ['promo', 'promo-1']],
    ['comcon-x', ['comcon-x', 'comcon-x-1']],
  ])('%s has the aliases %j', (number, aliases) => {
    expect(setNumberAliases(number)).toEqual(aliases)
  })

  test('sorts numbers in natural order', () => {
    const numbers = ['90010-2', '9-1', '90010-1', '90009-1', '100000-1', '90010-10']
    expect(sorted(numbers)).toEqual(['9-1', '90009-1', '90010-1', '90010-2', '90010-10', '100000-1'])
  })

  test('the sort order is total: equal-looking numbers have a fixed order', () => {
    for (const pair of [
      ['01-1', '1-1'],
      ['A1', 'a1'],
      ['1', '1-1'],
    ]) {
      expect(sorted(pair)).toEqual(sorted(pair.toReversed()))
    }
  })
})

test('computes the sort key of each item once across repeated sorts', () => {
  const items = ['90010-1', '90009-1', '9-1'].map((number) => ({ number }))
  let calls = 0
  const sort = createNumberSorter<{ number: string }>(({ number }) => {
    calls++
    return number
  })
  const inOrder = [items[2], items[1], items[0]]
  expect([sort(items), sort(items.toReversed())]).toEqual([inOrder, inOrder])
  expect(calls).toBe(3)
})

test('normalizeForSearch removes case and accents', () => {
  expect(normalizeForSearch('Café ÉCLAIR')).toBe('cafe eclair')
})
