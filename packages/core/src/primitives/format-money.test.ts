import { expect, test } from 'vitest'
import { formatPercent, formatUsd, formatUsdCompact, signOf } from './format-money.ts'

test('formats cents as dollars, negative ones with a minus sign', () => {
  expect([0, 5, 123_450, -500].map(formatUsd)).toEqual(['$0.00', '$0.05', '$1,234.50', '\u2212$5.00'])
})

test('formats thousands compactly', () => {
  expect([99_900, 123_450, -2_000_000].map(formatUsdCompact)).toEqual(['$999', '$1.2K', '\u2212$20K'])
})

test('formats ratios as percentages with up to one decimal', () => {
  expect([0.125, 0.1234, -0.05, 12].map(formatPercent)).toEqual(['12.5%', '12.3%', '\u22125%', '1,200%'])
})

test('a change has a sign, no change has both', () => {
  expect([5, -5, 0].map(signOf)).toEqual(['+', '\u2212', '±'])
})
