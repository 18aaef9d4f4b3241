import { expect, test } from 'vitest'
import { parseTarget, targetState } from './watched-item.ts'

test.each([
  [1000, 1000, 'met'],
  [999, 1000, 'met'],
  [1001, 1000, 'close'],
  [1100, 1000, 'close'],
  [1101, 1000, 'waiting'],
  [1000, null, 'none'],
  [null, 1000, 'unavailable'],
  [null, null, 'unavailable'],
] as const)('a price of %s with a target of %s is %s', (price, target, state) => {
  expect(targetState(price, target)).toBe(state)
})

test.each([
  ['', null],
  ['  ', null],
  ['12.50', 1250],
  [' $12', 1200],
  ['0', undefined],
  ['-1', undefined],
  ['cheap', undefined],
] as const)('reads the target %j as %s', (text, target) => {
  expect(parseTarget(text)).toBe(target)
})
