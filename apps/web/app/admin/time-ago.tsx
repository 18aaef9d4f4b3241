import { Timestamp } from '../ui/timestamp.tsx'

const TIME_UNITS: [seconds: number, name: string][] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
]

/** Formats the age of a timestamp in its largest unit. */
export function formatAge(iso: string, now: string): string {
  const seconds = Math.max(0, (Date.parse(now) - Date.parse(iso)) / 1000)
  const [size, name] = TIME_UNITS.find(([unit]) => seconds >= unit) ?? [1, '']
  const count = Math.floor(seconds / size)
  return name === '' ? 'less than a minute' : `${count.toLocaleString('en-US')} ${name}${count === 1 ? '' : 's'}`
}

/** Timestamp with its age, or `fallback` if it is null. `now` is the database clock. */
export function TimeAgo({ iso, now, fallback = 'Never' }: { iso: string | null; now: string; fallback?: string }) {
  if (iso === null) return <>{fallback}</>
  return (
    <span>
      {formatAge(iso, now)} ago
      <br />
      <span className="text-sm font-normal text-ink-soft">
        <Timestamp iso={iso} />
      </span>
    </span>
  )
}
