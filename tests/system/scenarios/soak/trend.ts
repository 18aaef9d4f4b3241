/** Linear trend: slope per unit of x, and its standard error. */
export type Trend = { slope: number; error: number }

/** Fits a line by least squares. */
export function trendOf(points: { x: number; y: number }[]): Trend {
  const count = points.length
  if (count < 3) return { slope: 0, error: Infinity }
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / count
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / count
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
  const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread
  const residuals = points.reduce((sum, { x, y }) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0)
  return { slope, error: Math.sqrt(residuals / (count - 2) / spread) }
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
