import http from 'node:http'
import https from 'node:https'
import type { Attempt } from '@brickmark/core/webhook/delivery'
import { parseRetryAfter } from '@brickmark/core/primitives/retry-after'
import { PublicAddresses } from './public-address.ts'

const TIMEOUT_MS = 15_000
const MAX_RESPONSE_CHARACTERS = 1000
const MAX_IDLE_SOCKETS = 10
const IDLE_SOCKET_MS = 20_000

export type PostRequest = { url: string; headers: http.OutgoingHttpHeaders; body: string | Buffer }
/** An attempt, and how long the receiver asks to wait before the next one; null if it doesn't say. */
export type PostAttempt = Attempt & { retryAfterMs: number | null }

/** Posts to URLs that users gave, at public addresses only. */
export class PublicHttp {
  readonly #addresses: PublicAddresses
  readonly #allowsHttp: boolean
  readonly #agents: { 'http:': http.Agent; 'https:': https.Agent }

  constructor(allowedNetworks: readonly string[]) {
    this.#addresses = new PublicAddresses(allowedNetworks)
    this.#allowsHttp = allowedNetworks.length > 0
    const options = { keepAlive: true, maxFreeSockets: MAX_IDLE_SOCKETS, timeout: IDLE_SOCKET_MS }
    this.#agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) }
  }

  /** Sends a request once. Never throws: what went wrong, also in building it, is part of the attempt. */
  async post(buildRequest: (at: Date) => PostRequest): Promise<PostAttempt> {
    const at = new Date()
    const started = performance.now()
    const durationMs = () => Math.round(performance.now() - started)
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    try {
      const { statusCode, body, retryAfterMs } = await this.#send(buildRequest(at), signal)
      const isRedirect = statusCode >= 300 && statusCode < 400
      const response = isRedirect ? 'Redirects aren’t followed.' : body
      return { at, durationMs: durationMs(), statusCode, response, retryAfterMs }
    } catch (error) {
      const problem = signal.aborted ? 'No complete response within 15 seconds.' : (error as Error).message
      const response = problem.slice(0, MAX_RESPONSE_CHARACTERS)
      return { at, durationMs: durationMs(), statusCode: null, response, retryAfterMs: null }
    }
  }

  async #send(
    outgoing: PostRequest,
    signal: AbortSignal,
  ): Promise<{ statusCode: number; body: string; retryAfterMs: number | null }> {
    const url = new URL(outgoing.url)
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && this.#allowsHttp))
      throw new Error('The URL must start with https://.')
    this.#addresses.checkHost(url.hostname)
    const { request } = url.protocol === 'https:' ? https : http
    return new Promise((resolve, reject) => {
      const sending = request(
        url,
        {
          method: 'POST',
          agent: this.#agents[url.protocol as 'http:' | 'https:'],
          lookup: this.#addresses.lookup,
          signal,
          headers: { ...outgoing.headers, 'content-length': Buffer.byteLength(outgoing.body) },
        },
        (response) => {
          const retryAfterMs = parseRetryAfter(response.headers['retry-after'])
          readStart(response).then((body) => resolve({ statusCode: response.statusCode!, body, retryAfterMs }), reject)
        },
      )
      sending.on('error', (error: NodeJS.ErrnoException) => {
        // The receiver closed an idle connection at the moment we used it.
        if (error.code === 'ECONNRESET' && sending.reusedSocket) resolve(this.#send(outgoing, signal))
        else reject(error)
      })
      sending.end(outgoing.body)
    })
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }
}

/** Returns the beginning of a body, and leaves the rest of a long one. */
async function readStart(response: http.IncomingMessage): Promise<string> {
  response.setEncoding('utf8')
  let start = ''
  for await (const chunk of response) {
    start += chunk as string
    if (start.length >= MAX_RESPONSE_CHARACTERS) break
  }
  return start.slice(0, MAX_RESPONSE_CHARACTERS)
}
