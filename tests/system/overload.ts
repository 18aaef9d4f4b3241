import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '@brickmark/core/db/database'
import type { TestAccount } from '../support/fixtures.ts'
import {
  atLeast,
  none,
  atMost,
  type Check,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from './scenario.ts'
import { quantile } from '../support/quantile.ts'
import { RawConnectionPool, type StatusResult } from './raw-connections.ts'

/** T17: five times as many requests as can be answered. As many are answered as before, not much later, and a quiet caller hardly notices. */
export const overload: Scenario = {
  name: 'overload',
  covers: ['T17'],
  summary: '5× overload of private reads: goodput ≥ 0.9 of capacity, admitted p99 ≤ 2×, a quiet key ≥ 99 % served',
  options: {
    seconds: {
      default: 60,
      description: 'how long the overload lasts; capacity is measured for a sixth of it before and after',
    },
    times: { default: 5, description: 'how many times the capacity is asked for' },
    keys: { default: 20, description: 'keys that ask too much' },
    holdings: { default: 600, description: 'lots of each account' },
  },
  mutantOptions: { seconds: 12, times: 5, keys: 20, holdings: 400 },
  mutants: [
    {
      name: 'no-wait-limit',
      description: 'whoever finds no connection waits for one as long as it takes',
      edits: [
        {
          file: 'apps/api/server.ts',
          find: 'openDatabase(readPool, { waitMs: CONNECTION_WAIT_MS })',
          replace: 'openDatabase(readPool, { waitMs: 60_000 })',
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
      description: 'connections go to whoever asked first, however much they ask',
      edits: [
        {
          file: 'packages/core/src/db/fair-queue.ts',
          find: 'const queue = this.#waiting.get(accountId)\n      if (queue)',
          replace: 'accountId = 0\n      const queue = this.#waiting.get(accountId)\n      if (queue)',
        },
        {
          file: 'packages/core/src/db/fair-queue.ts',
          find: 'this.#outstanding.has(accountId)',
          replace: 'this.#queued < 0',
        },
      ],
    },
  ],
  run,
}

const CAPACITY_CLIENTS = 16
const CONNECTIONS = 250
const QUIET_EVERY_MS = 500
const PATH = '/api/v1/brickfolio/analytics?period=1y'

async function run({ options, openEnvironment: openStage, log }: ScenarioContext): Promise<ScenarioResult> {
  const { seconds = 1, times = 1, keys: count = 1, holdings = 1 } = options
  const stage = await openStage({ nodes: 1, synchronousCommit: false, maxSeconds: 120 + 2 * seconds })
  const accounts = await Promise.all(Array.from({ length: count + 1 }, () => stage.createAccount({ limit: 1_000_000 })))
  await seedHoldings(stage.db, accounts, holdings)
  const [quiet, ...noisyAccounts] = accounts as [TestAccount, ...TestAccount[]]
  const wires = await RawConnectionPool.open(stage.nodes[0]!.port, CONNECTIONS)
  const quietWire = await RawConnectionPool.open(stage.nodes[0]!.port, 1)
  let turn = 0
  const ask = () => wires.get(PATH, authHeader(noisyAccounts[turn++ % noisyAccounts.length]!))

  await closedLoopLoad(CAPACITY_CLIENTS, 5, ask)
  // Half before and half after: the machine may be faster or slower a minute later.
  const before = await closedLoopLoad(CAPACITY_CLIENTS, seconds / 6, ask)
  const atFirst = summary(before, seconds / 6).goodput
  log(`capacity: ${atFirst.toFixed(0)} a second`)
  const stopped = { yes: false }
  const quietly = pollQuietKey(stopped, () => quietWire.get(PATH, authHeader(quiet)))
  const replies = await openLoopLoad(atFirst * times, seconds, ask)
  stopped.yes = true
  const quietReplies = await quietly
  const after = await closedLoopLoad(CAPACITY_CLIENTS, seconds / 6, ask)
  const capacity = summary([...before, ...after], seconds / 3)
  const under = summary(replies, seconds)
  log(`under ${times}×: ${under.goodput.toFixed(0)} a second, p99 ${under.p99.toFixed(0)} ms, ${replies.length} asked`)
  log(`capacity, before and after: ${capacity.goodput.toFixed(0)} a second, p99 ${capacity.p99.toFixed(0)} ms`)
  wires.close()
  quietWire.close()

  const served = quietReplies.filter((quietReply) => quietReply.status === 200).length / quietReplies.length
  const others = replies.filter((reply) => reply.status !== 200 && reply.status !== 503)
  return {
    checks: [
      atLeastRatio('goodput ÷ capacity', under.goodput / capacity.goodput, 0.9),
      atMost('p99 of what is answered ÷ at capacity', 2, rounded(under.p99 / capacity.p99)),
      atLeastRatio('share of a quiet key’s requests that are answered', served, 0.99),
      none('neither answered nor refused with 503', others.length),
      atLeast('requests of the quiet key', seconds / 2, quietReplies.length),
      atLeast('asked for ÷ capacity before', times * 0.9, rounded(replies.length / seconds / atFirst)),
    ],
    measurements: { capacity, under, quiet: { asked: quietReplies.length, served: rounded(served) } },
    failures: [...new Set(others.map((other) => other.problem ?? `status ${other.status}`))],
  }
}

function authHeader({ key }: TestAccount): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

async function seedHoldings(db: Database, accounts: TestAccount[], holdings: number): Promise<void> {
  for (const { accountId } of accounts) {
    await sql`
      with made as (insert into portfolio.brickfolio (account_id, name) values (${accountId}, 'all') returning id)
      insert into portfolio.holding
        (account_id, brickfolio_id, set_number, quantity, condition, purchase_price_usd, purchase_date)
      select ${accountId}, made.id, s.set_number, 1, 'sealed', 50, current_date - 400
        from made, (select set_number, row_number() over (order by set_number) as place from catalog.set) s,
             generate_series(0, ${Math.ceil(holdings / 600)}) again
       limit ${holdings}`.execute(db)
  }
  await sql`analyze portfolio.holding`.execute(db)
}

/** So many at a time, each again when it was answered. */
async function closedLoopLoad(
  lanes: number,
  seconds: number,
  ask: () => Promise<StatusResult>,
): Promise<StatusResult[]> {
  const until = performance.now() + seconds * 1000
  const replies: StatusResult[] = []
  const lane = async () => {
    while (performance.now() < until) replies.push(await ask())
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return replies
}

/** So many a second, whether the ones before are answered or not, as many callers do who know nothing of each other. */
async function openLoopLoad(rate: number, seconds: number, ask: () => Promise<StatusResult>): Promise<StatusResult[]> {
  const started = performance.now()
  const replies: Promise<StatusResult>[] = []
  for (let due = 0; due < rate * seconds; due = ((performance.now() - started) / 1000) * rate) {
    while (replies.length < Math.min(due, rate * seconds)) replies.push(ask())
    await setTimeout(5)
  }
  return Promise.all(replies)
}

async function pollQuietKey(stopped: { yes: boolean }, ask: () => Promise<StatusResult>): Promise<StatusResult[]> {
  const replies: StatusResult[] = []
  while (!stopped.yes) {
    replies.push(await ask())
    await setTimeout(QUIET_EVERY_MS)
  }
  return replies
}

function summary(replies: StatusResult[], seconds: number): { goodput: number; p99: number } {
  const good = replies.filter((reply) => reply.status === 200)
  const p99 = quantile(
    good.map(({ ms }) => ms),
    0.99,
  )
  return { goodput: rounded(good.length / seconds), p99: rounded(p99) }
}

function atLeastRatio(name: string, value: number, least: number): Check {
  return { name, goal: `≥ ${least}`, value: rounded(value), pass: value >= least }
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
