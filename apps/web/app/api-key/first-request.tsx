import { useEffect } from 'react'
import { Link, useFetcher } from 'react-router'
import { Notice } from '../ui/notice.tsx'
import { Timestamp } from '../ui/timestamp.tsx'

/** API key as shown on pages; never contains the secret. */
export type ApiKeyView = {
  id: number
  name: string
  maskedKey: string
  state: 'active' | 'expired' | 'revoked'
  /** Whether the key has been replaced; it may remain valid for a while. */
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

/** Query parameter that marks automatic polling, which does not count as user activity. */
export const POLLING_PARAM = 'waiting'

/**
 * Waits for a key's first request and shows its status, with the exact error. Polls until a request succeeds; without
 * JavaScript, the user reloads with a link.
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
        This updates a few seconds after your first request. Nothing happening? Double-check the key and URL.{' '}
        <Link to={`/keys/${keyId}`}>Refresh</Link>
      </Notice>
    )
  }
  return (
    <Notice tone={succeeded ? 'gain' : 'loss'} title={succeeded ? 'It works!' : `Your request returned ${last.status}`}>
      {last.error !== null && <p>{last.error}</p>}
      <p>
        <code className="break-all">{last.request}</code>, <Timestamp iso={last.at} />, {last.client}
      </p>
      <p className="text-sm">
        Request ID <code className="break-all">{last.id}</code>
      </p>
    </Notice>
  )
}
