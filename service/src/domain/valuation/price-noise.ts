/** Log-likelihood of a sale's log price, tabulated by its distance from the value. */
export type NoiseTable = { logDensity: Float64Array; centre: number; perUnit: number }

const REACH = 3.4
const PER_UNIT = 400
// Beyond 3.1 scales a price is as likely an error as a sale: it pulls no more, however far it is. Ten fake sales by one
// seller moved one value in ten by 0.7 % with a floor of 0.02 and by 0.4 % with 0.03 (seed 1, 10 sales or more).
const ODD_DENSITY = 0.045

/** How prices scatter around a value: as Student's t with 4 degrees of freedom, with a floor for whatever is odd. */
export function noiseTable(scale: number): NoiseTable {
  const centre = REACH * PER_UNIT
  const logDensity = Float64Array.from({ length: 2 * centre + 1 }, (_, place) => {
    const distance = (place - centre) / PER_UNIT / scale
    return Math.log(Math.max(t4(distance), ODD_DENSITY))
  })
  return { logDensity, centre, perUnit: PER_UNIT }
}

/** Student's t with 4 degrees of freedom, as a share of its peak. */
export function t4(distance: number): number {
  return (1 + distance ** 2 / 4) ** -2.5
}
