import { useEffect } from 'react'
import { Link, useFetcher } from 'react-router'
import { Notice } from './notice.tsx'
import { Time } from './page.tsx'

/** A key as pages show it: never the key itself. */
export type ShownKey = {
  id: number
  name: string
  hint: string
  state: 'active' | 'expired' | 'revoked'
  /** Whether another key has taken its place, while it may work on. */
  replaced: boolean
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

const LOOK_AGAIN_MS = 2000

/** Marks in an address that the page asks by itself: nobody need be there. */
export const UNATTENDED = 'waiting'

/**
 * Waits for a key's first request and shows how it went, with the exact error. With script it looks again by itself
 * until an answer was good; without, a link does.
 */
export function FirstRequest({ keyId, known }: { keyId: number; known: ShownKey['lastRequest'] }) {
  const fetcher = useFetcher<{ key: ShownKey }>()
  const last = fetcher.data?.key.lastRequest ?? known
  const good = last?.status === 200
  const { load } = fetcher
  useEffect(() => {
    if (good) return undefined
    const timer = setInterval(() => void load(`/keys/${keyId}?${UNATTENDED}`), LOOK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [good, keyId, load])
  if (last === null) {
    return (
      <Notice tone="accent" title="Waiting for your first request…">
        This turns green within seconds of it. A mistyped key cannot be told to be yours: if nothing happens, compare
        the key and the address. <Link to={`/keys/${keyId}`}>Look again</Link>
      </Notice>
    )
  }
  return (
    <Notice tone={good ? 'gain' : 'loss'} title={good ? 'It works' : `Your request was answered ${last.status}`}>
      {last.error !== null && <p>{last.error}</p>}
      <p>
        <code className="break-all">{last.request}</code>, <Time iso={last.at} />, {last.client}
      </p>
      <p className="text-sm">
        Request id <code className="break-all">{last.id}</code>
      </p>
    </Notice>
  )
}
