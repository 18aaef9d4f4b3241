/** Fees in cents by price: below the low bound, between the bounds (inclusive), and above the high bound. */
type FeesByPriceBand = readonly [low: number, middle: number, high: number]

/**
 * The published fees of a retailer that stores and ships for third parties. Stored as data: a new price list is a new
 * row. Money in cents, shares in basis points, weights in ounces, lengths in inches.
 */
export type FbaFeeSchedule = {
  retailer: string
  /** First day, 'YYYY-MM-DD'; valid until the next schedule starts. */
  validFrom: string
  referral: { basisPoints: number; minimum: number }
  priceBounds: { low: number; high: number }
  /** Dimensional-weight divisor: cubic inches billed as one pound. */
  cubicInchesPerPound: number
  /** Smallest to largest; a box belongs to the first tier it fits. */
  sizeTiers: readonly FbaSizeTier[]
  /** Added to the fulfillment fee; the latest surcharge that has started applies. */
  surcharges: readonly { validFrom: string; basisPoints: number }[]
  /** Seasons in which fulfillment costs more, first to last day. */
  peaks?: readonly { from: string; to: string; increases: readonly PeakIncrease[] }[]
}

/** What a season adds to the fulfillment fee of a size tier, in cents by maximum weight, ascending. */
type PeakIncrease = { tier: string; bands: readonly { upToOunces: number; cents: number }[] }

type FbaSizeTier = {
  name: string
  maxOunces: number
  /** Maximum longest, median and shortest side; null if unlimited. */
  maxSides: readonly [longest: number, median: number, shortest: number] | null
  maxLengthPlusGirth: number | null
  /** Whether a light but bulky box is billed by its volume. */
  weighVolume: boolean
  /** Fees by maximum weight, ascending. */
  bands: readonly { upToOunces: number; fees: FeesByPriceBand }[]
  /** Fees above the bands: a base fee plus `perStep` for every started step over `fromOunces`. */
  beyond: { fees: FeesByPriceBand; fromOunces: number; stepOunces: number; perStep: number } | null
}

/** The box of a set. Fees are unknown unless all three sides are known. */
export type Box = {
  widthIn: number | null
  heightIn: number | null
  depthIn: number | null
  /** If null, only the volume counts. */
  weightLbs: number | null
}

/** Returns the schedule in force on a day ('YYYY-MM-DD'), or undefined before the first. */
export function scheduleInForce(schedules: readonly FbaFeeSchedule[], day: string): FbaFeeSchedule | undefined {
  return latestInForce(schedules, day)
}

/**
 * Returns the price minus referral and fulfillment fees on a day, in cents (negative for a cheap item in a big box).
 * Returns null if the price or the box size is unknown, or if the schedule has no fee for the box.
 */
export function netFba(price: number | null, box: Box, schedule: FbaFeeSchedule, day: string): number | null {
  if (price === null) return null
  const fulfilment = fulfilmentFee(price, box, schedule, day)
  return fulfilment === null ? null : price - referralFee(price, schedule) - fulfilment
}

function referralFee(price: number, { referral }: FbaFeeSchedule): number {
  return Math.max(referral.minimum, applyBasisPoints(price, referral.basisPoints))
}

function fulfilmentFee(price: number, box: Box, schedule: FbaFeeSchedule, day: string): number | null {
  const parcel = measureParcel(box, schedule)
  if (parcel === null) return null
  const tier = schedule.sizeTiers.find((tier) => fits(parcel, tier))
  if (tier === undefined) return null
  const ounces = billableOunces(parcel, tier)
  const fee = tierFee(tier, ounces, priceBand(price, schedule)) + peakIncrease(schedule, tier, ounces, day)
  return fee + applyBasisPoints(fee, latestInForce(schedule.surcharges, day)?.basisPoints ?? 0)
}

function peakIncrease({ peaks = [] }: FbaFeeSchedule, tier: FbaSizeTier, ounces: number, day: string): number {
  const season = peaks.find(({ from, to }) => from <= day && day <= to)
  if (season === undefined) return 0
  const bands = season.increases.find((increase) => increase.tier === tier.name)?.bands
  const band = bands?.find(({ upToOunces }) => ounces <= upToOunces)
  if (band === undefined) throw new Error(`The season from ${season.from} has no fee for ${ounces} oz of ${tier.name}.`)
  return band.cents
}

type Parcel = {
  sides: [longest: number, median: number, shortest: number]
  unitOunces: number
  chargeableOunces: number
}

function measureParcel({ widthIn, heightIn, depthIn, weightLbs }: Box, schedule: FbaFeeSchedule): Parcel | null {
  if (widthIn === null || heightIn === null || depthIn === null) return null
  // Drop binary rounding error: 20.85 × 1.6 × 12.5 in is 3 lb, but computes to 48.00000000000001 oz, billed as 4 lb.
  const volumeOunces = Number((((widthIn * heightIn * depthIn) / schedule.cubicInchesPerPound) * 16).toFixed(6))
  const unitOunces = weightLbs === null ? volumeOunces : weightLbs * 16
  const [longest = 0, median = 0, shortest = 0] = [widthIn, heightIn, depthIn].toSorted((a, b) => b - a)
  return { sides: [longest, median, shortest], unitOunces, chargeableOunces: Math.max(unitOunces, volumeOunces) }
}

function fits(parcel: Parcel, tier: FbaSizeTier): boolean {
  const [longest, median, shortest] = parcel.sides
  const { maxSides, maxLengthPlusGirth } = tier
  return (
    billableOunces(parcel, tier) <= tier.maxOunces &&
    (maxSides === null || (longest <= maxSides[0] && median <= maxSides[1] && shortest <= maxSides[2])) &&
    (maxLengthPlusGirth === null || longest + 2 * (median + shortest) <= maxLengthPlusGirth)
  )
}

function billableOunces(parcel: Parcel, tier: FbaSizeTier): number {
  return tier.weighVolume ? parcel.chargeableOunces : parcel.unitOunces
}

function tierFee({ bands, beyond }: FbaSizeTier, ounces: number, priceBand: 0 | 1 | 2): number {
  const band = bands.find((band) => ounces <= band.upToOunces)
  if (band !== undefined) return band.fees[priceBand]
  if (beyond === null) throw new Error('A size tier has no fee for a weight it accepts.')
  const steps = Math.max(0, Math.ceil((ounces - beyond.fromOunces) / beyond.stepOunces))
  return beyond.fees[priceBand] + steps * beyond.perStep
}

function priceBand(price: number, { priceBounds }: FbaFeeSchedule): 0 | 1 | 2 {
  return price < priceBounds.low ? 0 : price <= priceBounds.high ? 1 : 2
}

// Integer basis points keep the product an integer, so that half a cent is exact and rounds up.
function applyBasisPoints(amount: number, basisPoints: number): number {
  return Math.round((amount * basisPoints) / 10_000)
}

// ISO dates sort as strings.
function latestInForce<T extends { validFrom: string }>(dated: readonly T[], day: string): T | undefined {
  return dated
    .filter(({ validFrom }) => validFrom <= day)
    .toSorted((a, b) => (a.validFrom < b.validFrom ? -1 : 1))
    .at(-1)
}
