import { formatPercent, formatUsd, signOf } from '@brickmark/core/primitives/format-money'

/** Amount in integer cents. Null renders as a dash labeled "Not available", never as $0. */
export function Money({ cents }: { cents: number | null }) {
  if (cents === null) return <NotAvailable />
  return <span className="whitespace-nowrap">{formatUsd(cents)}</span>
}

/**
 * Gain or loss. Sign and arrow carry the meaning, color only supports it. A `ratio` of 0.1 is 10%. Leave the arrow out
 * below another one.
 */
export function Delta({
  cents,
  ratio,
  withArrow = true,
}: {
  cents?: number | null
  ratio?: number | null
  withArrow?: boolean
}) {
  const measure = cents ?? ratio ?? null
  if (measure === null) return <NotAvailable />
  const tone = measure > 0 ? 'text-gain' : measure < 0 ? 'text-loss' : 'text-ink-soft'
  const arrow = arrowOf(measure)
  const parts = [
    cents !== undefined && cents !== null && `${signOf(measure)}${formatUsd(Math.abs(cents))}`,
    ratio !== undefined && ratio !== null && `${signOf(measure)}${formatPercent(Math.abs(ratio))}`,
  ].filter(Boolean)
  return (
    <span className={`whitespace-nowrap ${tone}`}>
      {arrow !== '' && withArrow && (
        <span aria-hidden="true" className="mr-1 text-[0.7em]">
          {arrow}
        </span>
      )}
      {parts.join(' · ')}
    </span>
  )
}

/** Change of a retail price. Not colored, because a lower price is good for buyers and bad for owners. */
export function PriceChange({ cents }: { cents: number | null }) {
  if (cents === null) return <NotAvailable />
  const arrow = arrowOf(cents)
  return (
    <span className="whitespace-nowrap">
      {arrow !== '' && (
        <span aria-hidden="true" className="mr-1 text-[0.7em]">
          {arrow}
        </span>
      )}
      {signOf(cents)}
      {formatUsd(Math.abs(cents))}
    </span>
  )
}

function arrowOf(amount: number): string {
  return amount > 0 ? '▲' : amount < 0 ? '▼' : ''
}

/** Stands for a value that is unknown. */
export function NotAvailable() {
  return (
    <span className="text-ink-soft">
      <span aria-hidden="true">—</span>
      <span className="sr-only">Not available</span>
    </span>
  )
}
