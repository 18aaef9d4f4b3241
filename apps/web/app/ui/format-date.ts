import { countOf } from './count-of.ts'

const DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const MONTH = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** Formats a day ('YYYY-MM-DD'), e.g. Nov 12, 2026. */
export function formatDate(day: string): string {
  return DATE.format(new Date(`${day}T00:00:00Z`))
}

/** Formats a day or month ('YYYY-MM…') as a month, e.g. Nov 2026. */
export function formatMonthOf(day: string): string {
  return MONTH.format(new Date(`${day.slice(0, 7)}-01T00:00:00Z`))
}

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Formats an ISO timestamp in a time zone, e.g. Nov 18, 10:51; with the year unless it is the one of `now`. */
export function formatInstant(iso: string, timeZone: string, now: Date): string {
  let format = formatters.get(timeZone)
  if (format === undefined) {
    const options = { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const
    format = new Intl.DateTimeFormat('en-US', { ...options, hourCycle: 'h23', timeZone })
    formatters.set(timeZone, format)
  }
  const { year, month, day, hour, minute } = partsOf(format, new Date(iso))
  const date = year === partsOf(format, now)['year'] ? `${month} ${day}` : `${month} ${day}, ${year}`
  return `${date}, ${hour}:${minute}`
}

function partsOf(format: Intl.DateTimeFormat, instant: Date): Record<string, string> {
  return Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]))
}

/** Formats an ISO timestamp, e.g. 2026-11-18 15:51 UTC. */
export function formatUtc(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`
}

const DAYS_PER_MONTH = 30.44

/** Says how long a number of days is, in whole months or, from two years on, in years. */
export function describeDays(days: number): string {
  const months = Math.floor(days / DAYS_PER_MONTH)
  if (months < 1) return countOf(days, 'day')
  return months < 24 ? countOf(months, 'month') : countOf(Math.floor(months / 12), 'year')
}
