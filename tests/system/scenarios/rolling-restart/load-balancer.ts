import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiNode } from '../../../support/api-node.ts'
import { FaultyProxy } from '../../../support/faulty-proxy.ts'

const POLL_INTERVAL_MS = 200

/**
 * A minimal TCP load balancer: assigns each new connection round-robin to one of the processes whose last /readyz was
 * 200. It doesn't know HTTP and never retries: whatever a process rejects or drops has failed.
 */
export class LoadBalancer {
  readonly #nodes: ApiNode[]
  readonly #ready = new Set<number>()
  readonly #proxy: FaultyProxy
  #next = 0
  #closed = false
  #watching: Promise<unknown> = Promise.resolve()

  /** `nodes` may change in the meantime; each index keeps its port. */
  static async open(nodes: ApiNode[]): Promise<LoadBalancer> {
    const proxy = await FaultyProxy.start(() => balancer.#pickNode())
    const balancer = new LoadBalancer(nodes, proxy)
    balancer.#watching = Promise.all(nodes.keys().map((index) => balancer.#watch(index)))
    await Promise.all(nodes.keys().map((index) => balancer.waitUntilReady(index)))
    return balancer
  }

  private constructor(nodes: ApiNode[], proxy: FaultyProxy) {
    this.#nodes = nodes
    this.#proxy = proxy
  }

  get port(): number {
    return this.#proxy.port
  }

  async waitUntilReady(index: number): Promise<void> {
    while (!this.#ready.has(index)) await sleep(20)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#watching
    await this.#proxy.close()
  }

  #pickNode(): { host: string; port: number } | undefined {
    const indexes = [...this.#ready]
    const index = indexes[this.#next++ % indexes.length]
    return index === undefined ? undefined : { host: '127.0.0.1', port: this.#nodes[index]!.port }
  }

  async #watch(index: number): Promise<void> {
    while (!this.#closed) {
      const response = await fetch(`${this.#nodes[index]!.origin}/readyz`).catch(() => undefined)
      await response?.text().catch(() => {})
      if (response?.ok) this.#ready.add(index)
      else this.#ready.delete(index)
      await sleep(POLL_INTERVAL_MS)
    }
  }
}
