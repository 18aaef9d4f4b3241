import type { YearChange } from '@brickmark/core/market/values/year-change'
import { Delta, Money } from './money.tsx'
import { Confidence, CONFIDENCE } from './confidence.tsx'
import { Converted } from './converted.tsx'
import { countOf } from './count-of.ts'
import { formatDate } from './format-date.ts'
import { Timestamp } from './timestamp.tsx'

/** A computed value with what it rests on. Money in cents. */
export type ValueEstimate = {
  value: number | null
  low: number | null
  high: number | null
  tier: string
  yearChange: YearChange | null
  evidence: { sellers: number; lastSold: string | null } | null
  doubtful: boolean
  at: string
}

/** Computed value: the number first, its evidence right below it. */
export function ValueBlock({ label, estimate }: { label: string; estimate: ValueEstimate | undefined }) {
  if (estimate === undefined || estimate.value === null)
    return (
      <section aria-label={label} className="p-4 sm:p-5">
        <h2 className="text-sm font-normal text-ink-soft">{label}</h2>
        <p className="mt-1 text-2xl font-semibold text-ink-soft">No value yet</p>
        <p className="mt-1 text-sm text-ink-soft">Not enough data to estimate a value.</p>
      </section>
    )
  const { value, low, high, tier, yearChange, doubtful, at } = estimate
  return (
    <section aria-label={label} className="p-4 sm:p-5">
      <div className="flex items-center justify-between gap-2">
        <h2 className="text-sm font-normal text-ink-soft">{label}</h2>
        <Confidence tier={tier} />
      </div>
      <p className="mt-1 flex flex-wrap items-baseline gap-x-3">
        <span className="text-3xl font-semibold tracking-tight">
          <Money cents={value} />
        </span>
        <Converted cents={value} />
        {yearChange !== null && <OneYear {...yearChange} />}
      </p>
      {low !== null && high !== null && <RangeBar low={low} value={value} high={high} />}
      <p className="mt-2 text-sm text-ink-soft">{describeEvidence(estimate)}</p>
      {doubtful && (
        <p className="mt-1 text-sm text-ink-soft">
          So far, only a few sellers got a price this far from that of similar items. The range covers both.
        </p>
      )}
      <p className="mt-1 text-xs text-ink-faint">
        Updated <Timestamp iso={at} />
      </p>
    </section>
  )
}

function OneYear({ ratio, months }: YearChange) {
  if (ratio === null) return <span className="text-sm text-ink-soft">{describeHistory(months)}</span>
  return (
    <span className="text-base">
      <Delta ratio={ratio} /> <span className="text-sm text-ink-soft">1 year</span>
    </span>
  )
}

/** Stands for the change over one year where less is known. */
export function describeHistory(months: number): string {
  return `${months === 0 ? 'Less than a month' : countOf(months, 'month')} of history`
}

function describeEvidence({ tier, evidence }: ValueEstimate): string {
  if (evidence === null) return CONFIDENCE[tier]?.meaning ?? ''
  const sellers = `Based on sales from ${evidence.sellers} ${evidence.sellers === 1 ? 'seller' : 'sellers'}`
  return evidence.lastSold === null ? `${sellers}.` : `${sellers} · last sale ${formatDate(evidence.lastSold)}`
}

/** The range of 4 in 5 sales on a track that is 30% wider. */
function RangeBar({ low, value, high }: { low: number; value: number; high: number }) {
  const margin = (high - low) * 0.15 || 1
  const at = (cents: number) => `${((cents - low + margin) / (high - low + 2 * margin)) * 100}%`
  return (
    <div className="mt-3 text-sm">
      <div aria-hidden="true" className="relative h-2 rounded-full bg-sunken">
        <span className="absolute inset-y-0 rounded-full bg-chart-bar" style={{ left: at(low), right: at(low) }} />
        <span className="absolute -inset-y-1 w-1 -translate-x-1/2 rounded-full bg-accent" style={{ left: at(value) }} />
      </div>
      <p className="mt-1.5 flex justify-between gap-2">
        <span>
          <span className="sr-only">From </span>
          <Money cents={low} />
        </span>
        <span className="text-ink-soft">4 in 5 sales land here</span>
        <span>
          <span className="sr-only">to </span>
          <Money cents={high} />
        </span>
      </p>
    </div>
  )
}
