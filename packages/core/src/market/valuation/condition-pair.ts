import type { Condition } from '../../catalog/condition.ts'
import { combine, quantile, spreadOf, type Belief } from './posterior.ts'
import { conclude, study, weigh, type ItemInput, type PriceModel, type Study, type Valuation } from './estimate.ts'
import { t4 } from './price-noise.ts'
import { median, type Prior } from './priors.ts'

const WEEK = 7
/** Younger sales speak for themselves and are left out of the ratio, lest they count twice. */
const RATIO_DAYS = 60
/** How far the ratio of the two conditions wanders around its own long-run level. */
const RATIO_WANDER = 0.045
const MEDIAN_SD = 1.5
/** How many sealed copies are recorded as used, for each used one. Higher than assumed (0.025): see `doubtSealed`. */
const WRONG_CONDITION = 0.06

/**
 * The values of one set sealed and used. Either leans on the other as far as the ratio of the two is known: from the
 * set's own older sales, and from `usedRatio`, the log ratio that is usual among such sets.
 */
export function valuePair(
  input: Record<Condition, ItemInput>,
  usedRatio: Prior | null,
  models: Record<Condition, PriceModel>,
): Record<Condition, Valuation> {
  const sealed = study(input.sealed, models.sealed)
  const usual = usedRatio?.logValue ?? 0
  const usedAtFirst = study(input.used, models.used, quantile(sealed.belief, 0.5) + usual)
  const used = doubtSealed(usedAtFirst, sealed.belief, input.used.asOf, models)
  const sealedPriors = input.sealed.prior === null ? [] : [input.sealed.prior]
  const usedPriors = input.used.prior === null ? [] : [input.used.prior]
  const sealedAlone = sealedPriors.reduce(combine, sealed.belief)
  const isSealedKnown = sealed.sales.length + sealedPriors.length > 0
  const ratio =
    usedRatio === null || !isSealedKnown ? null : ratioOf(sealed.belief, used, usedRatio, input.used.asOf, models)
  if (ratio === null) {
    return {
      sealed: conclude(sealed, input.sealed, sealedPriors, models.sealed),
      used: conclude(used, input.used, usedPriors, models.used),
    }
  }
  const fromUsed = used.sales.length === 0 ? [] : [shifted(used.belief, -ratio.logValue, ratio.sd)]
  return {
    sealed: conclude(sealed, input.sealed, [...sealedPriors, ...fromUsed], models.sealed),
    used: conclude(used, input.used, [shifted(sealedAlone, ratio.logValue, ratio.sd)], models.used),
  }
}

// A sealed copy recorded as used is too near the used value to be refused as odd, but it lies where sealed ones do. Left
// alone, such slips put used values 0.79 % too high; doubted at 0.025 0.53 %, at 0.06 0.28 % (seeds 1, 2, 5).
function doubtSealed(used: Study, sealed: Belief, asOf: number, models: Record<Condition, PriceModel>): Study {
  const usedNow = quantile(used.belief, 0.5)
  const weights = used.weights.map((weight, place) => {
    const sealedThen = sealed.track[Math.floor((asOf - used.sales[place]!.day) / WEEK)]
    if (sealedThen === undefined) return weight
    const price = used.logPrices[place]!
    const asUsed = t4((price - usedNow) / models.used.scale) / models.used.scale
    const asSealed = t4((price - sealedThen) / models.sealed.scale) / models.sealed.scale
    return (weight * asUsed) / (asUsed + WRONG_CONDITION * asSealed)
  })
  return weigh(used, weights, asOf, models.used)
}

function ratioOf(
  sealed: Belief,
  used: Study,
  usual: Prior,
  asOf: number,
  models: Record<Condition, PriceModel>,
): Prior {
  const own: number[] = []
  for (const [place, { day }] of used.sales.entries()) {
    const sealedThen = sealed.track[Math.floor((asOf - day) / WEEK)]
    if (sealedThen !== undefined && asOf - day >= RATIO_DAYS) own.push(used.logPrices[place]! - sealedThen)
  }
  const ownWeight = own.length / (MEDIAN_SD * models.used.scale) ** 2
  const usualWeight = 1 / usual.sd ** 2
  const sum = ownWeight * (own.length === 0 ? 0 : median(own)) + usualWeight * usual.logValue
  return {
    logValue: sum / (ownWeight + usualWeight),
    sd: Math.hypot(1 / Math.sqrt(ownWeight + usualWeight), RATIO_WANDER),
  }
}

function shifted(belief: Belief, by: number, sd: number): Prior {
  return { logValue: quantile(belief, 0.5) + by, sd: Math.hypot(spreadOf(belief), sd) }
}
