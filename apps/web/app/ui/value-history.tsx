import { Card } from './card.tsx'
import { countOf } from './count-of.ts'
import { SegmentedLinks } from './segmented-links.tsx'
import { formatPercent, formatUsd } from '@brickmark/core/primitives/format-money'
import { Delta } from './money.tsx'
import { formatMonthOf } from './format-date.ts'
import { useIsVisitor } from './root-data.ts'
import { Table } from './table.tsx'
import type { ValueEstimate } from './value-block.tsx'
import { ValueChart, type ValuePoint } from './value-chart.tsx'
import { toPoints, type Month } from './value-points.ts'

/** Periods of the chart, by the number of months. */
export const VALUE_RANGES = { '6m': 6, '1y': 12, '3y': 36, all: Infinity } as const
export type ValueRange = keyof typeof VALUE_RANGES

const RANGE_LABELS: [ValueRange, string][] = [
  ['6m', '6M'],
  ['1y', '1Y'],
  ['3y', '3Y'],
  ['all', 'All'],
]

const count = (value: number) => value.toLocaleString('en-US')

/** Value of a set at the end of each finalized month, and today. */
export function ValueHistory({
  number,
  condition,
  range,
  months: { visibleMonths, unitsSoldLastYear, sparseMonths, months },
  current,
  retail,
}: {
  number: string
  condition: 'sealed' | 'used'
  range: ValueRange
  months: { visibleMonths: Month[]; unitsSoldLastYear: number; sparseMonths: number; months: number }
  current: ValueEstimate | undefined
  /** The retail price, to compare sealed values with. */
  retail: number | null
}) {
  const href = (view: { condition: string; range: string }) =>
    `/set/${number}?${new URLSearchParams({ condition: view.condition, range: view.range })}`
  const points = toPoints(visibleMonths, current)
  const isVisitor = useIsVisitor()
  const first = points.find(({ value }) => value !== null)
  const last = points.findLast(({ value }) => value !== null)
  return (
    <Card
      title="Value history"
      actions={
        <div className="flex flex-wrap gap-2">
          <SegmentedLinks
            label="Condition"
            selected={condition}
            options={[
              ['sealed', 'Sealed'],
              ['used', 'Used'],
            ]}
            hrefFor={(value) => href({ condition: value, range })}
          />
          <SegmentedLinks
            label="Period"
            selected={range}
            options={RANGE_LABELS}
            hrefFor={(value) => href({ condition, range: value })}
          />
        </div>
      }
    >
      {first === undefined || last === undefined ? (
        <NoHistory isEmpty={visibleMonths.length === 0} />
      ) : (
        <figure>
          <figcaption className="sr-only">{`Monthly value (${condition})`}</figcaption>
          <Change points={points} condition={condition} retail={retail} />
          <ValueChart
            label={describe(condition, first, last)}
            points={points}
            retail={condition === 'sealed' ? retail : null}
          />
          <Legend points={points} />
          <p className="mt-2 text-sm text-ink-soft">
            {describeSales(unitsSoldLastYear, sparseMonths, months)}{' '}
            {!isVisitor && (
              <span className="max-sm:hidden">Arrow keys move by month, Page Up and Page Down by year.</span>
            )}
          </p>
          <details className="mt-2 text-sm">
            <summary className="w-fit text-accent">View as table</summary>
            <div
              className="mt-2 max-h-80 overflow-y-auto"
              role="region"
              aria-label={`Monthly value (${condition}): data table`}
              tabIndex={0}
            >
              <ValueTable condition={condition} points={points} />
            </div>
          </details>
        </figure>
      )}
    </Card>
  )
}

/** The shape of a chart, where there is none. */
function NoHistory({ isEmpty }: { isEmpty: boolean }) {
  return (
    <>
      <svg aria-hidden="true" viewBox="0 0 100 20" preserveAspectRatio="none" className="mb-3 h-24 w-full">
        <path
          d="M0 17 12 15 26 16 40 13 55 14 68 9 84 7 100 3"
          fill="none"
          strokeDasharray="4 5"
          vectorEffect="non-scaling-stroke"
          className="stroke-line-strong"
        />
      </svg>
      <p className="text-ink-soft">
        {isEmpty
          ? 'No history yet. A month is published on the 8th of the next one, if enough sales are known.'
          : 'Not enough sales in this period.'}
      </p>
    </>
  )
}

