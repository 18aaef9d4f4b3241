import type { Condition } from '../synthetic/types.ts'
import type { EstimateInput, PublishedValue, Valuation } from '@brickmark/core/market/valuation/estimate'
import {
  SetValuer,
  fitModel,
  sampleMarket,
  type ModelFit,
  type SetWithSales,
} from '@brickmark/core/market/valuation/model-fit'
import { estimatePair } from '@brickmark/core/market/valuation/condition-pair'
import type { Prior } from '@brickmark/core/market/valuation/priors'
import { attributesKnownOn, observationsAsOf, type BacktestMarket, type Pair } from './market.ts'

/** The valuation of one set on one day, with its inputs. */
export type SetValuation = {
  pair: Pair
  input: Record<Condition, EstimateInput>
  usedRatio: Prior | null
  valuation: Record<Condition, Valuation>
}

/** The values of a month, and what was fitted to them. */
export type Round = {
  day: number
  valuer: SetValuer
  valuations: Map<Pair, SetValuation>
  fit: ModelFit
  /** The rounds before it, newest first. */
  earlier: readonly Round[]
}

/** Values all sets on each of the (ascending) days, using only the data that had arrived by that day. */
export function* valueRounds(market: BacktestMarket, days: readonly number[]): Generator<Round> {
  let earlier: Round[] = []
  let fit: ModelFit | undefined
  for (const day of days) {
    const pairs = market.pairs.filter((pair) => pair.sealed.path.firstDay <= day)
    const sold = pairs.map((pair) => toSetWithSales(pair, day, market))
    const sample = sampleMarket(sold, day)
    const valuer = new SetValuer(fit ?? sample.fitInitialModel(), sample.fitGrowth())
    const valued = sold.map((set, index) => {
      const input = valuer.inputsOf(set, day, previousValues(earlier, pairs[index]!, day))
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
    const round = { day, valuer, valuations, fit, earlier }
    earlier = [round, ...earlier].slice(0, MONTHS_KEPT)
    yield round
  }
}

/** Values all sets on a later day, as the worker does: with the fit and the values of the last month, and new growth. */
export function valueLive(market: BacktestMarket, round: Round, day: number): SetValuation[] {
  const { valuations, fit, earlier } = round
  const sold = Array.from(valuations.keys(), (pair) => toSetWithSales(pair, day, market))
  const valuer = new SetValuer(fit, sampleMarket(sold, day).fitGrowth())
  return Array.from(valuations.values(), ({ pair }, index) => {
    const set = sold[index]!
    const input = valuer.inputsOf(set, day, previousValues([round, ...earlier], pair, day))
    const usedRatio = valuer.typicalUsedRatio(set.attributes)
    return { pair, input, usedRatio, valuation: estimatePair(input, usedRatio, valuer.models) }
  })
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

/** The worker compares a value with those of the last finalized month, and of two and five months earlier. */
const COMPARED_ROUNDS = [5, 2, 0]
const MONTHS_KEPT = 6

/** Returns the earlier values of a set that the worker would compare with on a day. `rounds` are newest first. */
function previousValues(
  rounds: readonly Round[],
  pair: Pair,
  day: number,
): Record<Condition, EstimateInput['previous']> {
  const valuesOf = (condition: Condition) =>
    COMPARED_ROUNDS.flatMap((index) => {
      const round = rounds[index]
      return round === undefined ? [] : toPublished(round.valuations.get(pair)?.valuation[condition], day - round.day)
    })
  return { sealed: valuesOf('sealed'), used: valuesOf('used') }
}

/** Converts a valuation to an earlier value; an empty list if there was none. */
export function toPublished(valuation: Valuation | undefined, daysAgo: number): PublishedValue[] {
  if (valuation === undefined || valuation.valueCents === null) return []
  return [{ valueCents: valuation.valueCents, tier: valuation.tier, daysAgo }]
}
