/** A point of the index: its level, and the standard error of the logarithm of the level. */
export type IndexPoint = { level: number; logError: number; sets: number }

export const FIRST_LEVEL = 100
/** With fewer sets, single ones would show. */
export const MIN_INDEX_SETS = 10
/** Share of the largest rises and falls that don't count: a wrong value must not move the index. */
const TRIMMED_SHARE = 0.1
/** Of the normal distribution, for a band of 90 %. */
const Z95 = 1.645

/** Returns the next point, from the log changes of single sets since the previous one; undefined if there are too few. */
export function nextIndexPoint(previousPoint: IndexPoint, changes: readonly number[]): IndexPoint | undefined {
  const { length: sets } = changes
  if (sets < MIN_INDEX_SETS) return undefined
  const sorted = changes.toSorted((a, b) => a - b)
  const cut = Math.floor(sets * TRIMMED_SHARE)
  const mean = average(sorted.slice(cut, sets - cut))
  // The standard error of a trimmed mean comes from the winsorized values.
  const [low, high] = [sorted[cut]!, sorted[sets - cut - 1]!]
  const winsorized = sorted.map((change) => Math.min(high, Math.max(low, change)))
  const center = average(winsorized)
  const variance = winsorized.reduce((sum, change) => sum + (change - center) ** 2, 0) / (sets - 1)
  const error = Math.sqrt(variance / sets) / (1 - 2 * TRIMMED_SHARE)
  return { level: previousPoint.level * Math.exp(mean), logError: Math.hypot(previousPoint.logError, error), sets }
}

/** Returns the 90 % confidence band of a level. */
export function confidenceBand({ level, logError }: Pick<IndexPoint, 'level' | 'logError'>): {
  low: number
  high: number
} {
  return { low: level * Math.exp(-Z95 * logError), high: level * Math.exp(Z95 * logError) }
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
