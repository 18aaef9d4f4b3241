/**
 * What a platform keeps of a sale, from a day on. Data, not code: new fees are a new row. Money in cents, shares in basis
 * points.
 */
export type SellingFeeSchedule = {
  platform: string
  /** First day, 'YYYY-MM-DD'; it holds until the next. */
  validFrom: string
  /** Where the figures were read. */
  source: string
  /** Shares of the parts of what the buyer paid: each part ends at its bound, the last has none. */
  shares: { upTo: number | null; basisPoints: number }[]
  minimum: number
  /** Once a sale, by what the buyer paid: the first whose bound is not passed. */
  fixed: { upTo: number | null; cents: number }[]
}

/** The fees of a platform that hold on a day; undefined when none are known. */
export function feesInForce(all: SellingFeeSchedule[], platform: string, day: string): SellingFeeSchedule | undefined {
  return all
    .filter((fees) => fees.platform === platform && fees.validFrom <= day)
    .sort((a, b) => (a.validFrom < b.validFrom ? -1 : 1))
    .at(-1)
}

/** What these fees keep of an amount, in cents. Of nothing they keep nothing. */
export function calculateFee({ shares, minimum, fixed }: SellingFeeSchedule, gross: number): number {
  if (gross === 0) return 0
  let below = 0
  let share = 0
  for (const { upTo, basisPoints } of shares) {
    const bound = upTo ?? Infinity
    share += Math.max(0, Math.min(gross, bound) - below) * basisPoints
    below = bound
  }
  const fixedFee = fixed.find(({ upTo }) => gross <= (upTo ?? Infinity))?.cents ?? 0
  return Math.max(minimum, Math.round(share / 10_000)) + fixedFee
}
