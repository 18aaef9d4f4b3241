import type { Condition } from '../synthetic/types.ts'
import type { ItemInput, Valuation } from '@brickmark/core/market/valuation/estimate'
import {
  Appraiser,
  firstLessons,
  growthOf,
  lessonsOf,
  type Lessons,
  type Published,
  type SoldSet,
} from '@brickmark/core/market/valuation/model-fit'
import { valuePair } from '@brickmark/core/market/valuation/condition-pair'
import type { Prior } from '@brickmark/core/market/valuation/priors'
import { datesOn, seenBy, type BacktestMarket, type Pair } from './market.ts'

/** Everything known of one set on one day: what went into its values, and the values. */
export type Appraisal = {
  pair: Pair
  input: Record<Condition, ItemInput>
  usedRatio: Prior | null
  valuation: Record<Condition, Valuation>
}

export type Round = { day: number; appraiser: Appraiser; appraisals: Map<Pair, Appraisal> }

/** Values of all sets on each of some ascending days, each round knowing no more than what had arrived by its day. */
export function* appraise(market: BacktestMarket, days: readonly number[]): Generator<Round> {
  let before: Round | undefined
  let learnt: Lessons | undefined
  for (const day of days) {
    const pairs = market.pairs.filter((pair) => pair.sealed.path.firstDay <= day)
    const sold = pairs.map((pair) => soldPair(pair, day, market))
    const appraiser = new Appraiser(learnt ?? firstLessons(sold, day), growthOf(sold, day))
    const valued = sold.map((set, place) => {
      const earlier = before?.appraisals.get(pairs[place]!)?.valuation
      const previous = { sealed: publishedOf(earlier?.sealed), used: publishedOf(earlier?.used) }
      const input = appraiser.inputsOf(set, day, previous)
      const usedRatio = appraiser.usedRatioOf(set.facts)
      return { ...set, input, usedRatio, valuation: valuePair(input, usedRatio, appraiser.models) }
    })
    learnt = lessonsOf(valued, day)
    const appraisals = new Map(
      valued.map(({ input, usedRatio, valuation }, place) => {
        const pair = pairs[place]!
        return [pair, { pair, input, usedRatio, valuation }] as const
      }),
    )
    before = { day, appraiser, appraisals }
    yield before
  }
}

/** A set as it was known on a day. */
function soldPair(pair: Pair, day: number, market: BacktestMarket): SoldSet {
  const { theme, listCents } = pair.sealed
  return {
    facts: { theme, listCents, dates: datesOn(pair.sealed, day) },
    sales: { sealed: seenBy(pair.sealed.sales, day, market), used: seenBy(pair.used.sales, day, market) },
  }
}

/** A valuation as the next one sees it. */
export function publishedOf(valuation: Valuation | undefined): Published {
  if (valuation === undefined || valuation.valueCents === null) return null
  return { valueCents: valuation.valueCents, tier: valuation.tier }
}
