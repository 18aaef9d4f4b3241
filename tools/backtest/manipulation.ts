import { randomStream } from '../synthetic/random.ts'
import type { MarketShape } from '../synthetic/market-shape.ts'
import { randomBuyer, randomSeller, washSales, withKnownParties, type SyntheticSale } from '../synthetic/sales.ts'
import type { Condition } from '../synthetic/types.ts'
import type { Valuation } from '@brickmark/core/market/valuation/estimate'
import { estimatePair } from '@brickmark/core/market/valuation/condition-pair'
import type { MarketSale } from '@brickmark/core/market/valuation/usable-sales'
import { computeBaselines } from './baselines.ts'
import type { SetValuation, Round } from './rounds.ts'
import { observationsAsOf, type BacktestMarket, type Item } from './market.ts'

const WASH_SALES = 10
const FACTOR = 2
const MIN_SALES = 3

/** An attack on each item's value: the number of colluding sellers and its length in days before the origin. */
export type Attack = { sellers: number; days: number }

/** Relative change of one value caused by an attack. */
export type Shift = { sales: number; ours: number; median6: number }

/** Simulates ten fake sales at twice the true value between established sellers and buyers, and measures the shift. */
export function simulateAttacks(market: BacktestMarket, round: Round, attack: Attack, seed: number): Shift[] {
  return round.valuations.flatMap((current) =>
    (['sealed', 'used'] as const).flatMap((condition) => {
      const plain = computeBaselines(current.input[condition].sales, round.day)
      const isNew = current.pair[condition].path.firstDay > round.day - attack.days
      if (plain.sales < MIN_SALES || isNew) return []
      const fakes = generateAttack(current.pair[condition], round.day, attack, seed, market.shape)
      const all = [...current.input[condition].sales, ...observationsAsOf(fakes, round.day, market)]
      const attacked = revalue(current, condition, all, round)
      return [
        {
          sales: plain.sales,
          ours: Math.abs(attacked.valueCents! / current.valuation[condition].valueCents! - 1),
          median6: Math.abs(Math.exp(computeBaselines(all, round.day).median6! - plain.median6!) - 1),
        },
      ]
    }),
  )
}

function generateAttack(
  item: Item,
  day: number,
  { sellers, days }: Attack,
  seed: number,
  shape: MarketShape,
): SyntheticSale[] {
  const random = randomStream(seed, `attack ${sellers} ${days} ${item.number} ${item.condition} ${day}`)
  const washSalesRows = washSales(
    random,
    { ...item, item: item.number },
    {
      days: Array.from({ length: WASH_SALES }, () => day - random.int(0, days - 1)),
      factor: FACTOR,
      sellers: Array.from({ length: sellers }, () => randomSeller(random)),
      buyers: Array.from({ length: WASH_SALES }, () => randomBuyer(random)),
    },
  )
  return washSalesRows.map((sale) => withKnownParties({ ...sale, arrivalDay: sale.day }, shape))
}

function revalue(
  { input, usedRatio }: SetValuation,
  condition: Condition,
  sales: MarketSale[],
  { valuer }: Round,
): Valuation {
  const attacked = { ...input, [condition]: { ...input[condition], sales } }
  return estimatePair(attacked, usedRatio, valuer.models)[condition]
}
