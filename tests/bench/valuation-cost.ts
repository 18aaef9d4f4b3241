import { estimatePair } from '@brickmark/core/market/valuation/condition-pair'
import type { EstimateInput } from '@brickmark/core/market/valuation/estimate'
import { latestSales, MAX_SALES } from '@brickmark/core/market/valuation/usable-sales'
import { lastDayOfMonth, monthIndex } from '@brickmark/core/primitives/calendar'
import { generateBacktestMarket } from '@brickmark/tools/backtest/market'
import { valueRounds } from '@brickmark/tools/backtest/rounds'
import { median, round3 } from './statistics.ts'

const SETS = 300
const ROUNDS = 7

/**
 * Returns the CPU time of valuing a set, in ms: the engine alone, without the database, for sets of a synthetic market with as
 * many sales in each condition as are used at most.
 */
export function measureValuationCost(): number {
  const day = lastDayOfMonth(monthIndex('2026-12'))
  const [round] = [...valueRounds(generateBacktestMarket(1, SETS, 'base'), [day], 0)]
  const { valuer, valuations } = round!
  // The worker reads only the newest sales of a set.
  const newest = (input: EstimateInput) => ({ ...input, sales: latestSales(input.sales, day) })
  const wellSold = valuations
    .map(({ input, usedRatio }) => ({
      input: { sealed: newest(input.sealed), used: newest(input.used) },
      usedRatio,
    }))
    .filter(({ input }) => [input.sealed, input.used].every(({ sales }) => sales.length === MAX_SALES))
  const rounds: number[] = []
  // The first one is a warm-up.
  for (let count = 0; count <= ROUNDS; count++) {
    const before = process.cpuUsage()
    for (const { input, usedRatio } of wellSold) estimatePair(input, usedRatio, valuer.models)
    const { user, system } = process.cpuUsage(before)
    if (count > 0) rounds.push((user + system) / 1000 / wellSold.length)
  }
  return round3(median(rounds))
}
