import type { ApiNode } from '../support/api-node.ts'

const EVERY_MS = 50
const MAX_ALLOWANCE_MS = 500

/**
 * Asks api processes all the time whether they live, which needs nothing but the machine. What takes a little longer than it
 * may on a machine that is busy with other things is no fault: the slowest of these answers is how much longer.
 */
export class HealthProber {
  #slowestMs = 0
  #stopped = false
  readonly #beating: Promise<unknown>

  constructor(nodes: ApiNode[]) {
    this.#beating = Promise.all(nodes.map((node) => this.#poll(`${node.origin}/healthz`)))
  }

  /** Half a second at most: more would be a fault of its own. */
  async stop(): Promise<number> {
    this.#stopped = true
    await this.#beating
    return Math.min(MAX_ALLOWANCE_MS, Math.ceil(this.#slowestMs))
  }

  async #poll(address: string): Promise<void> {
    while (!this.#stopped) {
      const started = performance.now()
      const answer = await fetch(address).catch(() => undefined)
      await answer?.text()
      this.#slowestMs = Math.max(this.#slowestMs, performance.now() - started)
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    }
  }
}
