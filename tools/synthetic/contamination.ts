import type { Random } from './random.ts'
import type { Condition } from './types.ts'

/** The true nature of a sale. Visible to tests and backtests, never to the estimator. */
export type SaleLabel =
  | 'genuine'
  | 'wrong_condition'
  | 'hidden_lot'
  | 'parts_only'
  | 'decimal_slip'
  | 'wash'
  | 'repeated'
  | 'declared'

/** Why the source marks a sale as not comparable. */
export type SaleFlag = 'lot' | 'parts_only' | 'unknown_offer'

type TrueLogValues = Record<Condition, number>
type SampledPrice = { logPrice: number; label: SaleLabel; flag: SaleFlag | null }

const SHARES = {
  wrongCondition: 0.025,
  hiddenLot: 0.015,
  partsOnly: 0.01,
  decimalSlip: 0.003,
  flagged: 0.03,
}

/**
 * Samples the recorded price of a sale: usually the true value with noise, sometimes contaminated. `noiseOf` samples the
 * noise of each condition.
 */
export function samplePrice(
  random: Random,
  trueLogValues: TrueLogValues,
  condition: Condition,
  noiseOf: Record<Condition, () => number>,
): SampledPrice {
  const logPrice = trueLogValues[condition] + noiseOf[condition]()
  let share = random.uniform()
  if ((share -= SHARES.wrongCondition) < 0) return wrongCondition(trueLogValues, condition, noiseOf)
  if ((share -= SHARES.hiddenLot) < 0) return labeled(logPrice + lotFactor(random), 'hidden_lot')
  if ((share -= SHARES.partsOnly) < 0) return labeled(logPrice + partsFactor(random), 'parts_only')
  if ((share -= SHARES.decimalSlip) < 0) return labeled(logPrice + decimalSlipFactor(random), 'decimal_slip')
  if ((share -= SHARES.flagged) < 0) return flagged(random, logPrice)
  return labeled(logPrice, 'genuine')
}

function labeled(logPrice: number, label: SaleLabel): SampledPrice {
  return { logPrice, label, flag: null }
}

function wrongCondition(
  trueLogValues: TrueLogValues,
  condition: Condition,
  noiseOf: Record<Condition, () => number>,
): SampledPrice {
  const other = condition === 'sealed' ? 'used' : 'sealed'
  return labeled(trueLogValues[other] + noiseOf[other](), 'wrong_condition')
}

function flagged(random: Random, logPrice: number): SampledPrice {
  const flag = random.pick(['lot', 'parts_only', 'unknown_offer'] as const)
  const shift = { lot: lotFactor, parts_only: partsFactor, unknown_offer: offerFactor }[flag](random)
  return { logPrice: logPrice + shift, label: 'declared', flag }
}

// Several copies recorded as one sale, with a small bulk discount.
function lotFactor(random: Random): number {
  return Math.log(random.pick([2, 2, 2, 3, 3, 4, 5])) + random.normal(-0.05, 0.04)
}

function partsFactor(random: Random): number {
  return Math.log(0.15 + 0.45 * random.uniform())
}

// The source reports the asking price instead of the lower accepted offer.
function offerFactor(random: Random): number {
  return Math.log(1.03 + 0.25 * random.uniform())
}

function decimalSlipFactor(random: Random): number {
  return random.pick([Math.log(10), -Math.log(10), Math.log(100), -Math.log(100)])
}
