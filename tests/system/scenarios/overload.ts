import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '@brickmark/core/db/database'
import type { TestAccount } from '../../support/fixtures.ts'
import {
  atLeast,
  none,
  atMost,
  type Check,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from '../harness/scenario.ts'
import { quantile } from '../../support/quantile.ts'
import { RawConnectionPool, type StatusResult } from '../harness/raw-connections.ts'

/**
 * Five times as many requests as the service can handle. Throughput stays the same, latency grows only slightly,
 * and a quiet client hardly notices.
 */
export const overload = {
  name: 'overload',
  summary: '5× overload of private reads: goodput ≥ 0.9 of capacity, admitted p99 ≤ 2×, a quiet key ≥ 99 % served',
  options: {
    seconds: {
      default: 60,
      description: 'duration of the overload in seconds; capacity is measured for a sixth of it before and after',
    },
    times: { default: 5, description: 'load as a multiple of capacity' },
    keys: { default: 20, description: 'keys that cause the overload' },
    lots: { default: 600, description: 'lots per account' },
  },
  mutantOptions: { seconds: 12, times: 5, keys: 20, lots: 400 },
  mutants: [
    {
      name: 'no-wait-limit',
      description: 'waits for a free connection without a time limit',
      edits: [
        {
          file: 'apps/api/server.ts',
          find: '    waitMs: CONNECTION_WAIT_MS,\n    callsPerConnection',
          replace: '    waitMs: 60_000,\n    callsPerConnection',
        },
        {
          file: 'packages/core/src/db/fair-queue.ts',
          find: 'const MAX_QUEUED = 1000',
          replace: 'const MAX_QUEUED = 1_000_000',
        },
      ],
    },
    {
      name: 'no-fair-queueing',
      description: 'hands out connections first come, first served, regardless of the account',
      edits: [
        {
          file: 'packages/core/src/db/fair-queue.ts',
          find: 'enqueuedAt - Math.min(now - account.lastServedAt, this.#timeoutMs)',
          replace: 'enqueuedAt - Math.min(now - account.lastServedAt, 0)',
        },
        {
          file: 'packages/core/src/db/fair-queue.ts',
          find: 'return outstanding === 0 ?',
          replace: 'return outstanding >= 0 ?',
        },
      ],
    },
  ],
  run,
} satisfies Scenario

const CAPACITY_CLIENTS = 16
const CONNECTIONS = 250
const QUIET_EVERY_MS = 500
const PATH = '/api/v1/brickfolio/analytics?period=1y'

async function run({ options, openEnvironment, log }: ScenarioContext): Promise<ScenarioResult> {
  const { seconds = 1, times = 1, keys: count = 1, lots = 1 } = options
  const environment = await openEnvironment({ nodes: 1, synchronousCommit: false, maxSeconds: 120 + 2 * seconds })
  const accounts = await Promise.all(
    Array.from({ length: count + 1 }, () => environment.createAccount({ limit: 1_000_000 })),
  )
  await seedLots(environment.db, accounts, lots)
  const [quiet, ...noisyAccounts] = accounts as [TestAccount, ...TestAccount[]]
  const connections = await RawConnectionPool.open(environment.nodes[0]!.port, CONNECTIONS)
  let sent = 0
  const send = () => connections.get(PATH, authHeader(noisyAccounts[sent++ % noisyAccounts.length]!))

  await closedLoopLoad(CAPACITY_CLIENTS, 5, send)
  // Half before and half after the overload: the machine may be faster or slower a minute later.
  const before = await closedLoopLoad(CAPACITY_CLIENTS, seconds / 6, send)
  const initialCapacity = summary(before, seconds / 6).goodput
  log(`capacity: ${initialCapacity.toFixed(0)} requests per second`)
  // Opened only now: the service closes connections on which no request arrives.
  const quietConnection = await RawConnectionPool.open(environment.nodes[0]!.port, 1)
  const stopped = { yes: false }
  const quietPolling = pollQuietKey(stopped, () => quietConnection.get(PATH, authHeader(quiet)))
  const results = await openLoopLoad(initialCapacity * times, seconds, send)
  stopped.yes = true
  const quietResults = await quietPolling
  const after = await closedLoopLoad(CAPACITY_CLIENTS, seconds / 6, send)
  const capacity = summary([...before, ...after], seconds / 3)
  const overloaded = summary(results, seconds)
  log(
    `under ${times}× load: ${overloaded.goodput.toFixed(0)} per second, p99 ${overloaded.p99.toFixed(0)} ms, ${results.length} requests sent`,
  )
  log(`capacity, before and after: ${capacity.goodput.toFixed(0)} per second, p99 ${capacity.p99.toFixed(0)} ms`)
  connections.close()
  quietConnection.close()

  const served = quietResults.filter((result) => result.status === 200).length / quietResults.length
  const others = results.filter((result) => result.status !== 200 && result.status !== 503)
  return {
    checks: [
      atLeastRatio('goodput ÷ capacity', overloaded.goodput / capacity.goodput, 0.9),
      atMost('p99 of served requests ÷ p99 at capacity', 2, rounded(overloaded.p99 / capacity.p99)),
      atLeastRatio('share of the quiet key’s requests served', served, 0.99),
      none('responses other than 200 and 503', others.length),
      atLeast('requests of the quiet key', seconds / 2, quietResults.length),
      atLeast('offered load ÷ initial capacity', times * 0.9, rounded(results.length / seconds / initialCapacity)),
    ],
    measurements: {
      capacity,
      'under overload': overloaded,
      'quiet key': { requests: quietResults.length, served: rounded(served) },
    },
    failures: [...new Set(others.map((other) => other.problem ?? `status ${other.status}`))],
  }
}

function authHeader({ key }: TestAccount): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

async function seedLots(db: Database, accounts: TestAccount[], lots: number): Promise<void> {
  for (const { accountId } of accounts) {
    await sql`
      with made as (insert into portfolio.collection (account_id, name) values (${accountId}, 'all') returning id)
      insert into portfolio.lot
        (account_id, collection_id, set_number, quantity, condition, purchase_price_cents, purchase_date)
      select ${accountId}, made.id, s.set_number, 1, 'sealed', 5000, current_date - 400
        from made, (select set_number, row_number() over (order by set_number) as place from catalog.set) s,
             generate_series(0, ${Math.ceil(lots / 600)}) again
       limit ${lots}`.execute(db)
  }
  await sql`analyze portfolio.lot`.execute(db)
}

/** Closed loop: keeps `lanes` requests in flight for the given time. */
async function closedLoopLoad(
  lanes: number,
  seconds: number,
  send: () => Promise<StatusResult>,
): Promise<StatusResult[]> {
  const deadline = performance.now() + seconds * 1000
  const results: StatusResult[] = []
  const lane = async () => {
    while (performance.now() < deadline) results.push(await send())
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return results
}

/** Open loop: sends at a fixed rate whether or not earlier requests are done, like many independent clients. */
async function openLoopLoad(rate: number, seconds: number, send: () => Promise<StatusResult>): Promise<StatusResult[]> {
  const started = performance.now()
  const results: Promise<StatusResult>[] = []
  for (let due = 0; due < rate * seconds; due = ((performance.now() - started) / 1000) * rate) {
    while (results.length < Math.min(due, rate * seconds)) results.push(send())
    await sleep(5)
  }
  return Promise.all(results)
}

async function pollQuietKey(stopped: { yes: boolean }, send: () => Promise<StatusResult>): Promise<StatusResult[]> {
  const results: StatusResult[] = []
  while (!stopped.yes) {
    results.push(await send())
    await sleep(QUIET_EVERY_MS)
  }
  return results
}

function summary(results: StatusResult[], seconds: number): { goodput: number; p99: number } {
  const good = results.filter((result) => result.status === 200)
  const p99 = quantile(
    good.map(({ ms }) => ms),
    0.99,
  )
  return { goodput: rounded(good.length / seconds), p99: rounded(p99) }
}

function atLeastRatio(name: string, value: number, min: number): Check {
  return { name, goal: `≥ ${min}`, value: rounded(value), pass: value >= min }
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
