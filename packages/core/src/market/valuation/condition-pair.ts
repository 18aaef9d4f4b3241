import type { Condition } from '../../catalog/condition.ts'
import { priorPosterior, quantile, standardDeviation, type Posterior } from './posterior.ts'
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

/** Newer sales are excluded from the ratio: they already enter the value directly and must not count twice. */
const RATIO_DAYS = 60
/** Standard deviation of the used/sealed ratio around its own long-run level. */
const RATIO_DRIFT_SD = 0.045
const MEDIAN_SD = 1.5
/** Sealed copies recorded as used, per used copy. Higher than the assumed rate (0.025): see `downweightMislabeled`. */
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
  const isSealedKnown = sealed.sales.length > 0 || input.sealed.prior !== null
  if (usedRatio === null || !isSealedKnown) {
    const used = downweightMislabeled(fitSales(input.used, models.used), sealed, input.used, models)
    return {
      sealed: concludeValuation(sealed, input.sealed, null, models.sealed),
      used: concludeValuation(used, input.used, null, models.used),
    }
  }
  // What sealed copies say about used ones replaces the prior of used copies.
  const usedInput = { ...input.used, prior: null }
  const used = downweightMislabeled(fitSales(usedInput, models.used), sealed, usedInput, models)
  const ratio = estimateUsedRatio(sealed, used, usedRatio, input.used.asOf, models)
  const fromUsed = used.sales.length === 0 ? null : shiftPosterior(used.posterior, -ratio.logValue, ratio.sd)
  const fromSealed = shiftPosterior(sealed.posterior, ratio.logValue, ratio.sd)
  return {
    sealed: concludeValuation(sealed, input.sealed, fromUsed, models.sealed),
    used: concludeValuation(recenter(used, fromSealed), usedInput, fromSealed, models.used),
  }
}

/** Without used sales, the grid of used values has no center yet. */
function recenter(usedFit: SalesFit, { logValue }: Prior): SalesFit {
  return usedFit.sales.length > 0 ? usedFit : { ...usedFit, posterior: priorPosterior(logValue, null) }
}

// A sealed copy recorded as used is too close to the used value to be rejected as an outlier, but its price matches
// sealed copies. Uncorrected, such mislabels bias used values by +0.79 %; with a rate of 0.025 by +0.53 %, with 0.06 by
// +0.28 % (seeds 1, 2, 5).
function downweightMislabeled(
  usedFit: SalesFit,
  sealedFit: SalesFit,
  input: EstimateInput,
  models: Record<Condition, PriceModel>,
): SalesFit {
  if (usedFit.sales.length === 0 || sealedFit.sales.length === 0) return usedFit
  const usedNow = quantile(usedFit.posterior, 0.5)
  const weights = usedFit.weights.map((weight, index) => {
    const sealedAtSale = valueOn(sealedFit, usedFit.sales[index]!.day)
    const price = usedFit.logPrices[index]!
    const asUsed = studentT4((price - usedNow) / models.used.scale) / models.used.scale
    const asSealed = studentT4((price - sealedAtSale) / models.sealed.scale) / models.sealed.scale
    return (weight * asUsed) / (asUsed + MISLABEL_RATE * asSealed)
  })
  return fitWithWeights(usedFit, weights, input, models.used)
}

/** Returns the log value as estimated on a day: after the last sale up to then, or after the first one. */
function valueOn({ sales, medians }: SalesFit, day: number): number {
  const last = sales.findLastIndex((sale) => sale.day <= day)
  return medians[Math.max(0, last)]!
}

function estimateUsedRatio(
  sealedFit: SalesFit,
  usedFit: SalesFit,
  typicalPrior: Prior,
  asOf: number,
  models: Record<Condition, PriceModel>,
): Prior {
  const own: number[] = []
  if (sealedFit.sales.length > 0)
    for (const [index, { day }] of usedFit.sales.entries())
      if (asOf - day >= RATIO_DAYS) own.push(usedFit.logPrices[index]! - valueOn(sealedFit, day))
  const ownWeight = own.length / (MEDIAN_SD * models.used.scale) ** 2
  const typicalWeight = 1 / typicalPrior.sd ** 2
  const sum = ownWeight * (own.length === 0 ? 0 : median(own)) + typicalWeight * typicalPrior.logValue
  return {
    logValue: sum / (ownWeight + typicalWeight),
    sd: Math.hypot(1 / Math.sqrt(ownWeight + typicalWeight), RATIO_DRIFT_SD),
  }
}

function shiftPosterior(posterior: Posterior, by: number, sd: number): Prior {
  return { logValue: quantile(posterior, 0.5) + by, sd: Math.hypot(standardDeviation(posterior), sd) }
}
