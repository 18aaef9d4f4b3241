import { Card } from './card.tsx'
import { Chart, type Point } from './chart.tsx'
import { ChoiceLinks } from './segmented-links.tsx'
import { inDollars, inShortDollars } from './money.tsx'
import type { ShownValue } from './value-card.tsx'

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

/** What a set was worth at the end of each finalized month, and, dashed because it is not final, what it is worth now. */
export function ValueHistory({
  number,
  condition,
  months: { shown, soldInYear, quietMonths, months },
  now,
}: {
  number: string
  condition: 'sealed' | 'used'
  months: { shown: Month[]; soldInYear: number; quietMonths: number; months: number }
  now: ShownValue | undefined
}) {
  const events = shown.filter(({ event }) => event !== null)
  return (
    <Card
      title="Value over time"
      actions={
        <ChoiceLinks
          label="Condition"
          chosen={condition}
          choices={[
            ['sealed', 'Sealed'],
            ['used', 'Used'],
          ]}
          to={(value) => `/set/${number}?condition=${value}`}
        />
      }
    >
      {shown.length === 0 ? (
        <p className="text-ink-soft">
          No month has been finalized yet. The first one shows on the 8th of the next month.
        </p>
      ) : (
        <>
          <Chart
            title={`Monthly value, ${condition}`}
            points={pointsOf(shown, now)}
            series={[
              { key: 'high', label: 'Range', kind: 'band', low: 'low', tone: 'accent', quiet: true },
              { key: 'final', label: 'Final', kind: 'line', tone: 'accent', quiet: true },
              { key: 'now', label: 'Not final yet', kind: 'line', tone: 'accent', dashed: true, quiet: true },
            ]}
            also={[
              { key: 'value', label: 'Value', format: inDollars },
              { key: 'low', label: 'Low', format: inDollars },
              { key: 'high', label: 'High', format: inDollars },
              { key: 'sales', label: 'Sold', format: count },
            ]}
            format={inDollars}
            formatTick={inShortDollars}
          />
          <p className="mt-2 text-sm text-ink-soft">
            {count(soldInYear)} sold in the last {months} finalized months
            {quietMonths > 0 && `, not counting ${quietMonths} with too few sales to tell`}. The band is where four of
            five sales lay{now && '; dashed: from the last final month to now'}.
            {events.length > 0 &&
              ` In this time: ${events.map(({ month, event }) => `${EVENTS[event!] ?? event} ${month}`).join(', ')}.`}
          </p>
        </>
      )}
    </Card>
  )
}

function pointsOf(months: Month[], now: ShownValue | undefined): Point[] {
  const points = months.map(({ month, value, low, high, salesCount }): Point => ({
    x: month,
    values: { value, final: value, low, high, sales: salesCount, now: null },
  }))
  if (!now || now.value === null) return points
  const lastKnown = points.findLast((point) => typeof point.values['value'] === 'number')
  if (lastKnown) lastKnown.values['now'] = lastKnown.values['value']!
  const { value, low, high } = now
  return [...points, { x: 'Now', values: { value, final: null, low, high, sales: null, now: value } }]
}
