import type { ReactNode } from 'react'
import type { Period } from '@brickmark/core/portfolio/portfolio'
import type { summarizePerformance } from './portfolio.server.ts'
import { Stat } from '../ui/card.tsx'
import { Chart } from '../ui/chart.tsx'
import { ExcludedUnits } from './excluded-units.tsx'
import { Delta, formatUsd, formatUsdCompact, Money } from '../ui/money.tsx'
import { SegmentedLinks } from '../ui/segmented-links.tsx'

export const PERIOD_LABELS: Record<Period, string> = { '30d': '30 days', '90d': '90 days', '1y': '1 year' }

type PerformanceData = Omit<ReturnType<typeof summarizePerformance>, 'held'>

/** Chart of value and cost over time, next to the totals and returns. */
export function Performance({
  label,
  period,
  periodPath,
  totals,
  history,
  returns,
  detail,
}: PerformanceData & {
  label: string
  period: Period
  periodPath: (period: string) => string
  /** Shown below the totals. */
  detail?: ReactNode
}) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[minmax(0,1fr)_17rem]">
      <section className="rounded-card border border-line bg-card p-4 sm:p-5" aria-label={label}>
        <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
          <div>
            <p className="text-sm text-ink-soft">{label}</p>
            <p className="text-3xl font-semibold tracking-tight">
              <Money cents={totals.value} />
            </p>
            <p className="mt-0.5">
              <Delta cents={totals.gain} ratio={totals.gainRatio} />{' '}
              <span className="text-sm text-ink-soft">vs. cost basis</span>
            </p>
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
          <ExcludedUnits {...totals.excluded} />
        </div>
      </section>
      <div className="grid content-start gap-3 sm:grid-cols-2 lg:grid-cols-1">
        <Stat
          label="Cost basis"
          detail={`${totals.items.toLocaleString('en-US')} units, ${totals.sets.toLocaleString('en-US')} sets`}
        >
          <Money cents={totals.cost} />
        </Stat>
        <Stat label="Annualized return (XIRR)" detail={describeXirr(returns)}>
          <Delta ratio={returns.yearly} />
        </Stat>
        <Stat
          label={`Time-weighted return, ${PERIOD_LABELS[period]}`}
          detail="How your sets performed, regardless of when you bought or sold."
        >
          <Delta ratio={returns.overPeriod} />
        </Stat>
        {detail}
      </div>
    </div>
  )
}

function describeXirr({ yearly, since }: PerformanceData['returns']): string {
  if (since === null) return 'Add purchase prices and dates to see this.'
  if (yearly === null) return 'Available 90 days after your first purchase.'
  return `Since ${since}. Accounts for the timing of every purchase and sale.`
}
