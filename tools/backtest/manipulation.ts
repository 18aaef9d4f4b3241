import { randomStream } from '../synthetic/random.ts'
import { anyBuyer, anySeller, washSales, type InventedSale } from '../synthetic/sales.ts'
import type { Condition } from '../synthetic/types.ts'
import type { Valuation } from '@brickmark/core/market/valuation/estimate'
import { valuePair } from '@brickmark/core/market/valuation/condition-pair'
import type { SaleObservation } from '@brickmark/core/market/valuation/usable-sales'
import { baselinesOf } from './baselines.ts'
import { publishedOf, type Appraisal, type Round } from './rounds.ts'
import { seenBy, type BacktestMarket, type Item } from './market.ts'

const WASH_SALES = 10
const FACTOR = 2
const LEAST_SALES = 3

/** An attack on the value of each item: how many sellers collude, over how many days before the origin. */
export type Attack = { sellers: number; days: number }

/** How far an attack moved one value, as a share of it. */
export type Shift = { sales: number; ours: number; median6: number }

/**
 * Ten fake sales at twice the true value, by sellers and to buyers of the market who trade elsewhere too. What was
 * published before the origin has seen its part of them.
 */
export function attackAll(market: BacktestMarket, before: Round, round: Round, attack: Attack, seed: number): Shift[] {
  return [...round.appraisals.values()].flatMap((appraisal) => {
    const earlier = before.appraisals.get(appraisal.pair)
    if (earlier === undefined) return []
    return (['sealed', 'used'] as const).flatMap((condition) => {
      const { sales } = baselinesOf(appraisal.input[condition].sales, round.day)
      if (sales < LEAST_SALES) return []
      const washed = inventAttack(appraisal.pair[condition], round.day, attack, seed)
      const attackedOn = ({ input }: Appraisal, day: number) => [
        ...input[condition].sales,
        ...seenBy(washed, day, market),
      ]
      const soFar = washed.some(({ day }) => day <= before.day)
        ? revalue(earlier, condition, attackedOn(earlier, before.day), before)
        : earlier.valuation[condition]
      const all = attackedOn(appraisal, round.day)
      const attacked = revalue(appraisal, condition, all, round, publishedOf(soFar))
      const plain = baselinesOf(appraisal.input[condition].sales, round.day)
      return [
        {
          sales,
          ours: Math.abs(attacked.valueCents! / appraisal.valuation[condition].valueCents! - 1),
          median6: Math.abs(Math.exp(baselinesOf(all, round.day).median6! - plain.median6!) - 1),
        },
      ]
    })
  })
}

function inventAttack(item: Item, day: number, { sellers, days }: Attack, seed: number): InventedSale[] {
  const random = randomStream(seed, `attack ${sellers} ${days} ${item.number} ${item.condition} ${day}`)
  const washed = washSales(
    random,
    { ...item, item: item.number },
    {
      days: Array.from({ length: WASH_SALES }, () => day - random.int(0, days - 1)),
      factor: FACTOR,
      sellers: Array.from({ length: sellers }, () => anySeller(random)),
      buyers: Array.from({ length: WASH_SALES }, () => anyBuyer(random)),
    },
  )
  return washed.map((sale) => ({ ...sale, arrivalDay: sale.day }))
}

function revalue(
  { input, usedRatio }: Appraisal,
  condition: Condition,
  sales: SaleObservation[],
  { appraiser }: Round,
  previous = input[condition].previous,
): Valuation {
  const attacked = { ...input, [condition]: { ...input[condition], sales, previous } }
  return valuePair(attacked, usedRatio, appraiser.models)[condition]
}
