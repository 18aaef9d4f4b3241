import type { ApiNode } from '../../support/api-node.ts'
import { Client, type ClientRequest } from '../../support/http-client.ts'
import { SecretDetector, type Canary } from './canaries.ts'
import type { SecretRequest } from './requests.ts'

const CONNECTIONS = 32

/** Asks, and looks for secrets in what is answered. */
export class LeakScanner {
  readonly detector = new SecretDetector()
  readonly inErrors: string[] = []
  readonly inResponses: string[] = []
  readonly statuses = new Map<number, number>()
  answers = 0
  unanswered = 0
  readonly #client: Client

  constructor({ port }: ApiNode) {
    this.#client = new Client(port, CONNECTIONS)
  }

  async sendAll(all: SecretRequest[]): Promise<void> {
    const waiting = all.values()
    const work = async () => {
      for (const { ask, allowedEchoes } of waiting) await this.#ask(ask, allowedEchoes)
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, work))
  }

  async waitUntilServing(ask: ClientRequest): Promise<void> {
    for (const end = Date.now() + 20_000; Date.now() < end;) {
      if ((await this.#client.request(ask)).response?.status === 200) return
    }
    throw new Error('The api did not serve again after PostgreSQL was back.')
  }

  close(): void {
    this.#client.close()
  }

  async #ask(ask: ClientRequest, asked: Canary[]): Promise<void> {
    const { response } = await this.#client.request(ask)
    if (!response) {
      this.unanswered++
      return
    }
    this.answers++
    this.statuses.set(response.status, (this.statuses.get(response.status) ?? 0) + 1)
    const isError = response.status >= 400
    const found = this.detector.find(`${JSON.stringify(response.headers)}\n${response.text}`, isError ? [] : asked)
    if (found.length === 0) return
    const where = `${ask.method} ${ask.target} answered ${response.status} with ${found.join(', ')}: ${response.text}`
    ;(isError ? this.inErrors : this.inResponses).push(where.slice(0, 600))
  }
}
