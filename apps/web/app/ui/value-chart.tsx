import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { formatUsd, formatUsdCompact } from '@brickmark/core/primitives/format-money'
import { useChartCursor } from './chart-cursor.ts'
import { formatMonthOf } from './format-date.ts'
import { bandParts, type RangeAt } from './value-band.ts'

/** The value at the end of a month; the last one may be the current, not yet final value. Money in cents. */
export type ValuePoint = {
  month: string
  value: number | null
  low: number | null
  high: number | null
  sold: number | null
  /** Whether few sales support the value, so that its range is partly modeled. */
  few: boolean
  event: string | null
  isFinal: boolean
}

const EVENTS: Record<string, string> = {
  released: 'Released',
  retiring_soon: 'Retiring soon',
  retired: 'Retired',
  rereleased: 'Re-released',
}

/** The share of the width that an event's flag may take; past the rest of it, it points to the left. */
const FLAG_WIDTH = 36
const FLAG_HEIGHT_PX = 24
const MAX_TICKS = 6
const MAX_TICKS_COMPACT = 3
const BAR_WIDTH = 0.55
/** Width of the labels of the y axis, `mr-14`. */
const AXIS_PX = 56
/** The tag of the latest value covers the labels that are closer to it, in percent of the height. */
const TAG_HEIGHT = 8
const TAG_HEIGHT_COMPACT = 16

/**
 * Value of a set over time with the range of 80% of sales, the number sold below, and its events above. Shapes are drawn in
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
  const last = points.length - 1
  const x = (index: number) => (last === 0 ? 50 : (index / last) * 100)
  const y = scaleLinear().domain(extentOf(points)).nice(4).range([100, 0])
  const { position, chartProps } = useChartCursor({
    known: points.flatMap(({ value }, index) => (value === null ? [] : [index])),
    pageSize: 12,
    positionAt: (px, width) => (px / (width - AXIS_PX)) * last,
    describe: (index) => describePoint(points[index]),
  })
  const active = position === undefined ? undefined : points[position]
  const [lowest = 0, highest = 0] = y.domain()
  const shownRetail = retail !== null && retail > lowest && retail < highest ? retail : null
  const lastValue = points[last]?.value ?? null
  const flags = compact ? [] : placeFlags(points, x)
  return (
    <div {...chartProps} aria-label={label} className="touch-pan-y rounded-control">
      {!compact && <Reading point={active ?? points[last]!} className="mb-2 min-h-10 sm:hidden" />}
      <div style={{ height: `${lanesOf(flags) * FLAG_HEIGHT_PX}px` }} />
      <div className={`relative mr-14 ${compact ? 'h-32' : 'h-56 lg:h-72'}`}>
        {y.ticks(4).map((tick) => (
          <div key={tick} className="absolute inset-x-0 border-t border-chart-grid" style={{ top: `${y(tick)}%` }}>
            {(lastValue === null || Math.abs(y(tick) - y(lastValue)) > (compact ? TAG_HEIGHT_COMPACT : TAG_HEIGHT)) && (
              <span className="absolute left-full -translate-y-1/2 pl-2 text-xs text-ink-soft">
                {formatUsdCompact(tick)}
              </span>
            )}
          </div>
        ))}
        {flags.map((flag) => (
          <EventFlag key={flag.month} {...flag} lanes={lanesOf(flags)} />
        ))}
        {bandParts(points.map(rangeAt)).map((part) => (
          <BandPart key={part[0]!.position} part={part} x={x} y={y} />
        ))}
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="absolute inset-0 size-full overflow-visible">
          {shownRetail !== null && (
            <line x1={0} x2={100} y1={y(shownRetail)} y2={y(shownRetail)} className="stroke-ink-faint" {...DOTTED} />
          )}
          <path d={linePath(points, x, y)} fill="none" strokeWidth={2.2} className="stroke-accent" {...UNSCALED} />
          {position !== undefined && (
            <line x1={x(position)} x2={x(position)} y1={0} y2={100} className="stroke-ink-soft" {...UNSCALED} />
          )}
        </svg>
        {points.map(
          ({ month, value }, index) =>
            isAlone(points, index) && (
              <Dot key={month} at={x(index)} top={y(value!)} className="border-accent bg-card" />
            ),
        )}
        {shownRetail !== null && <RetailLabel retail={shownRetail} points={points} y={y} />}
        {lastValue !== null && <LastValue value={lastValue} at={x(last)} y={y} />}
        {active !== undefined && (
          <>
            <Dot at={x(position!)} top={y(active.value!)} className="border-card bg-accent" />
            <Tooltip point={active} points={points} position={position!} x={x} y={y} compact={compact} />
          </>
        )}
      </div>
      {!compact && <Volume points={points} x={x} />}
      <div className="relative mt-1 mr-14 h-5 text-xs text-ink-soft">
        {tickIndexes(last, compact ? MAX_TICKS_COMPACT : MAX_TICKS).map((index, tick) => (
          <span
            key={index}
            className={`absolute whitespace-nowrap ${index === 0 ? '' : '-translate-x-1/2'} ${tick % 2 === 1 || index > last * 0.7 ? 'max-sm:hidden' : ''}`}
            style={{ left: `${x(index)}%` }}
          >
            {formatMonthOf(points[index]!.month)}
          </span>
        ))}
        <span className="absolute right-0">{nameOf(points[last]!)}</span>
      </div>
    </div>
  )
}

const UNSCALED = { vectorEffect: 'non-scaling-stroke' } as const
const DOTTED = { ...UNSCALED, strokeDasharray: '2 3' } as const

type Scale = (value: number) => number

function isAlone(points: ValuePoint[], index: number): boolean {
  const isKnown = (point: ValuePoint | undefined) => point !== undefined && point.value !== null
  return isKnown(points[index]) && !isKnown(points[index - 1]) && !isKnown(points[index + 1])
}

function extentOf(points: ValuePoint[]): [lowest: number, highest: number] {
  const known = points.flatMap(({ value, low, high }) => [value, low, high].filter((cents) => cents !== null))
  return [Math.min(...known), Math.max(...known)]
}

function rangeAt({ low, high, few }: ValuePoint, position: number): RangeAt | null {
  return low === null || high === null ? null : { position, low, high, few }
}

function linePath(points: ValuePoint[], x: Scale, y: Scale): string {
  const draw = line<ValuePoint>()
    .defined(({ value }) => value !== null)
    .x((_, index) => x(index))
    .y(({ value }) => y(value!))
  return draw(points) ?? ''
}

/** An HTML element clipped to the shape, because the lines of a hatch would be distorted in a stretched box. */
function BandPart({ part, x, y }: { part: RangeAt[]; x: Scale; y: Scale }) {
  const [{ position, low, high, few }] = part as [RangeAt]
  const fill = few ? 'hatched' : 'bg-chart-band'
  if (part.length === 1) {
    return (
      <span
        className={`absolute w-2.5 -translate-x-1/2 rounded-xs ${fill}`}
        style={{ left: `${x(position)}%`, top: `${y(high)}%`, bottom: `${100 - y(low)}%` }}
      />
    )
  }
  const upper = part.map((range) => corner(x(range.position), y(range.high)))
  const lower = part.toReversed().map((range) => corner(x(range.position), y(range.low)))
  return (
    <span className={`absolute inset-0 ${fill}`} style={{ clipPath: `polygon(${[...upper, ...lower].join(', ')})` }} />
  )
}

