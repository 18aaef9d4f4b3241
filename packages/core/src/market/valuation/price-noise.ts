/** Log odds of a sale's log price being genuine rather than an outlier, tabulated by distance up to `cutoff`. */
export type NoiseTable = { logOdds: Float64Array; cutoff: number; resolution: number }

const PER_UNIT = 400
// Beyond 3.1 scales a price is as likely to be an error as a sale, so it no longer affects the value. Ten fake sales by
// one seller moved one value in ten by 0.7 % with a floor of 0.02 and by 0.4 % with 0.03 (seed 1, 10 sales or more).
const OUTLIER_DENSITY = 0.045

/** Median absolute deviation of the t4 distribution, in scales. */
export const T4_MAD = 0.741

/** Tabulates the noise of prices around a value: Student's t with 4 degrees of freedom and a floor for outliers. */
export function noiseTable(scale: number): NoiseTable {
  const cutoff = scale * 2 * Math.sqrt(OUTLIER_DENSITY ** -0.4 - 1)
  const logOdds = Float64Array.from({ length: Math.ceil(cutoff * PER_UNIT) + 1 }, (_, index) =>
    Math.max(0, Math.log(studentT4(index / PER_UNIT / scale) / OUTLIER_DENSITY)),
  )
  return { logOdds, cutoff, resolution: PER_UNIT }
}

/** Returns the density of Student's t with 4 degrees of freedom, relative to its peak. */
export function studentT4(distance: number): number {
  return (1 + distance ** 2 / 4) ** -2.5
}
