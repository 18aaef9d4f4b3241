import { useState, type HTMLAttributes } from 'react'
import { useIsVisitor } from './root-data.ts'

type ChartProps = HTMLAttributes<HTMLDivElement>

/**
 * The position that a chart's reading is about: the one under the pointer, or that the arrow keys have moved to; undefined if
 * there is none. The chart is a slider over the positions with a value, so that screen readers announce each; for visitors, whose
 * pages have no scripts, it is a picture.
 */
export function useChartCursor({
  known,
  pageSize,
  positionAt,
  describe,
}: {
  /** Positions with a value, ascending. */
  known: number[]
  /** How far Page Up and Page Down go. */
  pageSize: number
  /** The position at a distance from the left edge, in pixels; it may be a fraction. */
  positionAt: (x: number, width: number) => number
  describe: (position: number) => string
}): { position: number | undefined; chartProps: ChartProps } {
  const [position, setPosition] = useState<number>()
  const isPicture = useIsVisitor()
  const last = known.at(-1) ?? 0
  const current = position !== undefined && known.includes(position) ? position : last
  const nearest = (target: number) =>
    known.reduce((best, one) => (Math.abs(one - target) < Math.abs(best - target) ? one : best), last)
  const targets: Record<string, () => number> = {
    ArrowLeft: () => known.findLast((one) => one < current) ?? current,
    ArrowRight: () => known.find((one) => one > current) ?? current,
    PageUp: () => nearest(current - pageSize),
    PageDown: () => nearest(current + pageSize),
    Home: () => known[0] ?? current,
    End: () => last,
  }
  if (isPicture) return { position: undefined, chartProps: { role: 'img' } }
  return {
    position: position === undefined ? undefined : current,
    chartProps: {
      role: 'slider',
      tabIndex: 0,
      'aria-valuemin': known[0] ?? 0,
      'aria-valuemax': last,
      'aria-valuenow': current,
      'aria-valuetext': describe(current),
      onPointerMove({ currentTarget, clientX }) {
        const { left, width } = currentTarget.getBoundingClientRect()
        setPosition(nearest(positionAt(clientX - left, width)))
      },
      onPointerLeave: () => setPosition(undefined),
      onFocus({ currentTarget }) {
        if (currentTarget.matches(':focus-visible')) setPosition(current)
      },
      onBlur: () => setPosition(undefined),
      onKeyDown(event) {
        const target = targets[event.key]
        if (target === undefined) return
        event.preventDefault()
        setPosition(target())
      },
    },
  }
}
