import { useState } from 'react'
import { scaleLinear } from 'd3-scale'
import { area, line } from 'd3-shape'
import { formatMonthOf } from './format-date.ts'
import { formatUsd, formatUsdCompact } from '@brickmark/core/primitives/format-money'

/** The value at the end of a month; the last one may be the current, not yet final value. Money in cents. */
export type ValuePoint = {
  month: string
  value: number | null
  low: number | null
  high: number | null
  sold: number | null
  event: string | null
  isFinal: boolean
}

const EVENTS: Record<string, string> = {
  released: 'Released',
  retiring_soon: 'Retiring soon',
  retired: 'Retired',
  rereleased: 'Re-released',
}

/** Past this share of the width, an event's flag points to the left. */
const FLAG_FLIP = 80
const MAX_TICKS = 6
const MAX_TICKS_COMPACT = 3
const BAR_WIDTH = 0.55

/**
 * Value of a set over time with the range of 80% of sales, the number sold below, and its events. Shapes are drawn in
 * stretched boxes of 100 × 100; text lies outside of them so that it isn't distorted. Everything is also in the table of
 * the page.
 */
export function ValueChart({
  label,
  points,
  retail,
  compact = false,
}: {
  label: string
  points: ValuePoint[]
  retail: number | null
  /** Only the value and its range, in less space. */
  compact?: boolean
}) {
  const [hovered, setHovered] = useState<number>()
  const last = points.length - 1
  const known = points.flatMap(({ value, low, high }) => [value, low, high].filter((cents) => cents !== null))
  const y = scaleLinear()
    .domain([Math.min(...known), Math.max(...known)])
    .nice(4)
    .range([100, 0])
  const x = (index: number) => (last === 0 ? 50 : (index / last) * 100)
  const active = hovered === undefined ? undefined : points[hovered]
  const [lowest = 0, highest = 0] = y.domain()
  return (
    <div
      role="img"
      aria-label={label}
      onPointerLeave={() => setHovered(undefined)}
      onPointerMove={(event) => {
        const box = event.currentTarget.getBoundingClientRect()
        const share = (event.clientX - box.left) / (box.width - AXIS_PX)
        setHovered(Math.min(last, Math.max(0, Math.round(share * last))))
      }}
      className="relative"
    >
      <div className={`relative mr-14 ${compact ? 'h-32' : 'h-56 lg:h-72'}`}>
        {y.ticks(4).map((tick) => (
          <div key={tick} className="absolute inset-x-0 border-t border-chart-grid" style={{ top: `${y(tick)}%` }}>
            <span className="absolute left-full -translate-y-1/2 pl-2 text-xs text-ink-soft">
              {formatUsdCompact(tick)}
            </span>
          </div>
        ))}
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="absolute inset-0 size-full overflow-visible">
          <path d={bandPath(points, x, y)} className="fill-chart-band" />
          {retail !== null && retail > lowest && retail < highest && (
            <line x1={0} x2={100} y1={y(retail)} y2={y(retail)} className="stroke-ink-faint" {...DOTTED} />
          )}
          <path d={linePath(points, x, y)} fill="none" strokeWidth={2.2} className="stroke-accent" {...UNSCALED} />
          {active !== undefined && (
            <line x1={x(hovered!)} x2={x(hovered!)} y1={0} y2={100} className="stroke-ink-soft" {...UNSCALED} />
          )}
        </svg>
        {retail !== null && retail > lowest && retail < highest && (
          <span className="absolute right-1 text-xs text-ink-soft" style={{ top: `calc(${y(retail)}% + 2px)` }}>
            Retail {formatUsd(retail)}
          </span>
        )}
        {points
          .map((point, index) => ({ ...point, at: x(index) }))
          .filter(({ event }) => event !== null && !compact)
          .map(({ month, event, at }, row) => (
            <EventFlag key={month} at={at} row={row} text={`${EVENTS[event!] ?? event} ${formatMonthOf(month)}`} />
          ))}
        <LastValue points={points} y={y} />
        {active !== undefined && <Tooltip point={active} at={x(hovered!)} />}
      </div>
      {!compact && <Volume points={points} x={x} />}
      <div className="relative mt-1 mr-14 h-5 text-xs text-ink-soft">
        {tickIndexes(last, compact ? MAX_TICKS_COMPACT : MAX_TICKS).map((index, tick) => (
          <span
            key={index}
            className={`absolute whitespace-nowrap ${index === 0 ? '' : '-translate-x-1/2'} ${tick % 2 === 1 ? 'max-sm:hidden' : ''}`}
            style={{ left: `${x(index)}%` }}
          >
            {formatMonthOf(points[index]!.month)}
          </span>
        ))}
        <span className="absolute right-0">{points[last]!.isFinal ? formatMonthOf(points[last]!.month) : 'Today'}</span>
      </div>
    </div>
  )
}

