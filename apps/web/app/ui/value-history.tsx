import { Card } from './card.tsx'
import { SegmentedLinks } from './segmented-links.tsx'
import { formatUsd } from '@brickmark/core/primitives/format-money'
import { Delta } from './money.tsx'
import { formatMonthOf } from './format-date.ts'
import { Table } from './table.tsx'
import type { ValueEstimate } from './value-block.tsx'
import { ValueChart, type ValuePoint } from './value-chart.tsx'

type Month = {
  month: string
  value: number | null
  low: number | null
  high: number | null
  salesCount: number | null
  event: string | null
}

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
        <p className="text-ink-soft">
          {visibleMonths.length === 0
            ? 'No history yet. A month is published on the 8th of the next one, if enough sales are known.'
            : 'Not enough sales in this period.'}
        </p>
      ) : (
        <figure>
          <figcaption className="sr-only">{`Monthly value (${condition})`}</figcaption>
          {first !== last && (
            <p className="mb-4 text-ink-soft">
              <span className="text-xl">
                <Delta ratio={last.value! / first.value! - 1} />
              </span>{' '}
              since {formatMonthOf(first.month)}
            </p>
          )}
          <ValueChart
            label={describe(condition, first, last)}
            points={points}
            retail={condition === 'sealed' ? retail : null}
          />
          <p className="mt-2 text-sm text-ink-soft">
            The shaded band covers 80% of sales. {describeSales(unitsSoldLastYear, sparseMonths, months)}
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

export function toPoints(months: Month[], current: ValueEstimate | undefined): ValuePoint[] {
  const points = months.map(({ salesCount, ...month }) => ({ ...month, sold: salesCount, isFinal: true }))
  if (current === undefined || current.value === null) return points
  const { value, low, high, at } = current
  return [...points, { month: at.slice(0, 10), value, low, high, sold: null, event: null, isFinal: false }]
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
