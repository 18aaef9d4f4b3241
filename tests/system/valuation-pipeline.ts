import { sql } from 'kysely'
import { asRole } from '../support/database.ts'
import { Client } from '../support/http-client.ts'
import { engineMutants } from './valuation-pipeline/mutants.ts'
import { diffAgainstRecompute, waitUntilSettled } from './valuation-pipeline/published.ts'
import { seedScenario, minifigNumbers, setNumbers, ingestPrice, ingestSale } from './valuation-pipeline/seed-market.ts'
import { quantile } from '../support/quantile.ts'
import { startWorkerNode, type WorkerNode } from './valuation-pipeline/worker-node.ts'
import { serviceRoot } from './ingest/load-ingest.ts'
import { Ingester } from './ingest/ingester.ts'
import { countLeakedCanaries, countCanaries, readableTables } from './isolation/grants.ts'
import {
  atLeast,
  exactly,
  none,
  type Check,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from './scenario.ts'
import { SeededRandom } from './random.ts'
import type { TestEnvironment } from './test-environment.ts'

/** From an observation to an answer: how soon, and that a killed worker loses and doubles nothing. */
export const engine: Scenario = {
  name: 'valuation-pipeline',
  covers: ['T4', 'T12'],
  summary: 'retail prices are served within 2 s of coming in, values within 30 s; a killed worker loses nothing',
  options: {
    retail: { default: 60, description: 'retail observations whose way to an answer is timed' },
    sales: { default: 20, description: 'sales whose way to a new value is timed' },
    burst: { default: 200, description: 'sales that come in while workers are killed' },
    kills: { default: 5, description: 'workers killed in the middle of their work' },
  },
  mutantOptions: { retail: 5, sales: 3, burst: 100, kills: 2 },
  mutants: engineMutants,
  run,
}

const RETAIL_GOAL_MS = 2000
const SALE_GOAL_MS = 30_000
const PATIENCE_MS = 60_000

type EngineRun = {
  stage: TestEnvironment
  intake: Ingester
  random: SeededRandom
  window: ApiReader
  workers: WorkerNode[]
}

async function run({ seed, options, openEnvironment: openStage, log }: ScenarioContext): Promise<ScenarioResult> {
  const { retail = 0, sales = 0, rush: burst = 0, kills = 1 } = options
  const stage = await openStage({ nodes: 1, synchronousCommit: false, maxSeconds: 300 })
  const root = serviceRoot()
  const intake = await Ingester.open(stage, root)
  const workers: WorkerNode[] = []
  const window = new ApiReader(stage.nodes[0]!.port, (await stage.createAccount({ limit: 1_000_000 })).key)
  const play: EngineRun = { stage, intake, random: new SeededRandom(seed), window, workers }
  try {
    await seedScenario(stage, intake, play.random)
    for (let n = 0; n < 2; n++) workers.push(await startWorkerNode(root, workerUrl(stage, n)))
    if ((await waitUntilSettled(stage, PATIENCE_MS)) > 0) throw new Error('The workers never came to an end.')
    log('2 workers have valued everything')
    const prices = await timePrices(play, retail)
    const values = await timeValues(play, sales)
    log(`${prices.length} prices and ${values.length} values timed`)
    const killed = { atWork: 0, dirty: 0, compared: 0, different: [] as string[] }
    for (let n = 0; n < kills; n++) {
      if (await ingestAndKill(play, n, Math.ceil(burst / kills))) killed.atWork++
      killed.dirty += await waitUntilSettled(stage, PATIENCE_MS)
      const anew = await diffAgainstRecompute(stage, intake)
      killed.compared += anew.rows
      killed.different.push(...anew.different)
      workers.push(await startWorkerNode(root, workerUrl(stage, n + 2)))
    }
    log(`${kills} workers killed`)
    await window.fetchEverything()
    for (const worker of workers) await worker.stop()
    const sent = prices.length + values.length + kills * Math.ceil(burst / kills)
    const canaries = await canaryChecks(play)
    return {
      checks: [
        p95Below('p95 ms, retail observation to answer', RETAIL_GOAL_MS, prices),
        p95Below('p95 ms, sale to new value', SALE_GOAL_MS, values),
        exactly('prices timed', retail, prices.length),
        exactly('values timed', sales, values.length),
        atLeast('workers killed within a transaction', Math.ceil(kills / 2), killed.atWork),
        none('items dirty after that', killed.dirty),
        none('observations lost or doubled', sent - (await countObservations(stage))),
        atLeast('published rows compared', 100, killed.compared),
        none('published rows other than computed anew', killed.different.length),
        ...canaries.goals,
      ],
      measurements: {
        'retail ms': summarize(prices),
        'sale ms': summarize(values),
        'published rows compared': killed.compared,
      },
      failures: [...killed.different.slice(0, 10), ...canaries.failures],
    }
  } finally {
    window.close()
    for (const worker of workers) await worker.stop()
    await intake.close()
  }
}

/** What the public sees, and every word of it. */
class ApiReader {
  readonly #client: Client
  readonly #key: string
  answers = 0
  canaryLeaks = 0

  constructor(port: number, key: string) {
    this.#client = new Client(port, 4)
    this.#key = key
  }

  async get(path: string): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.#key}` }
    const { response, error } = await this.#client.request({ method: 'GET', target: `/api/v1${path}`, headers })
    if (response === undefined) throw new Error(`No answer to ${path}: ${error}`)
    this.answers++
    if (response.text.includes('CANARY-')) this.canaryLeaks++
    return (JSON.parse(response.text) as { data: unknown }).data
  }

  async price(set: string): Promise<number | null> {
    const row = (await this.get(`/set/${set}/retail-prices`)) as { retailer_a: { price: number | null } } | null
    return row?.retailer_a.price ?? null
  }

  async calculatedAt(set: string): Promise<string | null> {
    const row = (await this.get(`/set/${set}`)) as { value_range: { calculated_at: string | null } }
    return row.value_range.calculated_at
  }

  /** Everything there is to see of the items of the scene. */
  async fetchEverything(): Promise<void> {
    for (const set of setNumbers) {
      for (const part of ['', '/history', '/retail-prices']) await this.get(`/set/${set}${part}`)
    }
    for (const minifig of minifigNumbers) await this.get(`/minifig/${minifig}`)
    await this.get('/set/search?query=set')
  }

  close(): void {
    this.#client.close()
  }
}

