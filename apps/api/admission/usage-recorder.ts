import type pg from 'pg'
import type { Logger } from 'pino'
import { recordRequests, type RequestSummary } from '@brickmark/core/account/admission-commands'
import { type KeyIdentity, redactSecrets } from '@brickmark/core/account/api-key'
import { isDatabaseUnavailable } from '@brickmark/core/db/database'

/** Outcome of a request with an existing key. */
export type CompletedRequest = {
  requestId: string
  /** Its path template. */
  endpoint: string
  method: string
  url: string
  status: number
  error: { code: string; message: string } | undefined
  client: string | undefined
}

/** The requests of a key with the same status: their number, and the latest of them, which ended at `at`. */
type UsageEntry = Omit<CompletedRequest, 'endpoint'> & {
  key: KeyIdentity
  requests: number
  endpoints: Map<string, number>
  at: number
}

/** At one second, usage wrote more WAL than the charges did. */
const FLUSH_INTERVAL_MS = 10_000
/** A key's first request is flushed sooner: its owner may be waiting for it on the page that shows the new key. */
const FIRST_FLUSH_MS = 1000
const MAX_SEEN_KEYS = 100_000
const MAX_ENTRIES = 50_000

/**
 * Aggregates completed requests by key and status and flushes them every ten seconds in one statement, off the request
 * path; the first request of a key after one second. The data is informational and best effort: unflushed entries are
 * lost if the process dies or the database is unreachable.
 */
export class UsageRecorder {
  readonly #pool: pg.Pool
  readonly #log: Logger
  /** Keyed by key id and status, combined into one number: a string would have to be allocated per request. */
  #entries = new Map<number, UsageEntry>()
  /** Keys that this process has flushed before. */
  readonly #seen = new Set<number>()
  #timer: NodeJS.Timeout | undefined
  #firstTimer: NodeJS.Timeout | undefined
  #flushing: Promise<unknown> = Promise.resolve()

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool
    this.#log = log
  }

  record(key: KeyIdentity, request: CompletedRequest): void {
    const name = key.keyId * 1000 + request.status
    const existing = this.#entries.get(name)
    if (existing) {
      // Copied, so that nothing but the texts outlives the request.
      existing.requests++
      existing.endpoints.set(request.endpoint, (existing.endpoints.get(request.endpoint) ?? 0) + 1)
      existing.at = Date.now()
      existing.requestId = request.requestId
      existing.method = request.method
      existing.url = request.url
      existing.error = request.error
      existing.client = request.client
    } else if (this.#entries.size < MAX_ENTRIES) {
      const { endpoint, ...rest } = request
      this.#entries.set(name, { ...rest, key, requests: 1, endpoints: new Map([[endpoint, 1]]), at: Date.now() })
    }
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_INTERVAL_MS).unref()
    if (!this.#seen.has(key.keyId))
      this.#firstTimer ??= setTimeout(() => this.#flushFirstRequests(), FIRST_FLUSH_MS).unref()
  }

  /** Flushes the remaining entries. */
  async close(): Promise<void> {
    clearTimeout(this.#firstTimer)
    clearTimeout(this.#timer)
    this.#flush()
    await this.#flushing
  }

  #flushFirstRequests(): void {
    this.#firstTimer = undefined
    const first: UsageEntry[] = []
    for (const [name, entry] of this.#entries) {
      if (this.#seen.has(entry.key.keyId)) continue
      first.push(entry)
      this.#entries.delete(name)
    }
    this.#send(first)
  }

  #flush(): void {
    const entries = [...this.#entries.values()]
    this.#entries = new Map()
    this.#timer = undefined
    this.#send(entries)
  }

  #send(entries: UsageEntry[]): void {
    if (entries.length === 0) return
    if (this.#seen.size > MAX_SEEN_KEYS) this.#seen.clear()
    for (const { key } of entries) this.#seen.add(key.keyId)
    // Flushes run sequentially, so that a slow database never gets several at once.
    this.#flushing = this.#flushing.then(() => this.#save(entries.map(toSummary)))
  }

  /** Saves all entries, or, if one of them can't be saved, all others. */
  async #save(summaries: RequestSummary[]): Promise<void> {
    try {
      await recordRequests(this.#pool, summaries)
    } catch (error) {
      if (summaries.length > 1 && !isDatabaseUnavailable(error)) {
        for (const summary of summaries) await this.#save([summary])
        return
      }
      this.#log.warn({ err: error, entries: summaries.length }, 'usage: flush failed')
    }
  }
}

function toSummary(entry: UsageEntry): RequestSummary {
  const { key, requests, endpoints, at, status, requestId, method, url, error, client } = entry
  return {
    account_id: key.accountId,
    api_key_id: key.keyId,
    status,
    requests,
    endpoints: Object.fromEntries(endpoints),
    at: new Date(at),
    request_id: requestId,
    request: redactAndTruncate(`${method} ${url}`),
    error_code: error?.code,
    error_message: error && redactAndTruncate(error.message),
    client: client === undefined ? undefined : redactAndTruncate(client),
  }
}

/** Truncates the text to 300 characters and redacts secrets that were sent in the wrong place. */
function redactAndTruncate(text: string): string {
  return redactSecrets(text).slice(0, 300)
}
