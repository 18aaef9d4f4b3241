import { Time } from './page.tsx'

const UNITS: [seconds: number, name: string][] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
]

/** How long ago, in the largest unit that fits. */
export function ageOf(iso: string, now: string): string {
  const seconds = Math.max(0, (Date.parse(now) - Date.parse(iso)) / 1000)
  const [size, name] = UNITS.find(([unit]) => seconds >= unit) ?? [1, '']
  const count = Math.floor(seconds / size)
  return name === '' ? 'under a minute' : `${count.toLocaleString('en-US')} ${name}${count === 1 ? '' : 's'}`
}

/** A moment and how long ago it was; a word when it never was. `now` is the database's clock. */
export function Ago({ iso, now, never = 'Never' }: { iso: string | null; now: string; never?: string }) {
  if (iso === null) return <>{never}</>
  return (
    <span>
      {ageOf(iso, now)} ago
      <br />
      <span className="text-sm font-normal text-ink-soft">
        <Time iso={iso} />
      </span>
    </span>
  )
}
