import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiNode } from '../../support/api-node.ts'

const EVERY_MS = 50
const MAX_ALLOWANCE_MS = 500

/**
 * Polls /healthz of the API processes continuously, which involves nothing but the machine itself. Its slowest response
 * is the tolerance for response times on a machine that is busy with other work.
 */
export class HealthProber {
  #slowestMs = 0
  #stopped = false
  readonly #polling: Promise<unknown>

  constructor(nodes: ApiNode[]) {
    this.#polling = Promise.all(nodes.map((node) => this.#poll(`${node.origin}/healthz`)))
  }

  /** Stops polling and returns the tolerance, capped at 500 ms: anything slower is a defect. */
  async stop(): Promise<number> {
    this.#stopped = true
    await this.#polling
    return Math.min(MAX_ALLOWANCE_MS, Math.ceil(this.#slowestMs))
  }

  async #poll(address: string): Promise<void> {
    while (!this.#stopped) {
      const started = performance.now()
      const response = await fetch(address).catch(() => undefined)
      await response?.text()
      this.#slowestMs = Math.max(this.#slowestMs, performance.now() - started)
      await sleep(EVERY_MS)
    }
  }
}
