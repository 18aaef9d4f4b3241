import type { ReactNode } from 'react'
import type { Period } from '@brickmark/core/portfolio/portfolio'
import type { summarizePerformance } from './portfolio.server.ts'
import { Chart } from '../ui/chart.tsx'
import { Converted } from '../ui/converted.tsx'
import { formatDate } from '../ui/format-date.ts'
import { LotsSum } from './lots-sum.tsx'
import { formatUsd, formatUsdCompact } from '@brickmark/core/primitives/format-money'
import { Delta, Money } from '../ui/money.tsx'
import { SegmentedLinks } from '../ui/segmented-links.tsx'
import { UnvaluedCopies } from './unvalued-copies.tsx'

export const PERIOD_LABELS: Record<Period, string> = {
  '30d': '30 days',
  '90d': '90 days',
  '1y': '1 year',
  '3y': '3 years',
  all: 'All time',
}

type PerformanceData = Omit<ReturnType<typeof summarizePerformance>, 'held'>

/** Chart of value and cost over time, next to the sum that the value is made of and the returns. */
export function Performance({
  label,
  period,
  periodPath,
  totals,
  othersValue,
  history,
  returns,
  children,
}: PerformanceData & {
  label: string
  period: Period
  periodPath: (period: string) => string
  /** Shown between the sum and the returns. */
  children?: ReactNode
}) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <section className="rounded-card border border-line bg-card p-4 shadow-card sm:p-5" aria-label={label}>
        <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
          <div>
            <p className="text-sm text-ink-soft">{label}</p>
            <p className="text-3xl font-semibold tracking-tight">
              <Money cents={totals.value} /> <Converted cents={totals.value} />
            </p>
            {totals.gain !== null && (
              <p className="mt-0.5">
                <Delta cents={totals.gain} ratio={totals.gainRatio} />{' '}
                <span className="text-sm text-ink-soft">unrealized gain</span>
              </p>
            )}
          </div>
          <SegmentedLinks
            label="Period"
            selected={period}
            options={Object.entries(PERIOD_LABELS)}
            hrefFor={periodPath}
          />
        </div>
        <Chart
          title={`${label} vs. cost basis`}
          tall
          points={history.map(({ day, value, cost }) => ({ x: day, values: { value, cost } }))}
          series={[
            // The band between the lines is the gain only if the cost of everything is known.
            ...(totals.excluded.withoutCost === 0
              ? [{ key: 'value', label: 'Gain', kind: 'band', low: 'cost', tone: 'accent', decorative: true } as const]
              : []),
            { key: 'value', label: 'Value', kind: 'line', tone: 'accent' },
            { key: 'cost', label: 'Cost basis', kind: 'line', tone: 'ink' },
          ]}
          format={formatUsd}
          formatTick={formatUsdCompact}
        />
        <div className="mt-2">
          {othersValue !== null && (
            <p className="text-sm text-ink-soft">
              The chart shows your sets. Minifigs and custom items, worth <Money cents={othersValue} /> today, have no
              value history.
            </p>
          )}
          <UnvaluedCopies count={totals.excluded.withoutValue} />
        </div>
      </section>
      <section
        aria-label="Sums and returns"
        className="grid content-start gap-5 rounded-card border border-line bg-card p-4 shadow-card sm:p-5"
      >
        <div>
          <h2 className="mb-1.5 text-base">What you hold</h2>
          <LotsSum label={label} summary={totals} />
        </div>
        {children}
        <Returns returns={returns} period={period} />
      </section>
    </div>
  )
}

function Returns({
  returns: { yearly, since, overPeriod },
  period,
}: Pick<PerformanceData, 'returns'> & { period: Period }) {
  return (
    <div className="grid gap-2 text-sm text-ink-soft">
      <p>
        {since === null ? (
          'Add purchase prices and dates to see your annual return.'
        ) : yearly === null ? (
          'Your annual return appears 90 days after your first purchase.'
        ) : (
          <>
            Annual return <Delta ratio={yearly} /> since {formatDate(since)}, weighted by when you bought and sold.
          </>
        )}
      </p>
      {overPeriod !== null && (
        <p>
          Your sets’ performance over {PERIOD_LABELS[period].toLowerCase()} <Delta ratio={overPeriod} />, regardless of
          when you bought or sold.
        </p>
      )}
    </div>
  )
}
