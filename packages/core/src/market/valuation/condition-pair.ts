import type { Condition } from '../../catalog/condition.ts'
import { applyPrior, quantile, standardDeviation, type Posterior } from './posterior.ts'
import {
  concludeValuation,
  fitSales,
  fitWithWeights,
  type EstimateInput,
  type PriceModel,
  type SalesFit,
  type Valuation,
} from './estimate.ts'
import { studentT4 } from './price-noise.ts'
import { median, type Prior } from './priors.ts'

const WEEK = 7
/** Younger sales speak for themselves and are left out of the ratio, lest they count twice. */
const RATIO_DAYS = 60
/** How far the ratio of the two conditions wanders around its own long-run level. */
const RATIO_DRIFT_SD = 0.045
const MEDIAN_SD = 1.5
/** How many sealed copies are recorded as used, for each used one. Higher than assumed (0.025): see `doubtSealed`. */
const MISLABEL_RATE = 0.06

/**
 * The values of one set sealed and used. Either leans on the other as far as the ratio of the two is known: from the
 * set's own older sales, and from `usedRatio`, the log ratio that is usual among such sets.
 */
export function estimatePair(
  input: Record<Condition, EstimateInput>,
  usedRatio: Prior | null,
  models: Record<Condition, PriceModel>,
): Record<Condition, Valuation> {
  const sealed = fitSales(input.sealed, models.sealed)
  const typical = usedRatio?.logValue ?? 0
  const initialUsed = fitSales(input.used, models.used, quantile(sealed.posterior, 0.5) + typical)
  const used = downweightMislabelled(initialUsed, sealed.posterior, input.used.asOf, models)
  const sealedPriors = input.sealed.prior === null ? [] : [input.sealed.prior]
  const usedPriors = input.used.prior === null ? [] : [input.used.prior]
  const sealedAlone = sealedPriors.reduce(applyPrior, sealed.posterior)
  const isSealedKnown = sealed.sales.length + sealedPriors.length > 0
  const ratio =
    usedRatio === null || !isSealedKnown
      ? null
      : estimateUsedRatio(sealed.posterior, used, usedRatio, input.used.asOf, models)
  if (ratio === null) {
    return {
      sealed: concludeValuation(sealed, input.sealed, sealedPriors, models.sealed),
      used: concludeValuation(used, input.used, usedPriors, models.used),
    }
  }
  const fromUsed = used.sales.length === 0 ? [] : [shiftPosterior(used.posterior, -ratio.logValue, ratio.sd)]
  return {
    sealed: concludeValuation(sealed, input.sealed, [...sealedPriors, ...fromUsed], models.sealed),
    used: concludeValuation(used, input.used, [shiftPosterior(sealedAlone, ratio.logValue, ratio.sd)], models.used),
  }
}

// A sealed copy recorded as used is too near the used value to be refused as odd, but it lies where sealed ones do. Left
// alone, such slips put used values 0.79 % too high; doubted at 0.025 0.53 %, at 0.06 0.28 % (seeds 1, 2, 5).
function downweightMislabelled(
  used: SalesFit,
  sealed: Posterior,
  asOf: number,
  models: Record<Condition, PriceModel>,
): SalesFit {
  const usedNow = quantile(used.posterior, 0.5)
  const weights = used.weights.map((weight, index) => {
    const sealedAtSale = sealed.weeklyMedians[Math.floor((asOf - used.sales[index]!.day) / WEEK)]
    if (sealedAtSale === undefined) return weight
    const price = used.logPrices[index]!
    const asUsed = studentT4((price - usedNow) / models.used.scale) / models.used.scale
    const asSealed = studentT4((price - sealedAtSale) / models.sealed.scale) / models.sealed.scale
    return (weight * asUsed) / (asUsed + MISLABEL_RATE * asSealed)
  })
  return fitWithWeights(used, weights, asOf, models.used)
}

function estimateUsedRatio(
  sealed: Posterior,
  used: SalesFit,
  typical: Prior,
  asOf: number,
  models: Record<Condition, PriceModel>,
): Prior {
  const own: number[] = []
  for (const [index, { day }] of used.sales.entries()) {
    const sealedAtSale = sealed.weeklyMedians[Math.floor((asOf - day) / WEEK)]
    if (sealedAtSale !== undefined && asOf - day >= RATIO_DAYS) own.push(used.logPrices[index]! - sealedAtSale)
  }
  const ownWeight = own.length / (MEDIAN_SD * models.used.scale) ** 2
  const usualWeight = 1 / typical.sd ** 2
  const sum = ownWeight * (own.length === 0 ? 0 : median(own)) + usualWeight * typical.logValue
  return {
    logValue: sum / (ownWeight + usualWeight),
    sd: Math.hypot(1 / Math.sqrt(ownWeight + usualWeight), RATIO_DRIFT_SD),
  }
}

function shiftPosterior(belief: Posterior, by: number, sd: number): Prior {
  return { logValue: quantile(belief, 0.5) + by, sd: Math.hypot(standardDeviation(belief), sd) }
}
