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
