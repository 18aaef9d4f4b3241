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
])('%s was probably meant to be %s', (typed, meant) => {
  expect(closestMatch(typed, PARAMETERS)).toBe(meant)
})

test.each(['bogus', 'x', '', 'page', 'on', 'limit'.repeat(20)])('%j is near to nothing', (typed) => {
  expect(closestMatch(typed, PARAMETERS)).toBeUndefined()
})

test('the nearest wins, and the first of equals', () => {
  expect(closestMatch('sett', ['sets', 'set'])).toBe('sets')
})
