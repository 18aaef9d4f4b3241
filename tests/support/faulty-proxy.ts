import { setTimeout as sleep } from 'node:timers/promises'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** How bytes are forwarded: delayed, throttled, or silently dropped. */
export type NetworkFault = { delayMs?: number; bytesPerSecond?: number; blackhole?: boolean }

export type ServerAddress = { host: string; port: number }

type Pair = { client: Socket; upstream: Socket; blackholed: boolean }

const THROTTLE_INTERVAL_MS = 20

/** A TCP proxy between two processes on loopback that can delay, throttle, drop or cut traffic. */
export class FaultyProxy {
  fault: NetworkFault = {}
  /** Number of connections that were cut or blackholed. */
  connectionsBroken = 0
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  #resets = false

  private constructor(to: () => ServerAddress | undefined) {
    this.#server = createServer((client) => this.#connectUpstream(client, to()))
  }

  /** Calls `to` for every connection; if it returns undefined, the connection is closed. */
  static async start(to: () => ServerAddress | undefined): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(to)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Breaks every open connection visibly for both ends, alternating between reset and close. */
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

  /** Keeps every open connection open at both ends but forwards no more bytes; new connections work normally. */
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

  #connectUpstream(client: Socket, address: ServerAddress | undefined): void {
    if (address === undefined) return void client.destroy()
    const upstream = connect(address)
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
      delivered = delivered.then(() => this.#propagateClose(pair, () => to.end()))
    })
    from.on('error', () => {})
    from.on('close', () => {
      if (to.destroyed) this.#pairs.delete(pair)
      // After an error, bytes in flight are lost, as in a real network.
      else if (from.errored) this.#propagateClose(pair, () => to.destroy())
      else void delivered.then(() => this.#propagateClose(pair, () => to.destroy()))
    })
  }

  /** Forwards that one side closed, unless the connection is blackholed. */
  #propagateClose(pair: Pair, close: () => void): void {
    if (this.fault.blackhole) pair.blackholed = true
    if (!pair.blackholed) close()
  }

  async #deliver(pair: Pair, bytes: Buffer, to: Socket, arrivedAt: number): Promise<void> {
    const { delayMs = 0, bytesPerSecond } = this.fault
    const remainingMs = arrivedAt + delayMs - performance.now()
    if (remainingMs > 0) await sleep(remainingMs)
    const step =
      bytesPerSecond === undefined
        ? bytes.length
        : Math.max(1, Math.round((bytesPerSecond * THROTTLE_INTERVAL_MS) / 1000))
    for (let offset = 0; offset < bytes.length; offset += step) {
      if (offset > 0) await sleep(THROTTLE_INTERVAL_MS)
      // Bytes sent into a black hole are lost: by the time it ends, the other side and TCP have given up.
      if (pair.blackholed || this.fault.blackhole || !to.writable) return
      to.write(bytes.subarray(offset, offset + step))
    }
  }
}
