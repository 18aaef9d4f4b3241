import { useEffect, useState } from 'react'
import { formatInstant, formatUtc } from './format-date.ts'
import { useRootData } from './root-data.ts'

/** An instant in the time zone of the reader, and in UTC on hover. */
export function Timestamp({ iso }: { iso: string }) {
  const timeZone = useTimeZone()
  return (
    <time dateTime={iso} title={formatUtc(iso)} className="whitespace-nowrap">
      {timeZone === undefined ? formatUtc(iso) : formatInstant(iso, timeZone, new Date())}
    </time>
  )
}

/**
 * Returns the time zone of the browser. Until the page is hydrated, that is the one this browser had on an earlier page, or
 * undefined. `useSyncExternalStore` would differ from its server snapshot during hydration, so React would discard the server's
 * HTML, and with it whatever the reader had opened.
 */
function useTimeZone(): string | undefined {
  const savedTimeZone = useRootData()?.timeZone
  const [timeZone, setTimeZone] = useState(savedTimeZone)
  useEffect(() => setTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone), [])
  return timeZone
}
