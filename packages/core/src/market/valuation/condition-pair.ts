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
/** Newer sales are excluded from the ratio: they already enter the value directly and must not count twice. */
const RATIO_DAYS = 60
/** Standard deviation of the used/sealed ratio around its own long-run level. */
const RATIO_DRIFT_SD = 0.045
const MEDIAN_SD = 1.5
/** Sealed copies recorded as used, per used copy. Higher than the assumed rate (0.025): see `downweightMislabelled`. */
const MISLABEL_RATE = 0.06

/**
 * Values one set sealed and used. Each condition informs the other as far as their ratio is known, from the set's own
 * older sales and from `usedRatio`, the typical log ratio of similar sets.
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

// A sealed copy recorded as used is too close to the used value to be rejected as an outlier, but its price matches
// sealed copies. Uncorrected, such mislabels bias used values by +0.79 %; with a rate of 0.025 by +0.53 %, with 0.06 by
// +0.28 % (seeds 1, 2, 5).
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
  const typicalWeight = 1 / typical.sd ** 2
  const sum = ownWeight * (own.length === 0 ? 0 : median(own)) + typicalWeight * typical.logValue
  return {
    logValue: sum / (ownWeight + typicalWeight),
    sd: Math.hypot(1 / Math.sqrt(ownWeight + typicalWeight), RATIO_DRIFT_SD),
  }
}

function shiftPosterior(posterior: Posterior, by: number, sd: number): Prior {
  return { logValue: quantile(posterior, 0.5) + by, sd: Math.hypot(standardDeviation(posterior), sd) }
}
