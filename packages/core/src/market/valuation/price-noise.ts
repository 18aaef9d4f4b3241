/** How much likelier than an odd price a sale's log price is, as a log, tabulated by its distance up to `reach`. */
export type NoiseTable = { logOdds: Float64Array; cutoff: number; resolution: number }

const PER_UNIT = 400
// Beyond 3.1 scales a price is as likely an error as a sale: it pulls no more, however far it is. Ten fake sales by one
// seller moved one value in ten by 0.7 % with a floor of 0.02 and by 0.4 % with 0.03 (seed 1, 10 sales or more).
const OUTLIER_DENSITY = 0.045

/** The median distance from the value, in scales. */
export const T4_MAD = 0.741

/** How prices scatter around a value: as Student's t with 4 degrees of freedom, with a floor for whatever is odd. */
export function noiseTable(scale: number): NoiseTable {
  const cutoff = scale * 2 * Math.sqrt(OUTLIER_DENSITY ** -0.4 - 1)
  const logOdds = Float64Array.from({ length: Math.ceil(cutoff * PER_UNIT) + 1 }, (_, index) =>
    Math.max(0, Math.log(studentT4(index / PER_UNIT / scale) / OUTLIER_DENSITY)),
  )
  return { logOdds, cutoff, resolution: PER_UNIT }
}

/** Student's t with 4 degrees of freedom, as a share of its peak. */
export function studentT4(distance: number): number {
  return (1 + distance ** 2 / 4) ** -2.5
}
