import { Badge, type Tone } from './badge.tsx'
import { Money } from './money.tsx'
import { Timestamp } from './page.tsx'

export type ValueEstimate = { value: number | null; low: number | null; high: number | null; tier: string; at: string }

const CONFIDENCE_TIERS: Record<string, [tone: Tone, word: string, meaning: string]> = {
  market: ['gain', 'Market', 'Founded on at least 5 recent sales by 3 or more sellers.'],
  thin: ['warn', 'Thin', 'Founded on few sales: take the range seriously.'],
  modelled: ['plain', 'Modelled', 'No sales of its own yet: told from its price, its theme and its age.'],
  none: ['plain', 'No value', 'Too little is known to put a value on it.'],
}

/** Estimated value with the expected range of the next sale and the confidence tier. */
export function ValueCard({ label, value: estimate }: { label: string; value: ValueEstimate | undefined }) {
  const [tone, tierLabel, description] = CONFIDENCE_TIERS[estimate?.tier ?? 'none'] ?? [
    'plain' as const,
    estimate?.tier ?? '',
    '',
  ]
  return (
    <section aria-label={label} className="rounded-card border border-line bg-card px-4 py-3">
      <div className="flex items-center justify-between gap-2">
        <h2 className="text-sm font-normal text-ink-soft">{label}</h2>
        <Badge tone={tone}>{tierLabel}</Badge>
      </div>
      <p className="mt-0.5 text-2xl font-semibold tracking-tight">
        <Money cents={estimate?.value ?? null} />
      </p>
      {estimate && estimate.low !== null && estimate.high !== null && estimate.value !== null && (
        <>
          <Range low={estimate.low} value={estimate.value} high={estimate.high} />
          <p className="text-sm text-ink-soft">The next sale lies in this range four times out of five.</p>
        </>
      )}
      <p className="mt-1 text-sm text-ink-soft">
        {description}
        {estimate && (
          <>
            {' '}
            As of <Timestamp iso={estimate.at} />.
          </>
        )}
      </p>
    </section>
  )
}

function Range({ low, value, high }: { low: number; value: number; high: number }) {
  const index = high === low ? 50 : ((value - low) / (high - low)) * 100
  return (
    <div className="my-1.5 text-sm">
      <div aria-hidden="true" className="relative h-1.5 rounded-full bg-accent-soft">
        <span
          className="absolute top-1/2 size-2.5 -translate-1/2 rounded-full bg-accent"
          style={{ left: `${index}%` }}
        />
      </div>
      <p className="mt-1 flex justify-between">
        <span>
          <span className="sr-only">From </span>
          <Money cents={low} />
        </span>
        <span>
          <span className="sr-only">to </span>
          <Money cents={high} />
        </span>
      </p>
    </div>
  )
}
