import { Agent, request } from 'node:http'
import type { Answer } from './openapi-contract.ts'

/** What came back, or why nothing did; and after how long. */
export type Reply = { answer?: Answer; problem?: string; ms: number }

export type Ask = {
  method: string
  target: string
  headers: Record<string, string>
  body?: string | Buffer | undefined
  /** Which of our own loopback addresses it comes from. */
  from?: string | undefined
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

  constructor(port: number, connections: number, { retries = true, patienceMs = PATIENCE_MS } = {}) {
    this.port = port
    this.#retries = retries
    this.#patienceMs = patienceMs
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
  }

  async ask(ask: Ask): Promise<Reply> {
    const first = await this.#try(ask)
    // A kept connection may have been closed by the other side just then; every client tries that once more.
    return this.#retries && first.problem === REUSED_AND_GONE ? this.#try(ask) : first
  }

  close(): void {
    this.#agent.destroy()
  }

  #try({ method, target, headers, body, from }: Ask): Promise<Reply> {
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
        agent: from === undefined ? this.#agent : false,
        ...(from !== undefined && { localAddress: from }),
      })
      const patience = this.#patienceMs
      const late = setTimeout(() => call.destroy(new Error(`no answer within ${patience} ms`)), patience)
      const finish = (reply: Omit<Reply, 'ms'>) => {
        clearTimeout(late)
        resolve({ ...reply, ms: elapsed() })
      }
      call.on('response', (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', (error) => finish({ problem: `broken answer: ${error.message}` }))
        response.on('end', () => {
          const headers = Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          )
          finish({ answer: { status: response.statusCode ?? 0, headers, text: Buffer.concat(parts).toString() } })
        })
      })
      call.on('error', (error: Error & { code?: string }) => {
        const gone = call.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
        finish({ problem: gone ? REUSED_AND_GONE : error.message })
      })
      call.end(body)
    })
  }
}

const REUSED_AND_GONE = 'a kept connection was closed'
