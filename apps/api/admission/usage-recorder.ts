import type pg from 'pg'
import { type KeyIdentity, redactSecrets } from '@brickmark/core/account/api-key'

/** How a request of a known key ended. */
export type CompletedRequest = {
  requestId: string
  method: string
  url: string
  status: number
  error: { code: string; message: string } | undefined
  client: string | undefined
}

type UsageEntry = { key: KeyIdentity; requests: number; at: Date; last: CompletedRequest }

const FLUSH_INTERVAL_MS = 1000
const MAX_ENTRIES = 50_000

/**
 * Remembers how each key's requests end and tells the database about once a second, in one statement that no request
 * waits for: for people to look at. What a killed node, or an unreachable database, leaves untold is lost.
 */
export class UsageRecorder {
  readonly #pool: pg.Pool
  /** By key and status, which are one number: a text would be made for every request. */
  #entries = new Map<number, UsageEntry>()
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<unknown> = Promise.resolve()

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  record(key: KeyIdentity, request: CompletedRequest): void {
    const name = key.keyId * 1000 + request.status
    const known = this.#entries.get(name)
    if (known) {
      known.requests++
      known.at = new Date()
      known.last = request
    } else if (this.#entries.size < MAX_ENTRIES) {
      this.#entries.set(name, { key, requests: 1, at: new Date(), last: request })
    }
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_INTERVAL_MS).unref()
  }

  /** Tells what is left. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#flush()
    await this.#flushing
  }

  #flush(): void {
    const notes = [...this.#entries.values()]
    this.#entries = new Map()
    this.#timer = undefined
    if (notes.length === 0) return
    const query = {
      name: 'note_requests',
      text: 'select account.note_requests($1)',
      values: [JSON.stringify(notes.map(toRow))],
    }
    // One after another, so that a slow database is not asked by several at once.
    this.#flushing = this.#flushing.then(() => this.#pool.query(query)).catch(() => {})
  }
}

function toRow({ key, requests, at, last }: UsageEntry) {
  return {
    account_id: key.accountId,
    key_id: key.keyId,
    status: last.status,
    requests,
    at,
    request_id: last.requestId,
    request: redactAndTruncate(`${last.method} ${last.url}`),
    error_code: last.error?.code,
    error_message: last.error && redactAndTruncate(last.error.message),
    client: last.client === undefined ? undefined : redactAndTruncate(last.client),
  }
}

/** Short, and without a secret that somebody put where it does not belong. */
function redactAndTruncate(text: string): string {
  return redactSecrets(text).slice(0, 300)
}
