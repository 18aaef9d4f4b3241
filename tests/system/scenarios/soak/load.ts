import { setTimeout as sleep } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
import { buildKey } from '@brickmark/core/account/api-key'
import { randomCall, type LimitedKey } from '../admission/calls.ts'
import { Client } from '../../../support/http-client.ts'
import { sendRaw } from '../contract/raw-socket.ts'
import { SeededRandom } from '../../harness/random.ts'
import type { TestEnvironment } from '../../harness/test-environment.ts'
import { TrafficGenerator } from '../../harness/traffic-generator.ts'

const CLIENTS = 16
const ANOMALY_INTERVAL_MS = 1000

/** Repeats everything that happens to a process in a day; none of it may leave anything behind. */
export class SoakLoad {
  requests = 0
  readonly unexpected: string[] = []
  changes = 0
  readonly #traffic: TrafficGenerator
  readonly #anomalies: Promise<void>
  #stopped = false

  constructor(environment: TestEnvironment, keys: LimitedKey[], { seed, rate }: { seed: number; rate: number }) {
    const random = new SeededRandom(seed)
    const ports = environment.nodes.map((node) => node.port)
    const sets = environment.market.sets.slice(0, 50).map((set) => set.set_number)
    const choice = { random, nodes: ports.length, sets }
    this.#traffic = new TrafficGenerator(ports, {
      next: () => randomCall(random.pick(keys), choice),
      rate,
      clients: CLIENTS,
      onObservation: ({ call, status }) => {
        this.requests++
        if (status !== call.expectedStatus) this.unexpected.push(`${call.name} returned ${status}`)
      },
    })
    this.#anomalies = this.#injectAnomalies(environment, random, keys)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all([this.#traffic.stop(), this.#anomalies])
  }

  /**
   * Every second: changes a value, sends a request with an unknown key, and disconnects before the response or halfway
   * through a request.
   */
  async #injectAnomalies(environment: TestEnvironment, random: SeededRandom, keys: LimitedKey[]): Promise<void> {
    while (!this.#stopped) {
      await sleep(ANOMALY_INTERVAL_MS)
      await this.#changeValue(environment, random)
      for (const { port } of environment.nodes) {
        const authorization = `Bearer ${random.pick(keys).key}`
        const text = `GET /api/v1/catalog/themes HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`
        const chunks = [Buffer.from(random.next() < 0.5 ? text : text.slice(0, 60))]
        await sendRaw(port, { chunks, pauseMs: 0, thenDo: 'leave' }, false)
        await sendOnce(port, `Bearer ${buildKey(randomBytes(20))}`)
      }
    }
  }

  async #changeValue({ db, market }: TestEnvironment, random: SeededRandom): Promise<void> {
    const value = random.int(1000, 90_000)
    await db
      .updateTable('market.set_value')
      .set({ value_cents: value, range_low_cents: value, range_high_cents: value })
      .where('set_number', '=', random.pick(market.sets).set_number)
      .where('condition', '=', 'sealed')
      .where('value_cents', 'is not', null)
      .execute()
    this.changes++
  }
}

/** Sends a request on a new connection. */
async function sendOnce(port: number, authorization: string): Promise<void> {
  const client = new Client(port, 1)
  await client.request({ method: 'GET', target: '/api/v1/brickfolio', headers: { authorization } })
  client.close()
}
