import type pg from 'pg'
import { type KeyIdentity, withoutSecrets } from '@brickmark/core/account/api-key'

/** How a request of a known key ended. */
export type EndedRequest = {
  requestId: string
  method: string
  url: string
  status: number
  error: { code: string; message: string } | undefined
  client: string | undefined
}

type Note = { key: KeyIdentity; requests: number; at: Date; last: EndedRequest }

const TELL_EVERY_MS = 1000
const NOTES_AT_MOST = 50_000

/**
 * Remembers how each key's requests end and tells the database about once a second, in one statement that no request
 * waits for: for people to look at. What a killed node, or an unreachable database, leaves untold is lost.
 */
export class RequestNotes {
  readonly #pool: pg.Pool
  /** By key and status, which are one number: a text would be made for every request. */
  #notes = new Map<number, Note>()
  #timer: NodeJS.Timeout | undefined
  #telling: Promise<unknown> = Promise.resolve()

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  note(key: KeyIdentity, request: EndedRequest): void {
    const name = key.keyId * 1000 + request.status
    const known = this.#notes.get(name)
    if (known) {
      known.requests++
      known.at = new Date()
      known.last = request
    } else if (this.#notes.size < NOTES_AT_MOST) {
      this.#notes.set(name, { key, requests: 1, at: new Date(), last: request })
    }
    this.#timer ??= setTimeout(() => this.#tell(), TELL_EVERY_MS).unref()
  }

  /** Tells what is left. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#tell()
    await this.#telling
  }

  #tell(): void {
    const notes = [...this.#notes.values()]
    this.#notes = new Map()
    this.#timer = undefined
    if (notes.length === 0) return
    const query = {
      name: 'note_requests',
      text: 'select account.note_requests($1)',
      values: [JSON.stringify(notes.map(asRow))],
    }
    // One after another, so that a slow database is not asked by several at once.
    this.#telling = this.#telling.then(() => this.#pool.query(query)).catch(() => {})
  }
}

function asRow({ key, requests, at, last }: Note) {
  return {
    account_id: key.accountId,
    key_id: key.keyId,
    status: last.status,
    requests,
    at,
    request_id: last.requestId,
    request: keepable(`${last.method} ${last.url}`),
    error_code: last.error?.code,
    error_message: last.error && keepable(last.error.message),
    client: last.client === undefined ? undefined : keepable(last.client),
  }
}

/** Short, and without a secret that somebody put where it does not belong. */
function keepable(text: string): string {
  return withoutSecrets(text).slice(0, 300)
}
