import type { ValueEstimate } from './value-block.tsx'
import type { ValuePoint } from './value-chart.tsx'

/** A finalized month. Money in cents. */
export type Month = {
  month: string
  value: number | null
  low: number | null
  high: number | null
  salesCount: number | null
  event: string | null
}

/** Returns what a chart of the value shows: the months and, if there is a value now, today. */
export function toPoints(months: Month[], current: ValueEstimate | undefined): ValuePoint[] {
  const points = months.map(({ salesCount, ...month }) => {
    return { ...month, sold: salesCount, few: month.value !== null && salesCount === null, isFinal: true }
  })
  if (current === undefined || current.value === null) return points
  const { value, low, high, tier, at } = current
  return [
    ...points,
    { month: at.slice(0, 10), value, low, high, sold: null, few: tier !== 'market', event: null, isFinal: false },
  ]
}
