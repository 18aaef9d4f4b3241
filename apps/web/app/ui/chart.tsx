import { formatDate, formatMonthOf } from './format-date.ts'
import { scaleLinear } from 'd3-scale'
import { area, curveLinear, curveStepAfter, line, stack } from 'd3-shape'
import { useChartCursor } from './chart-cursor.ts'
import { Table } from './table.tsx'

export type ChartTone = 'accent' | 'ink' | 'soft' | 'warn' | 'loss'

export type Series = {
  key: string
  label: string
  /** Bars are stacked. A band fills the area from `low` to `key`. */
  kind: 'line' | 'bar' | 'band'
  tone: ChartTone
  /** For estimated values. */
  dashed?: boolean
  low?: string
  /** Draws steps, for prices that hold until they change. */
  step?: boolean
  /** Drawn only; omitted from legend and table because another series covers its numbers. */
  decorative?: boolean
}

/** Values at one position of the x axis. Unknown values are null and leave a gap. */
export type Point = { x: string; values: Record<string, number | null> }

const FILL: Record<ChartTone, string> = {
  accent: 'fill-accent',
  ink: 'fill-ink-soft',
  soft: 'fill-line-strong',
  warn: 'fill-warn',
  loss: 'fill-loss',
}
const STROKE: Record<ChartTone, string> = {
  accent: 'stroke-accent',
  ink: 'stroke-ink-soft',
  soft: 'stroke-line-strong',
  warn: 'stroke-warn',
  loss: 'stroke-loss',
}
const DOT: Record<ChartTone, string> = {
  accent: 'bg-accent',
  ink: 'bg-ink-soft',
  soft: 'bg-line-strong',
  warn: 'bg-warn',
  loss: 'bg-loss',
}

type ChartColumn = { key: string; label: string; format: (value: number) => string }

/**
 * Chart of lines, bands and stacked bars over evenly spaced points, filling the available width. Shapes are drawn in a
 * stretched 100×100 viewBox; text is placed outside of it so that it isn't distorted. The numbers follow as a table.
 */
export function Chart({
  title,
  points,
  series,
  format,
  formatTick = format,
  highlights = [],
  extraColumns = [],
  tablePoints = points,
  tall = false,
}: {
  title: string
  points: Point[]
  series: Series[]
  format: (value: number) => string
  /** Shorter format for axis labels. */
  formatTick?: (value: number) => string
  /** Additional values shown in the legend and table but not drawn; `key` refers to the point's values. */
  extraColumns?: ChartColumn[]
  /** Points listed in the table; all by default. */
  tablePoints?: Point[]
  /** For the main chart of a page. */
  tall?: boolean
  /** Highlighted ranges of the x axis, both ends included. */
  highlights?: { from: string; to: string; label: string }[]
}) {
  const { bars, stacks, xAt, step, y } = layOut(points, series)
  const last = points.length - 1
  const labeledSeries = series.filter((series) => !series.decorative)
  const columns = [...labeledSeries.map(({ key, label }) => ({ key, label, format })), ...extraColumns]
  const { position, chartProps } = useChartCursor({
    known: points.map((_, index) => index),
    pageSize: PAGE,
    positionAt: (px, width) => ((px / width) * 100 - xAt(0)) / step,
    describe: (index) => describePoint(points[index], columns),
  })
  return (
    <figure>
      <Legend title={title} point={points[position ?? last]} series={labeledSeries} columns={columns} />
      <div
        {...chartProps}
        aria-label={title}
        className={`relative ml-14 touch-pan-y border-b border-line-strong ${tall ? 'h-52 lg:h-80' : 'h-52'}`}
      >
        {y.ticks(4).map((tick) => (
          <div key={tick} className="absolute inset-x-0 border-t border-line" style={{ top: `${y(tick)}%` }}>
            <span className="absolute right-full -translate-y-1/2 pr-2 text-xs text-ink-soft">{formatTick(tick)}</span>
          </div>
        ))}
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="absolute inset-0 size-full">
          {highlights.map(({ from, to, label }) => {
            const [first, final] = [points.findIndex((p) => p.x >= from), points.findLastIndex((p) => p.x <= to)]
            if (first === -1 || final < first) return null
            const left = Math.max(0, xAt(first) - step / 2)
            const width = Math.min(100, xAt(final) + step / 2) - left
            return (
              <rect key={`${label} ${from}`} x={left} width={width} y={0} height={100} className="fill-accent-soft" />
            )
          })}
          {stacks.map((series, layer) =>
            series.map(([low, high], index) => (
              <rect
                key={`${series.key} ${points[index]!.x}`}
                x={xAt(index) - step * 0.36}
                width={step * 0.72}
                y={y(high)}
                height={Math.max(0, y(low) - y(high))}
                vectorEffect="non-scaling-stroke"
                className={`stroke-card ${FILL[bars[layer]!.tone]}`}
              />
            )),
          )}
          {series.map((series) => (
            <SeriesPath key={`${series.kind} ${series.key}`} series={series} points={points} xAt={xAt} y={y} />
          ))}
          {position !== undefined && (
            <line
              x1={xAt(position)}
              x2={xAt(position)}
              y1={0}
              y2={100}
              vectorEffect="non-scaling-stroke"
              className="stroke-ink-soft"
            />
          )}
        </svg>
      </div>
      <XAxis points={points} xAt={xAt} />
      {highlights.length > 0 && (
        <p className="text-xs text-ink-soft">Highlighted: {[...new Set(highlights.map((s) => s.label))].join(', ')}</p>
      )}
      <DataTable title={title} points={tablePoints} columns={columns} />
    </figure>
  )
}

