import { expect, test } from 'vitest'
import { backtest } from './backtest.ts'
import { priceScatter } from './jump-limit.ts'
import { generateBacktestMarket } from './market.ts'

test('measures every goal on a small market, and the limits of jumps and bias', { timeout: 180_000 }, () => {
  const { goals, jumps, conditions } = backtest(1, { market: 'sparse', sets: 12, origins: 1 })

  expect(goals.filter(({ value }) => Number.isNaN(value))).toEqual([])
  expect(jumps).toHaveLength(6)
  for (const { limit } of jumps) expect(limit).toBeGreaterThan(0)
  for (const { worstBias } of conditions) expect(worstBias.byChance).toBeGreaterThan(0)
})

test('ignores fakes dated after the simulation when it measures how prices scatter', () => {
  const market = generateBacktestMarket(1, 12, 'base')
  const before = priceScatter(market)
  const { sales, path } = market.pairs[0]!.sealed
  sales.push({ ...sales[0]!, day: path.firstDay + path.sealed.length })

  expect(priceScatter(market)).toEqual(before)
})
