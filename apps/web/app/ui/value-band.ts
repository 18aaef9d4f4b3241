/** The range at a position of the x axis; `few` if few sales support it. */
export type RangeAt = { position: number; low: number; high: number; few: boolean }

/**
 * Splits a band into parts with few and with more sales; null is an unknown range. Each position has half of the way to its
 * neighbors, so that no range is left out. Only a position without neighbors is alone in its part.
 */
export function bandParts(ranges: (RangeAt | null)[]): RangeAt[][] {
  const parts: RangeAt[][] = []
  for (const [index, range] of ranges.entries()) {
    if (range === null) continue
    const before = ranges[index - 1] ?? null
    if (before === null) {
      parts.push([range])
    } else if (before.few === range.few) {
      parts.at(-1)!.push(range)
    } else {
      const border = halfWay(before, range)
      parts.at(-1)!.push({ ...border, few: before.few })
      parts.push([{ ...border, few: range.few }, range])
    }
  }
  return parts
}

function halfWay(left: RangeAt, right: RangeAt): Omit<RangeAt, 'few'> {
  return {
    position: (left.position + right.position) / 2,
    low: (left.low + right.low) / 2,
    high: (left.high + right.high) / 2,
  }
}
