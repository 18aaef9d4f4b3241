import { quantile } from '../support/quantile.ts'

export { quantile }

/** Median; the upper of the two middle values if the count is even. */
export function median(values: number[]): number {
  return quantile(values, 0.5)
}

/** Median of the per-round ratios, so that a temporary slowdown of the machine affects both sides of a ratio. */
export function medianRatio(over: number[], under: number[]): number {
  return median(over.map((value, round) => value / under[round]!))
}

/** Rounds to three decimals. */
export function round3(value: number): number {
  return Math.round(value * 1000) / 1000
}
