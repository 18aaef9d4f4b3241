import { randomBytes } from 'node:crypto'
import { buildKey } from '@brickmark/core/account/api-key'
import { randomCall, type LimitedKey } from '../admission/calls.ts'
import { Client } from '../../support/http-client.ts'
import { sendRaw } from '../contract/raw-socket.ts'
import { SeededRandom } from '../random.ts'
import type { TestEnvironment } from '../test-environment.ts'
import { TrafficGenerator } from '../traffic-generator.ts'

const CLIENTS = 16
const ANOMALY_INTERVAL_MS = 1000

/** Everything that happens to a process in a day, over and over: it must leave nothing behind. */
export class SoakLoad {
  answered = 0
  readonly unexpected: string[] = []
  changes = 0
  readonly #traffic: TrafficGenerator
  readonly #anomalies: Promise<void>
  #stopped = false

  constructor(stage: TestEnvironment, keys: LimitedKey[], { seed, rate }: { seed: number; rate: number }) {
    const random = new SeededRandom(seed)
    const ports = stage.nodes.map((node) => node.port)
    const sets = stage.market.sets.slice(0, 50).map((set) => set.set_number)
    const choice = { random, nodes: ports.length, sets }
    this.#traffic = new TrafficGenerator(ports, {
      next: () => randomCall(random.pick(keys), choice),
      rate,
      clients: CLIENTS,
      onObservation: ({ call, status }) => {
        this.answered++
        if (status !== call.expectedStatus) this.unexpected.push(`${call.name} answered ${status}`)
      },
    })
    this.#anomalies = this.#injectAnomalies(stage, random, keys)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all([this.#traffic.stop(), this.#anomalies])
  }

  /** Once a second: a value changes, a stranger asks, a client comes and leaves before its answer, one sends half. */
  async #injectAnomalies(stage: TestEnvironment, random: SeededRandom, keys: LimitedKey[]): Promise<void> {
    while (!this.#stopped) {
      await new Promise((resolve) => setTimeout(resolve, ANOMALY_INTERVAL_MS))
      await this.#changeValue(stage, random)
      for (const { port } of stage.nodes) {
        const authorization = `Bearer ${random.pick(keys).key}`
        const text = `GET /api/v1/catalog/themes HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`
        const pieces = [Buffer.from(random.next() < 0.5 ? text : text.slice(0, 60))]
        await sendRaw(port, { chunks: pieces, pauseMs: 0, thenDo: 'leave' }, false)
        await askOnce(port, `Bearer ${buildKey(randomBytes(20))}`)
      }
    }
  }

  async #changeValue({ db, market }: TestEnvironment, random: SeededRandom): Promise<void> {
    const value = (random.int(1000, 90_000) / 100).toFixed(2)
    await db
      .updateTable('market.set_value')
      .set({ value_usd: value, range_low_usd: value, range_high_usd: value })
      .where('set_number', '=', random.pick(market.sets).set_number)
      .where('condition', '=', 'sealed')
      .where('value_usd', 'is not', null)
      .execute()
    this.changes++
  }
}

/** On a connection of its own. */
async function askOnce(port: number, authorization: string): Promise<void> {
  const client = new Client(port, 1)
  await client.request({ method: 'GET', target: '/api/v1/brickfolio', headers: { authorization } })
  client.close()
}