/** A change over a shorter time says little. */
const MIN_MONTHS_OF_CHANGE = 3

/** How the value changed over what the chart shows, and how it compares with the retail price. */
function Change({ points, condition, retail }: { points: ValuePoint[]; condition: string; retail: number | null }) {
  const known = points.filter(({ value }) => value !== null)
  const months = known.filter(({ isFinal }) => isFinal).length
  const [first, last] = [known[0]!, known.at(-1)!]
  if (months < MIN_MONTHS_OF_CHANGE)
    return <p className="mb-4 text-ink-soft">{countOf(months, 'month')} with a value: too few to state a change</p>
  const change = last.value! - first.value!
  const parts = [
    `since ${formatMonthOf(first.month)}`,
    ...(change === 0 ? [] : [`${formatUsd(Math.abs(change))} ${change > 0 ? 'more' : 'less'} per ${condition} copy`]),
    ...(retail === null || condition !== 'sealed' ? [] : [compareWithRetail(last.value!, retail)]),
  ]
  return (
    <p className="mb-4 text-ink-soft">
      <span className="text-xl">
        <Delta ratio={last.value! / first.value! - 1} />
      </span>{' '}
      {parts.join(' · ')}
    </p>
  )
}

function compareWithRetail(value: number, retail: number): string {
  return `${formatPercent(Math.abs(value / retail - 1))} ${value < retail ? 'under' : 'over'} its ${formatUsd(retail)} retail price`
}

function Legend({ points }: { points: ValuePoint[] }) {
  const hasFew = points.some(({ few }) => few)
  const entries: [className: string, text: string][] = [
    ['h-0.5 w-4 bg-accent', 'Value'],
    ['h-2.5 w-4 bg-chart-band', '4 in 5 sales'],
    ...(hasFew ? [['h-2.5 w-4 hatched', 'Few sales: range partly modeled'] satisfies [string, string]] : []),
    ...(points.some(({ sold }) => sold !== null)
      ? [['h-2.5 w-1.5 bg-chart-bar', 'Sold per month'] satisfies [string, string]]
      : []),
  ]
  return (
    <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-xs text-ink-soft">
      {entries.map(([className, text]) => (
        <li key={text} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={`inline-block rounded-xs ${className}`} />
          {text}
        </li>
      ))}
    </ul>
  )
}

function ValueTable({ condition, points }: { condition: string; points: ValuePoint[] }) {
  const money = (cents: number | null) => (cents === null ? '—' : formatUsd(cents))
  return (
    <Table
      caption={`Monthly value (${condition})`}
      narrowLayout="scroll"
      rows={points.toReversed()}
      rowKey={(point) => point.month}
      columns={[
        { key: 'month', title: 'Date', cell: ({ month, isFinal }) => (isFinal ? month : 'Today') },
        { key: 'value', title: 'Value', right: true, cell: ({ value }) => money(value) },
        { key: 'low', title: 'Low', right: true, cell: ({ low }) => money(low) },
        { key: 'high', title: 'High', right: true, cell: ({ high }) => money(high) },
        { key: 'sold', title: 'Sold', right: true, cell: ({ sold }) => (sold === null ? '—' : count(sold)) },
      ]}
    />
  )
}

function describe(condition: string, firstPoint: ValuePoint, lastPoint: ValuePoint): string {
  const from = `${formatUsd(firstPoint.value!)} in ${formatMonthOf(firstPoint.month)}`
  const to = `${formatUsd(lastPoint.value!)} ${lastPoint.isFinal ? `in ${formatMonthOf(lastPoint.month)}` : 'today'}`
  return `Value of a ${condition} copy: ${from}, ${to}.`
}

/** Months with few sales don't show how many, so their sales are never added up as 0. */
function describeSales(units: number, sparseMonths: number, months: number): string {
  if (sparseMonths === 0) return `${count(units)} sold in the last ${months} published months.`
  if (sparseMonths === months) return `Too few sales in each of the last ${months} published months to show a count.`
  return `${count(units)} sold in the last ${months} published months (excluding ${sparseMonths} with too little data).`
}
