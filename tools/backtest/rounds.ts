import type { Condition } from '../synthetic/types.ts'
import type { EstimateInput, Valuation } from '@brickmark/core/market/valuation/estimate'
import { estimatePair } from '@brickmark/core/market/valuation/condition-pair'
import {
  fitSets,
  sampleMarket,
  SetValuer,
  type ModelFit,
  type SetWithSales,
} from '@brickmark/core/market/valuation/model-fit'
import type { Prior } from '@brickmark/core/market/valuation/priors'
import { attributesKnownOn, observationsAsOf, type BacktestMarket, type Pair } from './market.ts'

/** The valuation of one set on one day, with its inputs. */
export type SetValuation = {
  pair: Pair
  input: Record<Condition, EstimateInput>
  usedRatio: Prior | null
  valuation: Record<Condition, Valuation>
}

/** The values of a day, and the model they were computed with. */
export type Round = { day: number; valuer: SetValuer; valuations: SetValuation[] }

/**
 * Fits the model at the end of each of the months as the worker does, and yields the values on a later day of the month after.
 * Only the data that had arrived by then is used.
 */
export function* valueRounds(
  market: BacktestMarket,
  monthEnds: readonly number[],
  daysLater: number,
): Generator<Round> {
  let fit: ModelFit | undefined
  for (const monthEnd of monthEnds) {
    fit = fitSets(
      pairsOn(market, monthEnd).map((pair) => toSetWithSales(pair, monthEnd, market)),
      monthEnd,
      fit,
    )
    yield valueOn(market, monthEnd + daysLater, fit)
  }
}

function valueOn(market: BacktestMarket, day: number, fit: ModelFit): Round {
  const sold = pairsOn(market, day).map((pair) => ({ pair, set: toSetWithSales(pair, day, market) }))
  const sample = sampleMarket(
    sold.map(({ set }) => set),
    day,
  )
  const valuer = new SetValuer(fit, sample.fitGrowth())
  const valuations = sold.map(({ pair, set }) => {
    const input = valuer.inputsOf(set, day)
    const usedRatio = valuer.typicalUsedRatio(set.attributes)
    return { pair, input, usedRatio, valuation: estimatePair(input, usedRatio, valuer.models) }
  })
  return { day, valuer, valuations }
}

function pairsOn({ pairs }: BacktestMarket, day: number): Pair[] {
  return pairs.filter((pair) => pair.sealed.path.firstDay <= day)
}

/** Returns a set as known on a day. */
function toSetWithSales(pair: Pair, day: number, market: BacktestMarket): SetWithSales {
  return {
    attributes: attributesKnownOn(pair.sealed, day),
    sales: {
      sealed: observationsAsOf(pair.sealed.sales, day, market),
      used: observationsAsOf(pair.used.sales, day, market),
    },
  }
}
