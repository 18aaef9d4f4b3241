const USD_FORMAT = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const PERCENT = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1, signDisplay: 'never' })

const USD_COMPACT_FORMAT = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
  minimumFractionDigits: 0,
})

/** Cents as text for an axis, like $1.2K. */
export function formatUsdCompact(cents: number): string {
  return USD_COMPACT_FORMAT.format(cents / 100)
}

/** Cents as text, like $1,234.50. */
export function formatUsd(cents: number): string {
  return USD_FORMAT.format(cents / 100)
}

/** An amount of integer cents; a dash that says "unknown" when there is none. Unknown is never $0. */
export function Money({ cents }: { cents: number | null }) {
  if (cents === null) return <NotAvailable />
  return <span className="whitespace-nowrap">{formatUsd(cents)}</span>
}

/** A gain or a loss: sign and arrow say which, the colour only agrees. `ratio` 0.1 is 10 %. */
export function Delta({ cents, ratio }: { cents?: number | null; ratio?: number | null }) {
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
      {arrow !== '' && (
        <span aria-hidden="true" className="mr-1 text-[0.7em]">
          {arrow}
        </span>
      )}
      {parts.join(' · ')}
    </span>
  )
}

/** How far a shop's price went: lower is neither gain nor loss to everybody, so arrow and sign stand without a colour. */
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

function NotAvailable() {
  return (
    <span className="text-ink-soft">
      <span aria-hidden="true">–</span>
      <span className="sr-only">unknown</span>
    </span>
  )
}
