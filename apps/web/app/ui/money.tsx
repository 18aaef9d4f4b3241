const USD_FORMAT = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const PERCENT = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1, signDisplay: 'never' })

const USD_COMPACT_FORMAT = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
  minimumFractionDigits: 0,
})

/** Formats cents for an axis, e.g. $1.2K. */
export function formatUsdCompact(cents: number): string {
  return USD_COMPACT_FORMAT.format(cents / 100)
}

/** Formats cents, e.g. $1,234.50. */
export function formatUsd(cents: number): string {
  return USD_FORMAT.format(cents / 100)
}

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
  const [tone, arrow, sign] =
    measure > 0 ? ['text-gain', '▲', '+'] : measure < 0 ? ['text-loss', '▼', '−'] : ['text-ink-soft', '', '±']
  const parts = [
    cents !== undefined && cents !== null && `${sign}${formatUsd(Math.abs(cents))}`,
    ratio !== undefined && ratio !== null && `${sign}${PERCENT.format(Math.abs(ratio))}`,
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
  const [arrow, sign] = cents > 0 ? ['▲', '+'] : cents < 0 ? ['▼', '−'] : ['', '±']
  return (
    <span className="whitespace-nowrap">
      {arrow !== '' && (
        <span aria-hidden="true" className="mr-1 text-[0.7em]">
          {arrow}
        </span>
      )}
      {sign}
      {formatUsd(Math.abs(cents))}
    </span>
  )
}

/** Stands for a value that is unknown. */
export function NotAvailable() {
  return (
    <span className="text-ink-soft">
      <span aria-hidden="true">–</span>
      <span className="sr-only">Not available</span>
    </span>
  )
}