/** Width of the labels of the y axis, `mr-14`. */
const AXIS_PX = 56
const UNSCALED = { vectorEffect: 'non-scaling-stroke' } as const
const DOTTED = { ...UNSCALED, strokeDasharray: '2 3' } as const

type Scale = (value: number) => number

function linePath(points: ValuePoint[], x: Scale, y: Scale): string {
  const draw = line<ValuePoint>()
    .defined(({ value }) => value !== null)
    .x((_, index) => x(index))
    .y(({ value }) => y(value!))
  return draw(points) ?? ''
}

function bandPath(points: ValuePoint[], x: Scale, y: Scale): string {
  const draw = area<ValuePoint>()
    .defined(({ low, high }) => low !== null && high !== null)
    .x((_, index) => x(index))
    .y0(({ low }) => y(low!))
    .y1(({ high }) => y(high!))
  return draw(points) ?? ''
}

/** Returns evenly spaced positions, none of them close to the end, where the last label is. */
function tickIndexes(last: number, count: number): number[] {
  const step = Math.max(1, Math.ceil((last + 1) / count))
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, index) => index * step).filter(
    (index) => index <= last * 0.8,
  )
}

function EventFlag({ at, row, text }: { at: number; row: number; text: string }) {
  const flipped = at > FLAG_FLIP
  return (
    <span className="absolute inset-y-0 border-l border-ink-soft" style={{ left: `${at}%` }}>
      <span
        style={{ top: `${row * 24 - 4}px` }}
        className={`absolute z-1 rounded-badge bg-ink px-2 py-0.5 text-xs whitespace-nowrap text-paper ${flipped ? 'right-0' : 'left-0'}`}
      >
        {text}
      </span>
    </span>
  )
}

function LastValue({ points, y }: { points: ValuePoint[]; y: Scale }) {
  const value = points.at(-1)?.value ?? null
  if (value === null) return null
  return (
    <span className="absolute left-full" style={{ top: `${y(value)}%` }}>
      <span className="absolute size-2.5 -translate-1/2 rounded-full border-2 border-card bg-accent" />
      <span className="absolute left-1.5 -translate-y-1/2 rounded-badge bg-accent px-1.5 py-0.5 text-xs font-medium text-on-accent">
        {value < 100_000 ? formatUsd(value) : formatUsdCompact(value)}
      </span>
    </span>
  )
}

function Tooltip({ point: { month, value, low, high, sold, isFinal }, at }: { point: ValuePoint; at: number }) {
  return (
    <span
      className={`pointer-events-none absolute top-4 z-10 grid gap-0.5 rounded-control bg-ink px-3 py-2 text-xs whitespace-nowrap text-paper shadow-floating ${at > 60 ? '-translate-x-[calc(100%+8px)]' : 'translate-x-2'}`}
      style={{ left: `${at}%` }}
    >
      <span className="font-semibold">{isFinal ? formatMonthOf(month) : 'Today'}</span>
      <span>{value === null ? 'Not enough sales' : formatUsd(value)}</span>
      {low !== null && high !== null && (
        <span>
          {formatUsd(low)} to {formatUsd(high)}
        </span>
      )}
      {sold !== null && <span>{sold} sold</span>}
    </span>
  )
}

/** Bars of the number sold. A month with too few sales has none. */
function Volume({ points, x }: { points: ValuePoint[]; x: Scale }) {
  const most = Math.max(0, ...points.map(({ sold }) => sold ?? 0))
  if (most === 0) return null
  const width = (100 / points.length) * BAR_WIDTH
  return (
    <div className="relative mt-3 mr-14 h-[34px] border-b border-line">
      <span className="absolute top-0 left-full pl-2 text-xs whitespace-nowrap text-ink-soft">{most} sold</span>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="absolute inset-0 size-full overflow-visible">
        {points.map(
          ({ month, sold }, index) =>
            sold !== null && (
              <rect
                key={month}
                x={x(index) - width / 2}
                width={width}
                y={100 - (sold / most) * 100}
                height={(sold / most) * 100}
                className="fill-chart-bar"
              />
            ),
        )}
      </svg>
    </div>
  )
}
