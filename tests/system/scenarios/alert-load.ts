import { setTimeout as sleep } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '@brickmark/core/db/database'
import { deriveSecret } from '@brickmark/core/webhook/signature'
import { resetPrices } from '../../support/alerts.ts'
import { asRole } from '../../support/database.ts'
import { quantile } from '../../support/quantile.ts'
import { processCpuMs } from '../../support/timing.ts'
import { loadAtRate, RawConnectionPool, type StatusResult } from '../harness/raw-connections.ts'
import { SeededRandom } from '../harness/random.ts'
import {
  atLeast,
  atMost,
  none,
  timing,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from '../harness/scenario.ts'
import { startWorkerNode } from './valuation-pipeline/worker-node.ts'
import { startReceiver } from './webhooks/receiver.ts'

/**
 * The API serves requests at a fixed rate while prices change. In every other phase a worker applies rules and sends webhooks;
 * in the others it is stopped.
 */
export const alertLoad = {
  name: 'alert-load',
  summary: 'API requests cost and take as long while rules are applied and webhooks are sent',
  options: {
    phases: { default: 20, description: 'phases with and without alerts, in turn' },
    seconds: { default: 10, description: 'length of a phase' },
    rate: { default: 400, description: 'requests per second' },
    changes: { default: 5, description: 'changes of a price per second' },
    rules: { default: 10_000, description: 'alert rules' },
  },
  mutantOptions: {},
  mutants: [],
  run,
} satisfies Scenario

const KEY = 'k'.repeat(32)
const SETS = 200
const ACCOUNTS = 20

type Phase = { isBusy: boolean; results: StatusResult[]; cpuMs: number }

async function run({
  seed,
  options,
  openEnvironment,
  onTeardown,
  root,
  log,
}: ScenarioContext): Promise<ScenarioResult> {
  const { phases: count = 2, seconds = 1, rate = 1, changes = 1, rules = 1 } = options
  const environment = await openEnvironment({
    nodes: 1,
    maxSeconds: 120 + 2 * count * seconds,
    synchronousCommit: false,
  })
  const { db } = environment
  const random = new SeededRandom(seed)
  const numbers = await resetPrices(db, SETS, 5000)
  const worker = await startWorkerNode(root, asRole(environment.url, 'brickmark_worker'), {
    WEBHOOK_KEY: KEY,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
  })
  const receivers = await addAccounts(environment.createAccount.bind(environment), db, numbers, rules, random)
  onTeardown(() => Promise.all(receivers.map((receiver) => receiver.stop())))
  const { key } = await environment.createAccount({ limit: 100_000_000 })
  const [node] = environment.nodes
  const connections = await RawConnectionPool.open(node!.port, 64)
  const send = () => connections.get(`/api/v1/set/${random.pick(numbers)}`, { authorization: `Bearer ${key}` })

  await loadAtRate(send, rate, seconds)
  const phases: Phase[] = []
  for (let index = 0; index < count; index++) {
    const isBusy = index % 2 === 1
    process.kill(worker.pid, isBusy ? 'SIGCONT' : 'SIGSTOP')
    const until = performance.now() + seconds * 1000
    const writing = changePrices(db, numbers, changes, until, random)
    const before = await processCpuMs(node!.pid!)
    const results = await loadAtRate(send, rate, seconds)
    phases.push({ isBusy, results, cpuMs: (await processCpuMs(node!.pid!)) - before })
    await writing
  }
  process.kill(worker.pid, 'SIGCONT')
  await worker.stop()
  connections.close()
  const [quiet, busy] = [summarize(phases, false), summarize(phases, true)]
  const sent = receivers.reduce((sum, receiver) => sum + receiver.requests(), 0)
  log(`${sent} webhooks`)
  const failures = phases.flatMap(({ results }) => results).filter(({ status }) => status !== 200)
  return {
    checks: [
      none('responses other than 200', failures.length),
      atLeast('webhooks sent', 1, sent),
      timing(atMost('CPU of node per request, with ÷ without alerts', 1.02, rounded(busy.cpu / quiet.cpu))),
      timing(atMost('p99, with ÷ without alerts', 1.02, rounded(busy.p99 / quiet.p99))),
    ],
    measurements: { 'without alerts': quiet, 'with alerts': busy, webhooks: sent },
    failures: [...new Set(failures.map(({ status, problem }) => problem ?? `status ${status}`))],
  }
}

/** Median over the phases: microseconds of CPU per request, and percentiles in milliseconds. */
function summarize(phases: Phase[], isBusy: boolean): { cpu: number; p50: number; p99: number } {
  const own = phases.filter((phase) => phase.isBusy === isBusy)
  const median = (valueOf: (phase: Phase) => number) => rounded(quantile(own.map(valueOf), 0.5))
  const latency = (share: number) =>
    median(({ results }) =>
      quantile(
        results.map(({ ms }) => ms),
        share,
      ),
    )
  return {
    cpu: median(({ cpuMs, results }) => (cpuMs * 1000) / results.length),
    p50: latency(0.5),
    p99: latency(0.99),
  }
}

/** Adds accounts with an endpoint each, and rules; returns the receivers. */
async function addAccounts(
  createAccount: () => Promise<{ accountId: number }>,
  db: Database,
  numbers: string[],
  rules: number,
  random: SeededRandom,
) {
  const receivers = []
  for (let account = 0; account < ACCOUNTS; account++) {
    const { accountId } = await createAccount()
    const salt = randomBytes(16)
    const receiver = await startReceiver('good', deriveSecret(KEY, salt))
    receivers.push(receiver)
    await db.insertInto('webhook.endpoint').values({ account_id: accountId, url: receiver.url, salt }).execute()
    const rows = Array.from({ length: Math.ceil(rules / ACCOUNTS) }, () => ({
      account_id: accountId,
      kind: 'price_at_most',
      set_number: random.pick(numbers),
      threshold: random.int(3500, 4900),
    }))
    await db
      .insertInto('alert.rule')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  return receivers
}

async function changePrices(
  db: Database,
  numbers: string[],
  rate: number,
  until: number,
  random: SeededRandom,
): Promise<void> {
  while (performance.now() < until) {
    await sql`
      update market.retail_state set price_cents = ${random.int(3000, 6000)}
       where set_number = ${random.pick(numbers)} and retailer = 'retailer_a'`.execute(db)
    await sleep(1000 / rate)
  }
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
