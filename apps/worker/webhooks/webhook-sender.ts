import http from 'node:http'
import https from 'node:https'
import type { Attempt } from '@brickmark/core/webhook/delivery'
import type { DueDelivery } from '@brickmark/core/webhook/delivery-commands'
import { toMessage } from '@brickmark/core/webhook/message'
import { deriveSecret, messageId, signedHeaders } from '@brickmark/core/webhook/signature'
import { PublicAddresses } from './public-address.ts'

const TIMEOUT_MS = 15_000
const MAX_RESPONSE_CHARACTERS = 1000
const MAX_IDLE_SOCKETS = 10
const IDLE_SOCKET_MS = 20_000

/** Sends webhooks to public addresses only. */
export class WebhookSender {
  readonly #key: string
  readonly #addresses: PublicAddresses
  readonly #allowsHttp: boolean
  readonly #agents: { 'http:': http.Agent; 'https:': https.Agent }

  constructor({ key, allowedNetworks }: { key: string; allowedNetworks: readonly string[] }) {
    this.#key = key
    this.#addresses = new PublicAddresses(allowedNetworks)
    this.#allowsHttp = allowedNetworks.length > 0
    const options = { keepAlive: true, maxFreeSockets: MAX_IDLE_SOCKETS, timeout: IDLE_SOCKET_MS }
    this.#agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) }
  }

  /** Sends a message once. Never throws: what went wrong is part of the attempt. */
  async send(delivery: DueDelivery): Promise<Attempt> {
    const at = new Date()
    const started = performance.now()
    const durationMs = () => Math.round(performance.now() - started)
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    try {
      const { statusCode, body } = await this.#post(delivery, at, signal)
      const isRedirect = statusCode >= 300 && statusCode < 400
      return { at, durationMs: durationMs(), statusCode, response: isRedirect ? 'Redirects aren’t followed.' : body }
    } catch (error) {
      const response = signal.aborted ? 'No complete response within 15 seconds.' : (error as Error).message
      return { at, durationMs: durationMs(), statusCode: null, response: response.slice(0, MAX_RESPONSE_CHARACTERS) }
    }
  }

  async #post(delivery: DueDelivery, at: Date, signal: AbortSignal): Promise<{ statusCode: number; body: string }> {
    const message = toMessage(delivery, delivery.url)
    const url = new URL(message.url)
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && this.#allowsHttp))
      throw new Error('The URL must start with https://.')
    this.#addresses.checkHost(url.hostname)
    const body = JSON.stringify(message.body)
    const secrets = delivery.salts.map((salt) => deriveSecret(this.#key, salt))
    const { request } = url.protocol === 'https:' ? https : http
    return new Promise((resolve, reject) => {
      const outgoing = request(
        url,
        {
          method: 'POST',
          agent: this.#agents[url.protocol as 'http:' | 'https:'],
          lookup: this.#addresses.lookup,
          signal,
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            'user-agent': 'Brickmark-Webhooks/1.0',
            ...signedHeaders({ id: messageId(delivery.id), body, at }, secrets),
          },
        },
        (response) => {
          readStart(response).then((start) => resolve({ statusCode: response.statusCode!, body: start }), reject)
        },
      )
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // The receiver closed an idle connection at the moment we used it.
        if (error.code === 'ECONNRESET' && outgoing.reusedSocket) resolve(this.#post(delivery, at, signal))
        else reject(error)
      })
      outgoing.end(body)
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
