import { percent } from '../primitives/money.ts'

/** How far a price lies under its list price, in percent; negative above it, null when either is unknown. */
export function discountPercent(price: number | null, listPrice: number | null): number | null {
  return price === null || listPrice === null ? null : percent(listPrice - price, listPrice)
}

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/**
 * The instant before which a change is too old for `changed_within` ('30m', '3h', '7d'). Any run of digits is a
 * window; one that reaches past the beginning of time is simply everything.
 */
export function changedWithinCutoff(window: string, now: Date): Date {
  const unit = UNIT_MS[window.at(-1) as keyof typeof UNIT_MS]
  const milliseconds = Number(window.slice(0, -1)) * unit
  return new Date(Math.max(0, now.getTime() - milliseconds))
}

/** Whether a price changed at or after the cutoff; a price that never changed did not. */
export function changedSince(changedAt: Date | null, cutoff: Date): boolean {
  return changedAt !== null && changedAt >= cutoff
}
