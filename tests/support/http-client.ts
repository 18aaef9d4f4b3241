import { Agent, request } from 'node:http'
import type { HttpResponse } from './openapi-contract.ts'

/** What came back, or why nothing did; and after how long. */
export type ClientResult = { response?: HttpResponse; error?: string; ms: number }

export type ClientRequest = {
  method: string
  target: string
  headers: Record<string, string>
  body?: string | Buffer | undefined
  /** Which of our own loopback addresses it comes from. */
  localAddress?: string | undefined
}

const PATIENCE_MS = 5000

/**
 * Asks over kept-alive connections, a bounded number of them. `retries` false: a lost answer is told, not asked for
 * again, because both may have been charged.
 */
export class Client {
  readonly #agent: Agent
  readonly port: number
  readonly #retries: boolean
  readonly #patienceMs: number

  constructor(port: number, connections: number, { retries = true, patienceMs: timeoutMs = PATIENCE_MS } = {}) {
    this.port = port
    this.#retries = retries
    this.#patienceMs = timeoutMs
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
  }

  async request(request: ClientRequest): Promise<ClientResult> {
    const first = await this.#try(request)
    // A kept connection may have been closed by the other side just then; every client tries that once more.
    return this.#retries && first.error === STALE_CONNECTION ? this.#try(request) : first
  }

  close(): void {
    this.#agent.destroy()
  }

  #try({ method, target, headers, body, localAddress }: ClientRequest): Promise<ClientResult> {
    const started = performance.now()
    const elapsed = () => performance.now() - started
    return new Promise((resolve) => {
      const call = request({
        host: '127.0.0.1',
        port: this.port,
        method,
        path: target,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
        // A connection from another address must not be kept for the others.
        agent: localAddress === undefined ? this.#agent : false,
        ...(localAddress !== undefined && { localAddress }),
      })
      const patience = this.#patienceMs
      const late = setTimeout(() => call.destroy(new Error(`no answer within ${patience} ms`)), patience)
      const finish = (reply: Omit<ClientResult, 'ms'>) => {
        clearTimeout(late)
        resolve({ ...reply, ms: elapsed() })
      }
      call.on('response', (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', (error) => finish({ error: `broken answer: ${error.message}` }))
        response.on('end', () => {
          const headers = Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          )
          finish({ response: { status: response.statusCode ?? 0, headers, text: Buffer.concat(parts).toString() } })
        })
      })
      call.on('error', (error: Error & { code?: string }) => {
        const gone = call.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
        finish({ error: gone ? STALE_CONNECTION : error.message })
      })
      call.end(body)
    })
  }
}

const STALE_CONNECTION = 'a kept connection was closed'
