const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const numbers = new Intl.NumberFormat('en-US')
const DASH = '–'

type Maybe<T> = T | null | undefined

export function formatUsd(value: Maybe<number>): string {
  return value == null ? DASH : dollars.format(value)
}

/** Formats a change with its sign, so that gains and losses differ without color. */
export function formatUsdChange(value: Maybe<number>): string {
  return value == null ? DASH : `${value > 0 ? '+' : ''}${dollars.format(value)}`
}

export function formatPercent(value: Maybe<number>): string {
  return value == null ? DASH : `${value > 0 ? '+' : ''}${value.toFixed(1)}%`
}

export function formatNumber(value: Maybe<number>): string {
  return value == null ? DASH : numbers.format(value)
}

export function textOrDash(value: Maybe<string>): string {
  return value == null || value === '' ? DASH : value
}

/** Formats a timestamp to the minute, in UTC. */
export function formatTimestamp(value: Maybe<string | Date>): string {
  return value == null ? DASH : `${new Date(value).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Formats the approximate time since a timestamp: `5 min`, `13 h`, `3 d`. */
export function formatAge(value: Maybe<string>): string {
  return value == null ? DASH : formatDuration(Date.now() - Date.parse(value)).replace(/ h .*/, ' h')
}

export function formatDuration(milliseconds: number): string {
  const minutes = Math.max(0, Math.round(milliseconds / 60_000))
  if (minutes < 60) return `${minutes} min`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  return `${Math.floor(minutes / 1440)} d`
}

export function formatCredits(number: number): string {
  return formatCount(number, 'credit')
}

/** Formats a number with its noun: `1 set`, `2 sets`. */
export function formatCount(value: Maybe<number>, noun: string): string {
  return `${formatNumber(value)} ${noun}${value === 1 ? '' : 's'}`
}

/** Formats the 80% range of a value. */
export function formatRange({ low, high }: { low: number | null; high: number | null }): string {
  return low === null || high === null ? DASH : `${formatUsd(low)} – ${formatUsd(high)} (80%)`
}
