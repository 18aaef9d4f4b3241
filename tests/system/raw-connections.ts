import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** What came back over a wire: the status, or why nothing did; and after how long. */
export type StatusResult = { status?: number; problem?: string; ms: number }

type PendingRequest = { request: string; askedAt: number; resolve: (glance: StatusResult) => void }

const HEADER_END = '\r\n\r\n'

/**
 * Asks over connections that are open already, as a load balancer has them, and looks at nothing but the status. For floods:
 * node's own client takes as long for a request as the service does to refuse it, and both share two cores. A connection that
 * breaks is not opened again.
 */
export class RawConnectionPool {
  readonly #free: RawConnection[] = []
  readonly #waiting: PendingRequest[] = []
  readonly #all: RawConnection[]

  private constructor(sockets: Socket[]) {
    this.#all = sockets.map((socket) => new RawConnection(socket, (wire) => this.#freed(wire)))
    this.#free.push(...this.#all)
  }

  static async open(port: number, count: number): Promise<RawConnectionPool> {
    const sockets = Array.from({ length: count }, () => connect({ host: '127.0.0.1', port, noDelay: true }))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    return new RawConnectionPool(sockets)
  }

  /** Waits for a free connection if there is none, and that time counts. */
  get(target: string, headers: Record<string, string>): Promise<StatusResult> {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const request = `GET ${target} HTTP/1.1\r\nhost: localhost\r\n${lines.join('')}\r\n`
    return new Promise((resolve) => {
      const asked = { request, askedAt: performance.now(), resolve }
      // The one that rested longest: a server closes what rests for long.
      const wire = this.#free.shift()
      if (wire) wire.send(asked)
      else this.#waiting.push(asked)
    })
  }

  close(): void {
    for (const wire of this.#all) wire.close()
    for (const { askedAt, resolve } of this.#waiting)
      resolve({ problem: 'never sent', ms: performance.now() - askedAt })
  }

  #freed(wire: RawConnection): void {
    const next = this.#waiting.shift()
    if (next) wire.send(next)
    else this.#free.push(wire)
  }
}

/** One connection, on which one request is under way at a time. */
class RawConnection {
  readonly #socket: Socket
  readonly #freed: (wire: RawConnection) => void
  #asked: PendingRequest | undefined
  #status: number | undefined
  /** Bytes of the answer that are still to come; unknown before its head. */
  #left = 0

  constructor(socket: Socket, release: (wire: RawConnection) => void) {
    this.#socket = socket
    this.#freed = release
    socket.on('data', (bytes) => this.#take(bytes))
    socket.on('error', () => {})
    socket.on('close', () => this.#answer({ problem: 'the connection was closed' }))
  }

  send(asked: PendingRequest): void {
    this.#asked = asked
    this.#status = undefined
    if (this.#socket.writable) this.#socket.write(asked.request)
    else this.#answer({ problem: 'the connection was closed' })
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(bytes: Buffer): void {
    this.#left -= bytes.length
    if (this.#status === undefined) {
      const head = bytes.toString('latin1', 0, bytes.indexOf(HEADER_END))
      this.#status = Number(head.slice(9, 12))
      this.#left = head.length + HEADER_END.length + Number(/content-length: (\d+)/i.exec(head)![1]) - bytes.length
    }
    if (this.#left > 0) return
    this.#answer({ status: this.#status })
    this.#freed(this)
  }

  #answer(glance: Omit<StatusResult, 'ms'>): void {
    const { askedAt, resolve } = this.#asked ?? {}
    if (askedAt !== undefined) resolve!({ ...glance, ms: performance.now() - askedAt })
    this.#asked = undefined
  }
}
