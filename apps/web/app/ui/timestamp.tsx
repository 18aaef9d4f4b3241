import { useSyncExternalStore } from 'react'
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
 * Returns the time zone of the browser. While a page is rendered on the server, that is the one this browser had on an
 * earlier page, or undefined.
 */
function useTimeZone(): string | undefined {
  const savedTimeZone = useRootData()?.timeZone
  return useSyncExternalStore(
    () => () => {},
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => savedTimeZone,
  )
}
