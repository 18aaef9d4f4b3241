import type { Condition } from '../synthetic/types.ts'
import type { EstimateInput, Valuation } from '@brickmark/core/market/valuation/estimate'
import {
  SetValuer,
  initialFit,
  fitGrowthFromSets,
  fitModel,
  type ModelFit,
  type PreviousValue,
  type SetWithSales,
} from '@brickmark/core/market/valuation/model-fit'
import { estimatePair } from '@brickmark/core/market/valuation/condition-pair'
import type { Prior } from '@brickmark/core/market/valuation/priors'
import { datesKnownOn, observationsAsOf, type BacktestMarket, type Pair } from './market.ts'

/** The valuation of one set on one day, with its inputs. */
export type SetValuation = {
  pair: Pair
  input: Record<Condition, EstimateInput>
  usedRatio: Prior | null
  valuation: Record<Condition, Valuation>
}

export type Round = { day: number; valuer: SetValuer; valuations: Map<Pair, SetValuation> }

/** Values all sets on each of the (ascending) days, using only the data that had arrived by that day. */
export function* valueRounds(market: BacktestMarket, days: readonly number[]): Generator<Round> {
  let before: Round | undefined
  let fit: ModelFit | undefined
  for (const day of days) {
    const pairs = market.pairs.filter((pair) => pair.sealed.path.firstDay <= day)
    const sold = pairs.map((pair) => toSetWithSales(pair, day, market))
    const valuer = new SetValuer(fit ?? initialFit(sold, day), fitGrowthFromSets(sold, day))
    const valued = sold.map((set, index) => {
      const earlier = before?.valuations.get(pairs[index]!)?.valuation
      const previous = { sealed: toPreviousValue(earlier?.sealed), used: toPreviousValue(earlier?.used) }
      const input = valuer.inputsOf(set, day, previous)
      const usedRatio = valuer.typicalUsedRatio(set.attributes)
      return { ...set, input, usedRatio, valuation: estimatePair(input, usedRatio, valuer.models) }
    })
    fit = fitModel(valued, day)
    const valuations = new Map(
      valued.map(({ input, usedRatio, valuation }, index) => {
        const pair = pairs[index]!
        return [pair, { pair, input, usedRatio, valuation }] as const
      }),
    )
    before = { day, valuer, valuations }
    yield before
  }
}

/** Returns a set as known on a day. */
function toSetWithSales(pair: Pair, day: number, market: BacktestMarket): SetWithSales {
  const { theme, listCents } = pair.sealed
  return {
    attributes: { theme, listCents, dates: datesKnownOn(pair.sealed, day) },
    sales: {
      sealed: observationsAsOf(pair.sealed.sales, day, market),
      used: observationsAsOf(pair.used.sales, day, market),
    },
  }
}

/** Converts a valuation to the previous value of the next round. */
export function toPreviousValue(valuation: Valuation | undefined): PreviousValue {
  if (valuation === undefined || valuation.valueCents === null) return null
  return { valueCents: valuation.valueCents, tier: valuation.tier }
}