function corner(left: number, top: number): string {
  return `${left.toFixed(2)}% ${top.toFixed(2)}%`
}

function Dot({ at, top, className }: { at: number; top: number; className: string }) {
  return (
    <span
      className={`absolute size-2.5 -translate-1/2 rounded-full border-2 ${className}`}
      style={{ left: `${at}%`, top: `${top}%` }}
    />
  )
}

/** Returns evenly spaced positions, none of them close to the end, where the last label is. */
function tickIndexes(last: number, count: number): number[] {
  const step = Math.max(1, Math.ceil((last + 1) / count))
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, index) => index * step).filter(
    (index) => index <= last * 0.8,
  )
}

type Flag = { month: string; event: string; at: number; lane: number }

/** Returns the flag of each event, in the first lane in which it doesn't cover another one. */
function placeFlags(points: ValuePoint[], x: Scale): Flag[] {
  const flags: Flag[] = []
  for (const [index, { month, event }] of points.entries()) {
    if (event === null) continue
    const at = x(index)
    const isFree = (lane: number) =>
      flags.every((flag) => flag.lane !== lane || Math.abs(startOf(flag.at) - startOf(at)) >= FLAG_WIDTH)
    let lane = 0
    while (!isFree(lane)) lane++
    flags.push({ month, event, at, lane })
  }
  return flags
}

const isFlipped = (at: number) => at > 100 - FLAG_WIDTH
const startOf = (at: number) => (isFlipped(at) ? at - FLAG_WIDTH : at)

function lanesOf(flags: Flag[]): number {
  return Math.max(0, ...flags.map(({ lane }) => lane + 1))
}

/** A flag above the plot. Only its stem enters the plot, behind the line. */
function EventFlag({ month, event, at, lane, lanes }: Flag & { lanes: number }) {
  const height = (lanes - lane) * FLAG_HEIGHT_PX
  return (
    <>
      <span
        className="absolute inset-y-0 border-l border-dashed border-line-strong opacity-50"
        style={{ left: `${at}%` }}
      />
      <span
        className="absolute border-l border-line-strong"
        style={{ left: `${at}%`, bottom: '100%', height: `${height}px` }}
      >
        <span
          className={`absolute top-0 rounded-badge bg-sunken px-2 py-px text-xs whitespace-nowrap ${isFlipped(at) ? 'right-0' : 'left-0'}`}
        >
          {EVENTS[event] ?? event}
          <span className="max-sm:hidden"> {formatMonthOf(month)}</span>
        </span>
      </span>
    </>
  )
}

