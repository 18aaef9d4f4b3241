import type { ApiNode } from '../../../support/api-node.ts'
import { Client, type ClientRequest } from '../../../support/http-client.ts'
import { SecretDetector, type Canary } from './canaries.ts'
import type { SecretRequest } from './requests.ts'

const CONNECTIONS = 32

/** Sends requests and searches the responses for secrets. */
export class LeakScanner {
  readonly detector = new SecretDetector()
  readonly inErrors: string[] = []
  readonly inResponses: string[] = []
  readonly statuses = new Map<number, number>()
  responses = 0
  withoutResponse = 0
  readonly #client: Client

  constructor({ port }: ApiNode) {
    this.#client = new Client(port, CONNECTIONS)
  }

  async sendAll(all: SecretRequest[]): Promise<void> {
    const pending = all.values()
    const work = async () => {
      for (const { request, allowedEchoes } of pending) await this.#send(request, allowedEchoes)
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, work))
  }

  async waitUntilServing(request: ClientRequest): Promise<void> {
    for (const deadline = Date.now() + 20_000; Date.now() < deadline;) {
      if ((await this.#client.request(request)).response?.status === 200) return
    }
    throw new Error('The API didn’t recover after PostgreSQL was restarted.')
  }

  close(): void {
    this.#client.close()
  }

  async #send(request: ClientRequest, allowedEchoes: Canary[]): Promise<void> {
    const { response } = await this.#client.request(request)
    if (!response) {
      this.withoutResponse++
      return
    }
    this.responses++
    this.statuses.set(response.status, (this.statuses.get(response.status) ?? 0) + 1)
    const isError = response.status >= 400
    const found = this.detector.find(
      `${JSON.stringify(response.headers)}\n${response.text}`,
      isError ? [] : allowedEchoes,
    )
    if (found.length === 0) return
    const leak = `${request.method} ${request.target} returned ${response.status} with ${found.join(', ')}: ${response.text}`
    ;(isError ? this.inErrors : this.inResponses).push(leak.slice(0, 600))
  }
}
