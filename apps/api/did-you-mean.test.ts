import { expect, test } from 'vitest'
import { closestMatch } from './did-you-mean.ts'

const PARAMETERS = ['brickfolio_id', 'limit', 'offset', 'q', 'set', 'changed_within']

test.each([
  ['limits', 'limit'],
  ['Limit', 'limit'],
  ['limti', 'limit'],
  ['ofset', 'offset'],
  ['brickfolioId', 'brickfolio_id'],
  ['brickfolio-id', 'brickfolio_id'],
  ['changedwithin', 'changed_within'],
  ['change_within', 'changed_within'],
  ['sets', 'set'],
  ['Q', 'q'],
])('matches %s to %s', (typed, suggestion) => {
  expect(closestMatch(typed, PARAMETERS)).toBe(suggestion)
})

test.each(['bogus', 'x', '', 'page', 'on', 'limit'.repeat(20)])('%j has no close match', (typed) => {
  expect(closestMatch(typed, PARAMETERS)).toBeUndefined()
})

test('returns the first of equally close words', () => {
  expect(closestMatch('sett', ['sets', 'set'])).toBe('sets')
})