/** Stands at the end where the value is farther from the retail price, and on the other side of the price. */
function RetailLabel({ retail, points, y }: { retail: number; points: ValuePoint[]; y: Scale }) {
  const length = Math.ceil(points.length / 8)
  const [left, right] = [points.slice(0, length), points.slice(-length)].map((part) =>
    part.flatMap(({ value }) => (value === null ? [] : [value - retail])),
  ) as [number[], number[]]
  const distance = (part: number[]) => Math.min(...part.map(Math.abs))
  const isLeft = distance(left) > distance(right)
  const isBelow = Math.max(...(isLeft ? left : right)) > 0
  return (
    <span
      className={`absolute rounded-badge bg-card/85 px-1 text-xs text-ink-soft ${isLeft ? 'left-1' : 'right-1'} ${isBelow ? 'mt-0.5' : '-mt-0.5 -translate-y-full'}`}
      style={{ top: `${y(retail)}%` }}
    >
      Retail {formatUsd(retail)}
    </span>
  )
}

function LastValue({ value, at, y }: { value: number; at: number; y: Scale }) {
  return (
    <>
      <Dot at={at} top={y(value)} className="border-card bg-accent" />
      <span
        className="absolute left-full ml-1.5 -translate-y-1/2 rounded-badge bg-accent px-1.5 py-0.5 text-xs font-medium text-on-accent"
        style={{ top: `${y(value)}%` }}
      >
        {value < 100_000 ? formatUsd(value) : formatUsdCompact(value)}
      </span>
    </>
  )
}

function nameOf({ month, isFinal }: ValuePoint): string {
  return isFinal ? formatMonthOf(month) : 'Today'
}

/** What the chart says of a point: its name, its value, and the details known of it. */
function readingOf(point: ValuePoint): { value: string; details: string[] } {
  const { value, low, high, sold, few } = point
  return {
    value: value === null ? 'Not enough sales' : formatUsd(value),
    details: [
      ...(low === null || high === null ? [] : [`4 in 5 sales: ${formatUsd(low)} to ${formatUsd(high)}`]),
      ...(sold === null ? [] : [`${sold.toLocaleString('en-US')} sold`]),
      ...(few ? ['Few sales: range partly modeled'] : []),
    ],
  }
}

function describePoint(point: ValuePoint | undefined): string {
  if (point === undefined) return ''
  const { value, details } = readingOf(point)
  return [nameOf(point), value, ...details].join(', ')
}

function Reading({ point, className }: { point: ValuePoint; className: string }) {
  const { value, details } = readingOf(point)
  return (
    <p className={`text-xs text-ink-soft ${className}`}>
      <span className="font-semibold text-ink">
        {nameOf(point)} {value}
      </span>
      <br />
      {details.join(' · ')}
    </p>
  )
}

/** What the line takes up of the height is left free: the tooltip is above it or below it. */
function Tooltip({
  point,
  points,
  position,
  x,
  y,
  compact,
}: {
  point: ValuePoint
  points: ValuePoint[]
  position: number
  x: Scale
  y: Scale
  compact: boolean
}) {
  const { value, details } = readingOf(point)
  const at = x(position)
  const isLeft = at > 60
  const covered = points.filter(
    (_, index) => Math.abs(x(index) - at) < FLAG_WIDTH && (isLeft ? index <= position : index >= position),
  )
  const heights = covered.flatMap((one) => (one.value === null ? [] : [y(one.value)]))
  // Down is 100.
  const isBelow = Math.min(...heights) < 100 - Math.max(...heights)
  return (
    <span
      className={`pointer-events-none absolute z-10 grid gap-0.5 rounded-control bg-ink px-3 py-2 text-xs whitespace-nowrap text-paper shadow-floating ${compact ? '' : 'max-sm:hidden'} ${isBelow ? 'bottom-1' : 'top-1'} ${isLeft ? '-translate-x-[calc(100%+8px)]' : 'translate-x-2'}`}
      style={{ left: `${at}%` }}
    >
      <span className="flex justify-between gap-4">
        {nameOf(point)} <span className="font-semibold">{value}</span>
      </span>
      {details.map((detail) => (
        <span key={detail}>{detail}</span>
      ))}
    </span>
  )
}

/** Bars of the number sold, and a hatched stub where it is too small to show. */
function Volume({ points, x }: { points: ValuePoint[]; x: Scale }) {
  const most = Math.max(0, ...points.map(({ sold }) => sold ?? 0))
  if (most === 0) return null
  const width = (100 / points.length) * BAR_WIDTH
  return (
    <div className="relative mt-3 mr-14 h-[34px] border-b border-line">
      <span className="absolute top-0 left-full pl-2 text-xs whitespace-nowrap text-ink-soft">{most} sold</span>
      {points.map(({ month, sold, few, isFinal }, index) => {
        const isStub = few && isFinal
        if (sold === null && !isStub) return null
        return (
          <span
            key={month}
            className={`absolute bottom-0 -translate-x-1/2 rounded-t-xs ${isStub ? 'h-[5px] hatched' : 'bg-chart-bar'}`}
            style={{ left: `${x(index)}%`, width: `${width}%`, ...(!isStub && { height: `${(sold! / most) * 100}%` }) }}
          />
        )
      })}
    </div>
  )
}
