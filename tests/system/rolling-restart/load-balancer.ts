import type { ApiNode } from '../../support/api-node.ts'
import { FaultyProxy } from '../faulty-proxy.ts'

const POLL_INTERVAL_MS = 200

/**
 * A load balancer as simple as there is: for each new connection one of the processes whose /readyz was 200 when it was
 * last asked, in turn. It knows nothing of HTTP and tries nothing again: what a process refuses or drops has failed.
 */
export class LoadBalancer {
  readonly #nodes: ApiNode[]
  readonly #ready = new Set<number>()
  readonly #link: FaultyProxy
  #next = 0
  #closed = false
  #watching: Promise<unknown> = Promise.resolve()

  /** `nodes` may change meanwhile; a place keeps its port. */
  static async open(nodes: ApiNode[]): Promise<LoadBalancer> {
    const link = await FaultyProxy.start(() => balancer.#pickNode())
    const balancer = new LoadBalancer(nodes, link)
    balancer.#watching = Promise.all(nodes.keys().map((index) => balancer.#watch(index)))
    await Promise.all(nodes.keys().map((index) => balancer.waitUntilReady(index)))
    return balancer
  }

  private constructor(nodes: ApiNode[], link: FaultyProxy) {
    this.#nodes = nodes
    this.#link = link
  }

  get port(): number {
    return this.#link.port
  }

  async waitUntilReady(index: number): Promise<void> {
    while (!this.#ready.has(index)) await sleep(20)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#watching
    await this.#link.close()
  }

  #pickNode(): { host: string; port: number } | undefined {
    const places = [...this.#ready]
    const index = places[this.#next++ % places.length]
    return index === undefined ? undefined : { host: '127.0.0.1', port: this.#nodes[index]!.port }
  }

  async #watch(index: number): Promise<void> {
    while (!this.#closed) {
      const answer = await fetch(`${this.#nodes[index]!.origin}/readyz`).catch(() => undefined)
      await answer?.text().catch(() => {})
      if (answer?.ok) this.#ready.add(index)
      else this.#ready.delete(index)
      await sleep(POLL_INTERVAL_MS)
    }
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
