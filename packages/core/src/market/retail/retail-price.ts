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

/** With less history, every product would soon be at its lowest. */
export const MIN_LOW_DAYS = 90

/** A price that can be paid now and is the lowest that was seen; money in cents, days counted from 1970-01-01. */
export type LowPrice = {
  price: number
  listPrice: number | null
  /** The value of a sealed copy. */
  value: number | null
  /** When the retailer's price was first known. */
  trackedSince: number | null
}

/**
 * Returns for how many days prices were seen of which this one is the lowest; null if that isn't worth mentioning: with
 * less than 90 days of history, above list price, or above value.
 */
export function lowestInDays({ price, listPrice, value, trackedSince }: LowPrice, today: number): number | null {
  if (trackedSince === null || today - trackedSince < MIN_LOW_DAYS) return null
  if (listPrice !== null && price > listPrice) return null
  if (value !== null && price > value) return null
  return today - trackedSince
}