/** A position on the x axis is a day or a month. */
function formatX(x: string): string {
  return x.length === 7 ? formatMonthOf(x) : formatDate(x)
}

/** How many points Page Up and Page Down move by. */
const PAGE = 30

function describePoint(point: Point | undefined, columns: ChartColumn[]): string {
  if (point === undefined) return ''
  return [
    formatX(point.x),
    ...columns.map(({ key, label, format }) => `${label} ${formatValue(point.values[key], format)}`),
  ].join(', ')
}

/** Scales of a chart in percent of its area, and its stacked bars. The y axis starts at 0 if there are bars. */
function layOut(points: Point[], series: Series[]) {
  const bars = series.filter((series) => series.kind === 'bar')
  const stacks = stack<Point>()
    .keys(bars.map((bar) => bar.key))
    .value((point, key) => point.values[key] ?? 0)(points)
  const known = points.flatMap((point) =>
    series.flatMap((series) => [point.values[series.key], point.values[series.low ?? '']]),
  )
  const lines = series.length > bars.length ? known.filter((value) => typeof value === 'number') : []
  const top = Math.max(1, ...lines, ...stacks.flat(2))
  const bottom = bars.length > 0 || lines.length === 0 ? 0 : Math.min(...lines)
  const y = scaleLinear().domain([bottom, top]).nice(4).range([100, 0])
  // A bar needs half of its width at both ends.
  const steps = points.length - 1 + (bars.length > 0 ? 1 : 0)
  const step = 100 / Math.max(1, steps)
  const start = (100 - step * (points.length - 1)) / 2
  return { bars, stacks, y, xAt: (index: number) => start + index * step, step }
}

/** The title and the values at one point: the one under the pointer, or the last. */
function Legend({
  title,
  point,
  series,
  columns,
}: {
  title: string
  point: Point | undefined
  series: Series[]
  columns: ChartColumn[]
}) {
  const tones = new Map(series.map(({ key, tone }) => [key, tone]))
  return (
    <figcaption className="mb-2 flex flex-wrap justify-between gap-x-6 gap-y-1 text-sm">
      <span className="font-medium">{title}</span>
      <span className="flex flex-wrap gap-x-4 text-ink-soft">
        <span>{point && formatX(point.x)}</span>
        {columns.map(({ key, label, format }) => {
          const tone = tones.get(key)
          return (
            <span key={key} className="flex items-center gap-1.5">
              {tone && <span aria-hidden="true" className={`inline-block size-2.5 rounded-xs ${DOT[tone]}`} />}
              {label}
              <span className="text-ink">{formatValue(point?.values[key], format)}</span>
            </span>
          )
        })}
      </span>
    </figcaption>
  )
}

/** Labels the first, middle and last point. */
function XAxis({ points, xAt }: { points: Point[]; xAt: (index: number) => number }) {
  const last = points.length - 1
  const tickIndexes = [0, Math.round(last / 2), last].filter((index, i, all) => index >= 0 && all.indexOf(index) === i)
  return (
    <div aria-hidden="true" className="relative ml-14 h-6 text-xs text-ink-soft">
      {tickIndexes.map((index) => (
        <span
          key={index}
          className={`absolute top-1 whitespace-nowrap ${index === 0 ? '' : index === last ? '-translate-x-full' : '-translate-x-1/2 max-sm:hidden'}`}
          style={{ left: index === 0 ? '0' : index === last ? '100%' : `${xAt(index)}%` }}
        >
          {formatX(points[index]!.x)}
        </span>
      ))}
    </div>
  )
}

function DataTable({ title, points, columns }: { title: string; points: Point[]; columns: ChartColumn[] }) {
  return (
    <details className="mt-2 text-sm">
      <summary className="w-fit text-ink-soft underline decoration-line-strong underline-offset-4">
        View as table
      </summary>
      <div className="mt-2 max-h-80 overflow-y-auto" role="region" aria-label={`${title}: data table`} tabIndex={0}>
        <Table
          caption={title}
          narrowLayout="scroll"
          rows={points.toReversed()}
          rowKey={(point) => point.x}
          columns={[
            { key: 'x', title: 'Date', cell: (point) => point.x },
            ...columns.map((series) => ({
              key: series.key,
              title: series.label,
              right: true,
              cell: (point: Point) => formatValue(point.values[series.key], series.format),
            })),
          ]}
        />
      </div>
    </details>
  )
}

function SeriesPath({
  series,
  points,
  xAt,
  y,
}: {
  series: Series
  points: Point[]
  xAt: (index: number) => number
  y: (value: number) => number
}) {
  if (series.kind === 'bar') return null
  const has = (point: Point) => typeof point.values[series.key] === 'number'
  if (series.kind === 'band') {
    const shape = area<Point>()
      .defined((point) => has(point) && typeof point.values[series.low ?? ''] === 'number')
      .x((_, index) => xAt(index))
      .y0((point) => y(point.values[series.low ?? ''] ?? 0))
      .y1((point) => y(point.values[series.key] ?? 0))(points)
    return <path d={shape ?? ''} className={`${FILL[series.tone]} opacity-20`} />
  }
  const shape = line<Point>()
    .curve(series.step ? curveStepAfter : curveLinear)
    .defined(has)
    .x((_, index) => xAt(index))
    .y((point) => y(point.values[series.key] ?? 0))(points)
  return (
    <path
      d={shape ?? ''}
      fill="none"
      strokeWidth={2}
      strokeDasharray={series.dashed ? '4 4' : undefined}
      vectorEffect="non-scaling-stroke"
      className={STROKE[series.tone]}
    />
  )
}

function formatValue(value: number | null | undefined, format: (value: number) => string): string {
  return typeof value === 'number' ? format(value) : '—'
}
