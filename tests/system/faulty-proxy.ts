import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** How bytes pass: late, a few at a time, or not at all though nobody is told. */
export type NetworkFault = { delayMs?: number; bytesPerSecond?: number; blackhole?: boolean }

export type ServerAddress = { host: string; port: number }

type Pair = { client: Socket; upstream: Socket; blackholed: boolean }

const THROTTLE_INTERVAL_MS = 20

/** A cable of our own between two programs on loopback: a TCP proxy that can be slow, narrow, silent or cut. */
export class FaultyProxy {
  fault: NetworkFault = {}
  /** Connections that were cut or lost. */
  connectionsBroken = 0
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  #resets = false

  private constructor(to: () => ServerAddress | undefined) {
    this.#server = createServer((client) => this.#connectUpstream(client, to()))
  }

  /** `to` is asked anew for every connection; where there is no place, the connection is closed. */
  static async start(to: () => ServerAddress | undefined): Promise<FaultyProxy> {
    const link = new FaultyProxy(to)
    link.#server.listen(0, '127.0.0.1')
    await once(link.#server, 'listening')
    return link
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Every connection breaks now, and both ends are told: by a reset as often as by an end. */
  resetConnections(): void {
    this.connectionsBroken += this.#pairs.size
    this.#resets = !this.#resets
    for (const { client, upstream } of this.#pairs) {
      for (const end of [client, upstream]) {
        if (this.#resets) end.resetAndDestroy()
        else end.destroy()
      }
    }
  }

  /** Every connection that is open stays open at both ends but never carries another byte; new ones are as usual. */
  blackholeConnections(): void {
    this.connectionsBroken += this.#pairs.size
    for (const pair of this.#pairs) pair.blackholed = true
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const { client, upstream } of this.#pairs) {
      client.destroy()
      upstream.destroy()
    }
    await closed
  }

  #connectUpstream(client: Socket, index: ServerAddress | undefined): void {
    if (index === undefined) return void client.destroy()
    const upstream = connect(index)
    const pair = { client, upstream, blackholed: false }
    this.#pairs.add(pair)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.setNoDelay(true)
      this.#forward(pair, from, to)
    }
  }

  #forward(pair: Pair, from: Socket, to: Socket): void {
    let delivered = Promise.resolve()
    from.on('data', (bytes: Buffer) => {
      const arrivedAt = performance.now()
      delivered = delivered.then(() => this.#deliver(pair, bytes, to, arrivedAt))
    })
    from.on('end', () => {
      delivered = delivered.then(() => this.#tell(pair, () => to.end()))
    })
    from.on('error', () => {})
    from.on('close', () => {
      if (to.destroyed) this.#pairs.delete(pair)
      // After an error what is under way is lost, as in a network.
      else if (from.errored) this.#tell(pair, () => to.destroy())
      else void delivered.then(() => this.#tell(pair, () => to.destroy()))
    })
  }

  /** That one side ended reaches the other like everything else, or not at all. */
  #tell(pair: Pair, propagateClose: () => void): void {
    if (this.fault.blackhole) pair.blackholed = true
    if (!pair.blackholed) propagateClose()
  }

  async #deliver(pair: Pair, bytes: Buffer, to: Socket, arrivedAt: number): Promise<void> {
    const { delayMs = 0, bytesPerSecond } = this.fault
    const early = arrivedAt + delayMs - performance.now()
    if (early > 0) await pause(early)
    const step =
      bytesPerSecond === undefined
        ? bytes.length
        : Math.max(1, Math.round((bytesPerSecond * THROTTLE_INTERVAL_MS) / 1000))
    for (let at = 0; at < bytes.length; at += step) {
      if (at > 0) await pause(THROTTLE_INTERVAL_MS)
      // What is sent into silence is gone: by then the other side has given up, and so has TCP.
      if (pair.blackholed || this.fault.blackhole || !to.writable) return
      to.write(bytes.subarray(at, at + step))
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
