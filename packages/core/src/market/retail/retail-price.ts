import { percent } from '../../primitives/money.ts'

/** Returns the discount on the list price in percent; negative above list price, null if either price is unknown. */
export function discountPercent(price: number | null, listPrice: number | null): number | null {
  return price === null || listPrice === null ? null : percent(listPrice - price, listPrice)
}

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/**
 * Returns the oldest instant that `changed_within` ('30m', '3h', '7d') includes. Any number of digits is valid; a
 * window that starts before the Unix epoch includes everything.
 */
export function changedWithinCutoff(window: string, now: Date): Date {
  const unit = UNIT_MS[window.at(-1) as keyof typeof UNIT_MS]
  const milliseconds = Number(window.slice(0, -1)) * unit
  return new Date(Math.max(0, now.getTime() - milliseconds))
}

/** Whether a price changed at or after the cutoff; false if it never changed. */
export function changedSince(changedAt: Date | null, cutoff: Date): boolean {
  return changedAt !== null && changedAt >= cutoff
}

/** Whether a price deserves to be called the lowest: it can be paid now, and was seen higher before. */
export function isNotableLow(state: {
  atLowest: boolean
  inStock: boolean | null
  lastChange: number | null
}): boolean {
  return state.atLowest && state.inStock === true && state.lastChange !== null
}
