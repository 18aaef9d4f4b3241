import { Card } from './card.tsx'
import { Chart, type Point } from './chart.tsx'
import { SegmentedLinks } from './segmented-links.tsx'
import { formatUsd, formatUsdCompact } from './money.tsx'
import type { ValueEstimate } from './value-card.tsx'

type Month = {
  month: string
  value: number | null
  low: number | null
  high: number | null
  salesCount: number | null
  event: string | null
}

const EVENTS: Record<string, string> = {
  released: 'released',
  retiring_soon: 'retirement announced',
  retired: 'retired',
  rereleased: 'released again',
}

const count = (value: number) => value.toLocaleString('en-US')

/** Value of a set at the end of each finalized month; the current, not yet final value is dashed. */
export function ValueHistory({
  number,
  condition,
  months: { visibleMonths, unitsSoldLastYear, sparseMonths, months },
  current,
}: {
  number: string
  condition: 'sealed' | 'used'
  months: { visibleMonths: Month[]; unitsSoldLastYear: number; sparseMonths: number; months: number }
  current: ValueEstimate | undefined
}) {
  const events = visibleMonths.filter(({ event }) => event !== null)
  return (
    <Card
      title="Value over time"
      actions={
        <SegmentedLinks
          label="Condition"
          selected={condition}
          options={[
            ['sealed', 'Sealed'],
            ['used', 'Used'],
          ]}
          hrefFor={(value) => `/set/${number}?condition=${value}`}
        />
      }
    >
      {visibleMonths.length === 0 ? (
        <p className="text-ink-soft">
          No month has been finalized yet. The first one shows on the 8th of the next month.
        </p>
      ) : (
        <>
          <Chart
            title={`Monthly value, ${condition}`}
            points={toChartPoints(visibleMonths, current)}
            series={[
              { key: 'high', label: 'Range', kind: 'band', low: 'low', tone: 'accent', decorative: true },
              { key: 'final', label: 'Final', kind: 'line', tone: 'accent', decorative: true },
              { key: 'now', label: 'Not final yet', kind: 'line', tone: 'accent', dashed: true, decorative: true },
            ]}
            extraColumns={[
              { key: 'value', label: 'Value', format: formatUsd },
              { key: 'low', label: 'Low', format: formatUsd },
              { key: 'high', label: 'High', format: formatUsd },
              { key: 'sales', label: 'Sold', format: count },
            ]}
            format={formatUsd}
            formatTick={formatUsdCompact}
          />
          <p className="mt-2 text-sm text-ink-soft">
            {describeSales(unitsSoldLastYear, sparseMonths, months)} The band is where four of five sales lay
            {current && '; dashed: from the last final month to now'}.
            {events.length > 0 &&
              ` In this time: ${events.map(({ month, event }) => `${EVENTS[event!] ?? event} ${month}`).join(', ')}.`}
          </p>
        </>
      )}
    </Card>
  )
}

function toChartPoints(months: Month[], current: ValueEstimate | undefined): Point[] {
  const points = months.map(({ month, value, low, high, salesCount }): Point => ({
    x: month,
    values: { value, final: value, low, high, sales: salesCount, current: null },
  }))
  if (!current || current.value === null) return points
  const lastKnown = points.findLast((point) => typeof point.values['value'] === 'number')
  if (lastKnown) lastKnown.values['now'] = lastKnown.values['value']!
  const { value, low, high } = current
  return [...points, { x: 'Now', values: { value, final: null, low, high, sales: null, current: value } }]
}

/** Months with few sales don't show how many, so their sales are never added up as 0. */
function describeSales(units: number, sparseMonths: number, months: number): string {
  if (sparseMonths === 0) return `${count(units)} sold in the last ${months} finalized months.`
  if (sparseMonths === months)
    return `In each of the last ${months} finalized months, too few were sold to say how many.`
  const sparse = sparseMonths === 1 ? 'one month' : `${sparseMonths} months`
  return `${count(units)} sold in ${months - sparseMonths} of the last ${months} finalized months; in ${sparse} too few were sold to say how many.`
}
