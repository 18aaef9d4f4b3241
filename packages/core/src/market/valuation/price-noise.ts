/** Odds of a sale's log price being genuine rather than an outlier, and their logs, tabulated by distance up to `cutoff`. */
export type NoiseTable = { odds: Float64Array; logOdds: Float64Array; cutoff: number; resolution: number }

const PER_UNIT = 400
/** Density of fakes, lots and slipped decimals per unit of log price. Where genuine sales are rarer, a price counts as one of them. */
const OUTLIER_DENSITY = 0.015
/** Density of Student's t with 4 degrees of freedom at its peak. */
const T4_PEAK = 0.375

/** Tabulates the noise of prices around a value: Student's t with 4 degrees of freedom and a floor for outliers. */
export function noiseTable(scale: number): NoiseTable {
  const peak = T4_PEAK / scale / OUTLIER_DENSITY
  const cutoff = scale * 2 * Math.sqrt(Math.max(peak, 1) ** 0.4 - 1)
  const logOdds = Float64Array.from({ length: Math.ceil(cutoff * PER_UNIT) + 1 }, (_, index) =>
    Math.max(0, Math.log(peak * studentT4(index / PER_UNIT / scale))),
  )
  return { odds: logOdds.map(Math.exp), logOdds, cutoff, resolution: PER_UNIT }
}

/** Returns the density of Student's t with 4 degrees of freedom, relative to its peak. */
export function studentT4(distance: number): number {
  return (1 + distance ** 2 / 4) ** -2.5
}
