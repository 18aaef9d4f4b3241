import { Agent, request } from 'node:http'
import type { HttpResponse } from './openapi-contract.ts'

/** The response, or the error if there was none, and the elapsed time. */
export type ClientResult = { response?: HttpResponse; error?: string; ms: number }

export type ClientRequest = {
  method: string
  target: string
  headers: Record<string, string>
  body?: string | Buffer | undefined
  /** Announces the body but never sends it. */
  withholdsBody?: boolean
  /** The loopback address to connect from. */
  localAddress?: string | undefined
}

const REQUEST_TIMEOUT_MS = 15_000

/**
 * Sends requests over a bounded number of keep-alive connections. With `retries: false`, a lost response is reported as
 * an error instead of retried, because both requests may have been charged.
 */
export class Client {
  readonly #agent: Agent
  readonly port: number
  readonly #retries: boolean
  readonly #timeoutMs: number

  constructor(port: number, connections: number, { retries = true, timeoutMs = REQUEST_TIMEOUT_MS } = {}) {
    this.port = port
    this.#retries = retries
    this.#timeoutMs = timeoutMs
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
  }

  async request(request: ClientRequest): Promise<ClientResult> {
    const first = await this.#try(request)
    // The server may have just closed a keep-alive connection; like every HTTP client, retry that once.
    return this.#retries && first.error === STALE_CONNECTION ? this.#try(request) : first
  }

  close(): void {
    this.#agent.destroy()
  }

  #try({ method, target, headers, body, withholdsBody, localAddress }: ClientRequest): Promise<ClientResult> {
    const started = performance.now()
    const elapsed = () => performance.now() - started
    return new Promise((resolve) => {
      const call = request({
        host: '127.0.0.1',
        port: this.port,
        method,
        path: target,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
        // Don't pool a connection from another address for other requests.
        agent: localAddress === undefined ? this.#agent : false,
        ...(localAddress !== undefined && { localAddress }),
      })
      const timeoutMs = this.#timeoutMs
      const timer = setTimeout(() => call.destroy(new Error(`no response within ${timeoutMs} ms`)), timeoutMs)
      const finish = (result: Omit<ClientResult, 'ms'>) => {
        clearTimeout(timer)
        resolve({ ...result, ms: elapsed() })
      }
      call.on('response', (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', (error) => finish({ error: `response aborted: ${error.message}` }))
        response.on('end', () => {
          if (withholdsBody) call.destroy()
          const headers = Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          )
          finish({ response: { status: response.statusCode ?? 0, headers, text: Buffer.concat(parts).toString() } })
        })
      })
      call.on('error', (error: Error & { code?: string }) => {
        const isStale = call.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
        finish({ error: isStale ? STALE_CONNECTION : error.message })
      })
      if (withholdsBody) call.flushHeaders()
      else call.end(body)
    })
  }
}

const STALE_CONNECTION = 'keep-alive connection was closed'
