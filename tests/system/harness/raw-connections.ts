import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Result of a request: its status, or why there was none, and the time it took. */
export type StatusResult = { status?: number; problem?: string; ms: number }

type PendingRequest = { request: string; queuedAt: number; resolve: (result: StatusResult) => void }

const HEADER_END = '\r\n\r\n'
const CLOSED = { problem: 'the connection was closed' }

/**
 * Sends requests over connections that are already open, as a load balancer does, and parses nothing but the status.
 * Meant for overload tests: node's own client takes as long for a request as the service takes to reject it, and both
 * share two cores. Closed connections are not reopened; every request assigned to one fails.
 */
export class RawConnectionPool {
  readonly #free: RawConnection[] = []
  readonly #waiting: PendingRequest[] = []
  readonly #all: RawConnection[]

  private constructor(sockets: Socket[]) {
    this.#all = sockets.map((socket) => new RawConnection(socket, (connection) => this.#freed(connection)))
    this.#free.push(...this.#all)
  }

  static async open(port: number, count: number): Promise<RawConnectionPool> {
    const sockets = Array.from({ length: count }, () => connect({ host: '127.0.0.1', port, noDelay: true }))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    return new RawConnectionPool(sockets)
  }

  /** Sends a GET request. If all connections are busy, it is queued, and the queueing time counts. */
  get(target: string, headers: Record<string, string>): Promise<StatusResult> {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const request = `GET ${target} HTTP/1.1\r\nhost: localhost\r\n${lines.join('')}\r\n`
    return new Promise((resolve) => {
      const pending = { request, queuedAt: performance.now(), resolve }
      // Use the connection that has been idle longest, because servers close idle connections.
      const connection = this.#free.shift()
      if (connection) connection.send(pending)
      else this.#waiting.push(pending)
    })
  }

  close(): void {
    for (const connection of this.#all) connection.close()
    for (const { queuedAt, resolve } of this.#waiting)
      resolve({ problem: 'never sent', ms: performance.now() - queuedAt })
  }

  #freed(connection: RawConnection): void {
    const next = this.#waiting.shift()
    if (next) connection.send(next)
    else this.#free.push(connection)
  }
}

/** A connection with at most one request in flight. */
class RawConnection {
  readonly #socket: Socket
  readonly #freed: (connection: RawConnection) => void
  #pending: PendingRequest | undefined
  #status: number | undefined
  /** Bytes of the response still to come; unknown until its headers have arrived. */
  #remaining = 0

  constructor(socket: Socket, release: (connection: RawConnection) => void) {
    this.#socket = socket
    this.#freed = release
    socket.on('data', (bytes) => this.#receive(bytes))
    socket.on('error', () => {})
    socket.on('close', () => this.#finish(CLOSED))
  }

  send(pending: PendingRequest): void {
    this.#pending = pending
    this.#status = undefined
    if (this.#socket.writable) this.#socket.write(pending.request)
    else queueMicrotask(() => this.#finish(CLOSED))
  }

  close(): void {
    this.#socket.destroy()
  }

  #receive(bytes: Buffer): void {
    this.#remaining -= bytes.length
    if (this.#status === undefined) {
      const head = bytes.toString('latin1', 0, bytes.indexOf(HEADER_END))
      this.#status = Number(head.slice(9, 12))
      this.#remaining = head.length + HEADER_END.length + Number(/content-length: (\d+)/i.exec(head)![1]) - bytes.length
    }
    if (this.#remaining <= 0) this.#finish({ status: this.#status })
  }

  #finish(result: Omit<StatusResult, 'ms'>): void {
    if (this.#pending === undefined) return
    const { queuedAt, resolve } = this.#pending
    this.#pending = undefined
    resolve({ ...result, ms: performance.now() - queuedAt })
    this.#freed(this)
  }
}

/** Sends requests at a fixed rate, whether or not earlier ones have been answered. */
export async function loadAtRate(
  send: () => Promise<StatusResult>,
  rate: number,
  seconds: number,
): Promise<StatusResult[]> {
  const started = performance.now()
  const results: Promise<StatusResult>[] = []
  while (results.length < rate * seconds) {
    const due = Math.min(rate * seconds, ((performance.now() - started) / 1000) * rate)
    while (results.length < due) results.push(send())
    await sleep(1)
  }
  return Promise.all(results)
}
