import { useEffect } from 'react'
import { Link, useFetcher } from 'react-router'
import { Notice } from './notice.tsx'
import { Timestamp } from './page.tsx'

/** A key as pages show it: never the key itself. */
export type ApiKeyView = {
  id: number
  name: string
  maskedKey: string
  state: 'active' | 'expired' | 'revoked'
  /** Whether another key has taken its place, while it may work on. */
  rotated: boolean
  createdAt: string
  expiresAt: string | null
  endedAt: string | null
  usedToday: number
  dailyLimit: number
  lastRequest: {
    at: string
    id: string
    request: string
    status: number
    error: string | null
    client: string
  } | null
}

const POLL_INTERVAL_MS = 2000

/** Marks in an address that the page asks by itself: nobody need be there. */
export const POLLING_PARAM = 'waiting'

/**
 * Waits for a key's first request and shows how it went, with the exact error. With script it looks again by itself
 * until an answer was good; without, a link does.
 */
export function FirstRequest({ keyId, initial }: { keyId: number; initial: ApiKeyView['lastRequest'] }) {
  const fetcher = useFetcher<{ key: ApiKeyView }>()
  const last = fetcher.data?.key.lastRequest ?? initial
  const succeeded = last?.status === 200
  const { load } = fetcher
  useEffect(() => {
    if (succeeded) return undefined
    const timer = setInterval(() => void load(`/keys/${keyId}?${POLLING_PARAM}`), POLL_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [succeeded, keyId, load])
  if (last === null) {
    return (
      <Notice tone="accent" title="Waiting for your first request…">
        This turns green within seconds of it. A mistyped key cannot be told to be yours: if nothing happens, compare
        the key and the address. <Link to={`/keys/${keyId}`}>Look again</Link>
      </Notice>
    )
  }
  return (
    <Notice
      tone={succeeded ? 'gain' : 'loss'}
      title={succeeded ? 'It works' : `Your request was answered ${last.status}`}
    >
      {last.error !== null && <p>{last.error}</p>}
      <p>
        <code className="break-all">{last.request}</code>, <Timestamp iso={last.at} />, {last.client}
      </p>
      <p className="text-sm">
        Request id <code className="break-all">{last.id}</code>
      </p>
    </Notice>
  )
}
