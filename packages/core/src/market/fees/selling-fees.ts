/**
 * The fees of a platform from a day on. Stored as data: new fees are a new row. Money in cents, shares in basis points.
 */
export type SellingFeeSchedule = {
  platform: string
  /** First day, 'YYYY-MM-DD'; valid until the next schedule starts. */
  validFrom: string
  /** Where the figures were published. */
  source: string
  /** Marginal rates on the amount the buyer paid: each applies up to its bound; the last has no bound. */
  shares: { upTo: number | null; basisPoints: number }[]
  minimum: number
  /** Fixed fee per sale: the first entry whose bound is at least the amount the buyer paid. */
  fixed: { upTo: number | null; cents: number }[]
}

/** Returns the fees of a platform in force on a day, or undefined if none are known. */
export function feesInForce(all: SellingFeeSchedule[], platform: string, day: string): SellingFeeSchedule | undefined {
  return all
    .filter((fees) => fees.platform === platform && fees.validFrom <= day)
    .sort((a, b) => (a.validFrom < b.validFrom ? -1 : 1))
    .at(-1)
}

/** Returns the fee on an amount, in cents; 0 on an amount of 0. */
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
