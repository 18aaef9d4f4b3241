import { quantile } from '@brickmark/tests/support/quantile'

export { quantile }

/** The middle one, or the greater of the two in the middle. */
export function median(values: number[]): number {
  return quantile(values, 0.5)
}

/** Round by round, so that what slows the machine for a while slows both. */
export function medianRatio(over: number[], under: number[]): number {
  return median(over.map((value, round) => value / under[round]!))
}

/** To three places after the point. */
export function round3(value: number): number {
  return Math.round(value * 1000) / 1000
}
