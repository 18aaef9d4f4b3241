import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** How bytes pass: late, a few at a time, or not at all though nobody is told. */
export type Manner = { delayMs?: number; bytesPerSecond?: number; silent?: boolean }

export type Place = { host: string; port: number }

type Pair = { near: Socket; far: Socket; lost: boolean }

const DRIP_MS = 20

/** A cable of our own between two programs on loopback: a TCP proxy that can be slow, narrow, silent or cut. */
export class Link {
  manner: Manner = {}
  /** Connections that were cut or lost. */
  broken = 0
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  #resets = false

  private constructor(to: () => Place | undefined) {
    this.#server = createServer((near) => this.#join(near, to()))
  }

  /** `to` is asked anew for every connection; where there is no place, the connection is closed. */
  static async lay(to: () => Place | undefined): Promise<Link> {
    const link = new Link(to)
    link.#server.listen(0, '127.0.0.1')
    await once(link.#server, 'listening')
    return link
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Every connection breaks now, and both ends are told: by a reset as often as by an end. */
  cut(): void {
    this.broken += this.#pairs.size
    this.#resets = !this.#resets
    for (const { near, far } of this.#pairs) {
      for (const end of [near, far]) {
        if (this.#resets) end.resetAndDestroy()
        else end.destroy()
      }
    }
  }

  /** Every connection that is open stays open at both ends but never carries another byte; new ones are as usual. */
  lose(): void {
    this.broken += this.#pairs.size
    for (const pair of this.#pairs) pair.lost = true
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const { near, far } of this.#pairs) {
      near.destroy()
      far.destroy()
    }
    await closed
  }

  #join(near: Socket, place: Place | undefined): void {
    if (place === undefined) return void near.destroy()
    const far = connect(place)
    const pair = { near, far, lost: false }
    this.#pairs.add(pair)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.setNoDelay(true)
      this.#pass(pair, from, to)
    }
  }

  #pass(pair: Pair, from: Socket, to: Socket): void {
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
  #tell(pair: Pair, tell: () => void): void {
    if (this.manner.silent) pair.lost = true
    if (!pair.lost) tell()
  }

  async #deliver(pair: Pair, bytes: Buffer, to: Socket, arrivedAt: number): Promise<void> {
    const { delayMs = 0, bytesPerSecond } = this.manner
    const early = arrivedAt + delayMs - performance.now()
    if (early > 0) await pause(early)
    const step =
      bytesPerSecond === undefined ? bytes.length : Math.max(1, Math.round((bytesPerSecond * DRIP_MS) / 1000))
    for (let at = 0; at < bytes.length; at += step) {
      if (at > 0) await pause(DRIP_MS)
      // What is sent into silence is gone: by then the other side has given up, and so has TCP.
      if (pair.lost || this.manner.silent || !to.writable) return
      to.write(bytes.subarray(at, at + step))
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