/** Milliseconds until `seen`; what is not seen in time ends the sampling, because the goal is missed anyway. */
async function measureWaits(times: number, patienceMs: number, one: (n: number) => Promise<() => Promise<boolean>>) {
  const waits: number[] = []
  for (let n = 0; n < times; n++) {
    const started = performance.now()
    const seen = await one(n)
    while (!(await seen()) && performance.now() - started < patienceMs) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    waits.push(performance.now() - started)
    if (waits.at(-1)! >= patienceMs) break
  }
  return waits
}

function timePrices({ intake, window }: EngineRun, times: number): Promise<number[]> {
  return measureWaits(times, 2 * RETAIL_GOAL_MS, async (n) => {
    const set = setNumbers[n % setNumbers.length]!
    const price = 50 + n / 100
    await ingestPrice(intake, set, price.toFixed(2), `price-${n}`)
    return async () => (await window.price(set)) === price
  })
}

function timeValues({ intake, window, random }: EngineRun, times: number): Promise<number[]> {
  return measureWaits(times, 1.5 * SALE_GOAL_MS, async (n) => {
    const set = setNumbers[n % setNumbers.length]!
    const before = await window.calculatedAt(set)
    await ingestSale(intake, { set_number: set, condition: 'sealed' }, random, `value-${n}`)
    return async () => (await window.calculatedAt(set)) !== before
  })
}

/** Each under a name of its own, by which its connections are known. */
function workerUrl({ url }: TestEnvironment, n: number): string {
  return `${asRole(url, 'brickmark_worker')}?application_name=${workerName(n)}`
}

const workerName = (n: number) => `proof worker ${n}`.replaceAll(' ', '-')

/** Sales come in four at a time; late among them the oldest worker is killed. Whether that was within a transaction. */
async function ingestAndKill(
  { stage, intake, random, workers }: EngineRun,
  round: number,
  sales: number,
): Promise<boolean> {
  let next = 0
  let atWork: Promise<boolean> | undefined
  const killAt = random.int(Math.floor(sales * 0.7), sales - 1)
  const work = async () => {
    for (let n = next++; n < sales; n = next++) {
      const item =
        n % 10 === 0
          ? { minifig_number: random.pick(minifigNumbers) }
          : { set_number: random.pick(setNumbers), condition: random.pick(['sealed', 'used']) }
      if (n === killAt) atWork = killMidTransaction(stage, workers[round]!, workerName(round))
      await ingestSale(intake, item, random, `rush-${round}-${n}`)
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  return (await atWork) ?? false
}

/** Waits a little until the worker has a transaction open. */
async function killMidTransaction({ db }: TestEnvironment, worker: WorkerNode, name: string): Promise<boolean> {
  let busy = false
  for (const deadline = Date.now() + 500; !busy && Date.now() < deadline;) {
    const { rows } = await sql`select from pg_stat_activity
      where application_name = ${name} and datname = current_database() and state = 'idle in transaction'
        and query ~ 'source.dirty_|sale_observation|_value'`.execute(db)
    busy = rows.length > 0
  }
  await worker.kill()
  return busy
}

/** How many of the single observations are there. */
async function countObservations({ db }: TestEnvironment): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from source.sale_observation where source_id = 'prove' and event_id ~ '^CANARY-(value|rush)-')
         + (select count(*) from source.retail_observation where source_id = 'prove') as count`.execute(db)
  return rows[0]!.count
}

async function canaryChecks({ stage, window, workers }: EngineRun): Promise<{ goals: Check[]; failures: string[] }> {
  const source = await readableTables(stage, 'source')
  const dump = await countLeakedCanaries(stage)
  const logs = [...stage.nodes, ...workers].map((one) => one.log())
  const errors = workers.flatMap((worker) =>
    worker
      .log()
      .split('\n')
      .filter((line) => /"level":(50|60)/.test(line)),
  )
  return {
    goals: [
      none(`tables of source the api can read, of ${source.tables}`, source.readable.length),
      atLeast('canaries in source rows', 100, await countCanaries(stage)),
      atLeast('answers searched', 80, window.answers),
      none('canaries in answers', window.canaryLeaks),
      none('canaries in logs', logs.filter((log) => log.includes('CANARY-')).length),
      none(`canaries in a dump of the ${dump.tables} tables outside source`, dump.leaked),
      none('errors in the logs of the workers', errors.length),
    ],
    failures: errors.slice(0, 5),
  }
}

function p95Below(name: string, limit: number, waits: number[]): Check {
  const value = Math.round(quantile(waits, 0.95))
  return { name, goal: `< ${limit}`, value, pass: waits.length > 0 && value < limit }
}

function summarize(waits: number[]) {
  const [median, p95, max] = [0.5, 0.95, 1].map((part) => Math.round(quantile(waits, part)))
  return { median, p95, max }
}
