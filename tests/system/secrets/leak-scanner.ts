import type { ApiNode } from '../../support/api-node.ts'
import { Client, type Ask } from '../../support/http-client.ts'
import { Detector, type Canary } from './canaries.ts'
import type { Carrier } from './requests.ts'

const CONNECTIONS = 32

/** Asks, and looks for secrets in what is answered. */
export class Search {
  readonly detector = new Detector()
  readonly inErrors: string[] = []
  readonly inAnswers: string[] = []
  readonly statuses = new Map<number, number>()
  answers = 0
  unanswered = 0
  readonly #client: Client

  constructor({ port }: ApiNode) {
    this.#client = new Client(port, CONNECTIONS)
  }

  async askAll(all: Carrier[]): Promise<void> {
    const waiting = all.values()
    const work = async () => {
      for (const { ask, asked } of waiting) await this.#ask(ask, asked)
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, work))
  }

  async untilServed(ask: Ask): Promise<void> {
    for (const end = Date.now() + 20_000; Date.now() < end;) {
      if ((await this.#client.ask(ask)).answer?.status === 200) return
    }
    throw new Error('The api did not serve again after PostgreSQL was back.')
  }

  close(): void {
    this.#client.close()
  }

  async #ask(ask: Ask, asked: Canary[]): Promise<void> {
    const { answer } = await this.#client.ask(ask)
    if (!answer) {
      this.unanswered++
      return
    }
    this.answers++
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1)
    const isError = answer.status >= 400
    const found = this.detector.find(`${JSON.stringify(answer.headers)}\n${answer.text}`, isError ? [] : asked)
    if (found.length === 0) return
    const where = `${ask.method} ${ask.target} answered ${answer.status} with ${found.join(', ')}: ${answer.text}`
    ;(isError ? this.inErrors : this.inAnswers).push(where.slice(0, 600))
  }
}
