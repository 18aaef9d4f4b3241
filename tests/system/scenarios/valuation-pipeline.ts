import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { asRole } from '../../support/database.ts'
import { Client } from '../../support/http-client.ts'
import { valuationPipelineMutants } from './valuation-pipeline/mutants.ts'
import { diffAgainstRecompute, waitUntilSettled } from './valuation-pipeline/published.ts'
import { seedScenario, minifigNumbers, setNumbers, ingestPrice, ingestSale } from './valuation-pipeline/seed-market.ts'
import { quantile } from '../../support/quantile.ts'
import { startWorkerNode, type WorkerNode } from './valuation-pipeline/worker-node.ts'
import { serviceRoot } from './ingest/load-ingest.ts'
import { Ingester } from './ingest/ingester.ts'
import { countLeakedCanaries, countCanaries, readableTables } from './isolation/grants.ts'
import {
  atLeast,
  exactly,
  none,
  timing,
  type Check,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from '../harness/scenario.ts'
import { SeededRandom } from '../harness/random.ts'
import type { TestEnvironment } from '../harness/test-environment.ts'

/** Measures how soon observations are served, and checks that a killed worker neither loses nor duplicates anything. */
export const valuationPipeline = {
  name: 'valuation-pipeline',
  summary: 'serves retail prices within 2 s of ingestion and values within 30 s; a killed worker loses nothing',
  options: {
    retail: { default: 60, description: 'retail observations timed from ingestion to response' },
    sales: { default: 20, description: 'sales timed from ingestion to a new value' },
    burst: { default: 200, description: 'sales ingested while workers are killed' },
    kills: { default: 5, description: 'workers killed in the middle of a transaction' },
  },
  mutantOptions: { retail: 5, sales: 3, burst: 100, kills: 2 },
  mutants: valuationPipelineMutants,
  run,
} satisfies Scenario

const RETAIL_GOAL_MS = 2000
const SALE_GOAL_MS = 30_000
const SETTLE_TIMEOUT_MS = 120_000
const LOST_AFTER_MS = 60_000

type PipelineRun = {
  environment: TestEnvironment
  ingester: Ingester
  random: SeededRandom
  reader: ApiReader
  workers: WorkerNode[]
}

async function run({ seed, options, openEnvironment, log }: ScenarioContext): Promise<ScenarioResult> {
  const { retail = 0, sales = 0, burst = 0, kills = 1 } = options
  const environment = await openEnvironment({ nodes: 1, synchronousCommit: false, maxSeconds: 300 })
  const root = serviceRoot()
  const ingester = await Ingester.open(environment, root)
  const workers: WorkerNode[] = []
  const reader = new ApiReader(environment.nodes[0]!.port, (await environment.createAccount({ limit: 1_000_000 })).key)
  const pipeline: PipelineRun = { environment, ingester, random: new SeededRandom(seed), reader, workers }
  try {
    await seedScenario(environment, ingester, pipeline.random)
    for (let n = 0; n < 2; n++) workers.push(await startWorkerNode(root, workerUrl(environment, n)))
    if ((await waitUntilSettled(environment, SETTLE_TIMEOUT_MS)) > 0)
      throw new Error('The workers didn’t finish in time.')
    log('2 workers have valued all items')
    const prices = await timePrices(pipeline, retail)
    const values = await timeValues(pipeline, sales)
    log(`${prices.length} prices and ${values.length} values timed`)
    const killed = { atWork: 0, dirty: 0, compared: 0, different: [] as string[] }
    for (let n = 0; n < kills; n++) {
      if (await ingestAndKill(pipeline, n, Math.ceil(burst / kills))) killed.atWork++
      killed.dirty += await waitUntilSettled(environment, SETTLE_TIMEOUT_MS)
      const recomputed = await diffAgainstRecompute(environment, ingester)
      killed.compared += recomputed.rows
      killed.different.push(...recomputed.different)
      workers.push(await startWorkerNode(root, workerUrl(environment, n + 2)))
    }
    log(`${kills} workers killed`)
    await reader.fetchEverything()
    for (const worker of workers) await worker.stop()
    const sent = prices.length + values.length + kills * Math.ceil(burst / kills)
    const canaries = await canaryChecks(pipeline)
    return {
      checks: [
        timing(p95Below('retail observation to response, p95 ms', RETAIL_GOAL_MS, prices)),
        timing(p95Below('sale to new value, p95 ms', SALE_GOAL_MS, values)),
        exactly('prices timed', retail, prices.length),
        exactly('values timed', sales, values.length),
        atLeast('workers killed within a transaction', Math.ceil(kills / 2), killed.atWork),
        none('items still dirty afterwards', killed.dirty),
        none('observations lost or duplicated', sent - (await countObservations(environment))),
        atLeast('published rows compared', 100, killed.compared),
        none('published rows that differ from a recompute', killed.different.length),
        ...canaries.checks,
      ],
      measurements: {
        'retail ms': summarize(prices),
        'sale ms': summarize(values),
        'published rows compared': killed.compared,
      },
      failures: [...killed.different.slice(0, 10), ...canaries.failures],
    }
  } finally {
    reader.close()
    for (const worker of workers) await worker.stop()
    await ingester.close()
  }
}

/** Reads from the API and searches every response for canaries. */
class ApiReader {
  readonly #client: Client
  readonly #key: string
  responses = 0
  canaryLeaks = 0

  constructor(port: number, key: string) {
    this.#client = new Client(port, 4)
    this.#key = key
  }

  async get(path: string): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.#key}` }
    const { response, error } = await this.#client.request({ method: 'GET', target: `/api/v1${path}`, headers })
    if (response === undefined) throw new Error(`No response to ${path}: ${error}`)
    this.responses++
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

  /** Fetches everything the API returns about the scenario's items. */
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

/**
 * Runs `act` repeatedly and measures the milliseconds until the check it returns succeeds. Stops if one never does.
 */
async function measureWaits(times: number, act: (n: number) => Promise<() => Promise<boolean>>) {
  const waits: number[] = []
  for (let n = 0; n < times; n++) {
    const started = performance.now()
    const isServed = await act(n)
    while (!(await isServed()) && performance.now() - started < LOST_AFTER_MS) {
      await sleep(5)
    }
    const ms = performance.now() - started
    if (ms >= LOST_AFTER_MS) break
    waits.push(ms)
  }
  return waits
}

function timePrices({ ingester, reader }: PipelineRun, times: number): Promise<number[]> {
  return measureWaits(times, async (n) => {
    const set = setNumbers[n % setNumbers.length]!
    const price = 50 + n / 100
    await ingestPrice(ingester, set, price.toFixed(2), `price-${n}`)
    return async () => (await reader.price(set)) === price
  })
}

function timeValues({ ingester, reader, random }: PipelineRun, times: number): Promise<number[]> {
  return measureWaits(times, async (n) => {
    const set = setNumbers[n % setNumbers.length]!
    const before = await reader.calculatedAt(set)
    await ingestSale(ingester, { set_number: set, condition: 'sealed' }, random, `value-${n}`)
    return async () => (await reader.calculatedAt(set)) !== before
  })
}

/** Gives each worker its own application name, by which its connections are identified. */
function workerUrl({ url }: TestEnvironment, n: number): string {
  return `${asRole(url, 'brickmark_worker')}?application_name=${workerName(n)}`
}

const workerName = (n: number) => `test worker ${n}`.replaceAll(' ', '-')

/**
 * Ingests sales, four at a time, and kills the oldest worker towards the end. Returns whether it was in a transaction.
 */
async function ingestAndKill(
  { environment, ingester, random, workers }: PipelineRun,
  round: number,
  sales: number,
): Promise<boolean> {
  let next = 0
  let inTransaction: Promise<boolean> | undefined
  const killAt = random.int(Math.floor(sales * 0.7), sales - 1)
  const work = async () => {
    for (let n = next++; n < sales; n = next++) {
      const item =
        n % 10 === 0
          ? { minifig_number: random.pick(minifigNumbers) }
          : { set_number: random.pick(setNumbers), condition: random.pick(['sealed', 'used']) }
      if (n === killAt) inTransaction = killMidTransaction(environment, workers[round]!, workerName(round))
      await ingestSale(ingester, item, random, `rush-${round}-${n}`)
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  return (await inTransaction) ?? false
}

/** Waits briefly until the worker has an open transaction, then kills it. */
async function killMidTransaction({ db }: TestEnvironment, worker: WorkerNode, name: string): Promise<boolean> {
  let busy = false
  for (const deadline = Date.now() + 2000; !busy && Date.now() < deadline;) {
    const { rows } = await sql`select from pg_stat_activity
      where application_name = ${name} and datname = current_database() and state = 'idle in transaction'
        and query ~ 'source.*_queue|sale_observation|_value'`.execute(db)
    busy = rows.length > 0
  }
  await worker.kill()
  return busy
}

/** Counts the individually ingested observations in the database. */
async function countObservations({ db }: TestEnvironment): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from source.sale_observation where source_id = 'prove' and event_id ~ '^CANARY-(value|rush)-')
         + (select count(*) from source.retail_observation where source_id = 'prove') as count`.execute(db)
  return rows[0]!.count
}

async function canaryChecks({
  environment,
  reader,
  workers,
}: PipelineRun): Promise<{ checks: Check[]; failures: string[] }> {
  const source = await readableTables(environment, 'source')
  const dump = await countLeakedCanaries(environment)
  const logs = [...environment.nodes, ...workers].map((process) => process.log())
  const errors = workers.flatMap((worker) =>
    worker
      .log()
      .split('\n')
      .filter((line) => /"level":(50|60)/.test(line)),
  )
  return {
    checks: [
      none(`source tables readable by the API, of ${source.tables}`, source.readable.length),
      atLeast('canaries in source rows', 100, await countCanaries(environment)),
      atLeast('responses searched', 80, reader.responses),
      none('canaries in responses', reader.canaryLeaks),
      none('canaries in logs', logs.filter((log) => log.includes('CANARY-')).length),
      none(`canaries in the ${dump.tables} tables outside source`, dump.leaked),
      none('errors in the worker logs', errors.length),
    ],
    failures: errors.slice(0, 5),
  }
}

function p95Below(name: string, limit: number, times: number[]): Check {
  const value = Math.round(quantile(times, 0.95))
  return { name, goal: `< ${limit}`, value, pass: times.length > 0 && value < limit }
}

function summarize(times: number[]) {
  const [median, p95, max] = [0.5, 0.95, 1].map((fraction) => Math.round(quantile(times, fraction)))
  return { median, p95, max }
}
