import { formatConverted } from '@brickmark/core/market/currency/exchange-rate'
import { formatDate } from './format-date.ts'
import { useRootData } from './root-data.ts'

/** An amount in the currency that the reader chose, to be shown beside US dollars; nothing if there is none. */
export function Converted({ cents }: { cents: number | null }) {
  const rate = useRootData()?.exchangeRate ?? null
  if (cents === null || rate === null) return null
  return (
    <span
      title={`At the European Central Bank’s reference rate of ${formatDate(rate.day)}`}
      className="text-sm font-normal tracking-normal whitespace-nowrap text-ink-soft"
    >
      <span aria-hidden="true">≈ </span>
      <span className="sr-only">about </span>
      {formatConverted(cents, rate)}
    </span>
  )
}
