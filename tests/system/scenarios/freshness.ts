import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { inDatabase } from '../../support/database.ts'
import { Client } from '../../support/http-client.ts'
import { none, timing, type Scenario, type ScenarioContext, type ScenarioResult } from '../harness/scenario.ts'
import type { TestEnvironment } from '../harness/test-environment.ts'

/**
 * A published change is served within a second, and a lost listening connection leaves no stale response behind.
 */
export const freshness = {
  name: 'freshness',
  summary: 'serves a change within 1 s; after losing its listener, sends no stale response once /readyz reports fresh',
  options: {
    changes: { default: 10_000, description: 'changes published while the listener is dead' },
    samples: { default: 200, description: 'single changes whose propagation is timed' },
  },
  mutantOptions: { changes: 500, samples: 10 },
  mutants: [
    {
      name: 'no-reload',
      description: 'listens again after a lost connection but doesn’t reload',
      edits: [
        {
          file: 'apps/api/catalog/replica.ts',
          find: '    await this.#reloadAll()\n    // The connection',
          replace: '    if (!this.#loaded) await this.#reloadAll()\n    this.#loaded = true\n    // The connection',
        },
        {
          file: 'apps/api/catalog/replica.ts',
          find: '  #session = 0\n',
          replace: '  #session = 0\n  #loaded = false\n',
        },
      ],
    },
    {
      name: 'silent-value',
      description: 'doesn’t notify about value changes',
      edits: [
        {
          file: 'packages/core/migrations/0004-market.sql',
          find: "('market.set_value', 'sets'), ",
          replace: '',
        },
      ],
    },
  ],
  run,
} satisfies Scenario

async function run({ options, openEnvironment, log }: ScenarioContext): Promise<ScenarioResult> {
  const environment = await openEnvironment({ nodes: 1, maxSeconds: 120, synchronousCommit: false })
  const [node] = environment.nodes
  const client = new Client(node!.port, 8)
  const { key } = await environment.createAccount({ limit: 1_000_000 })
  const fetchValue = async (number: string) => {
    const { response } = await client.request({
      method: 'GET',
      target: `/api/v1/set/${number}`,
      headers: { authorization: `Bearer ${key}` },
    })
    return (JSON.parse(response!.text) as { data: { new_value_usd: number } }).data.new_value_usd
  }
  const numbers = await valuedSets(environment)

  const propagationTimes: number[] = []
  for (let sample = 0; sample < options['samples']!; sample++) {
    const number = numbers[sample % numbers.length]!
    propagationTimes.push(await measurePropagation(environment, number, 1000 + sample, fetchValue))
    // The others would only be waited for as long.
    if (propagationTimes.at(-1)! > PROPAGATION_TIMEOUT_MS) break
  }
  log(`${propagationTimes.length} changes timed`)

  let falseFreshReports = 0
  await withListenerDown(environment, async () => {
    await publishMany(environment, numbers, options['changes']!)
    if ((await readiness(node!.origin)) === 'fresh') falseFreshReports++
  })
  const freshAfter = await untilFresh(node!.origin)
  let stale = 0
  for (const { set_number, value_cents } of await valuesIn(environment)) {
    if ((await fetchValue(set_number)) !== value_cents! / 100) stale++
  }
  client.close()
  const slowest = Math.round(Math.max(...propagationTimes))
  return {
    checks: [
      timing({ name: 'slowest propagation, ms', goal: '< 1000', value: slowest, pass: slowest < 1000 }),
      none('changes never served', propagationTimes.filter((ms) => ms > PROPAGATION_TIMEOUT_MS).length),
      none('reported fresh without a listener', falseFreshReports),
      none('stale responses once fresh', stale),
      none('runs without sets to check', numbers.length === 0 ? 1 : 0),
    ],
    measurements: {
      sets: numbers.length,
      changes: options['changes'],
      fresh_after_ms: freshAfter,
      median_ms: median(propagationTimes),
    },
    failures: [],
  }
}

async function valuedSets({ db }: TestEnvironment): Promise<string[]> {
  const rows = await db
    .selectFrom('market.set_value')
    .select('set_number')
    .where('condition', '=', 'sealed')
    .where('value_cents', 'is not', null)
    .execute()
  return rows.map((row) => row.set_number)
}

function valuesIn({ db }: TestEnvironment) {
  return db
    .selectFrom('market.set_value')
    .select(['set_number', 'value_cents'])
    .where('condition', '=', 'sealed')
    .where('value_cents', 'is not', null)
    .execute()
}

const PROPAGATION_TIMEOUT_MS = 10_000

/** Publishes a value and polls until it is served or the timeout has passed. Returns the milliseconds it took. */
async function measurePropagation(
  environment: TestEnvironment,
  number: string,
  cents: number,
  fetchValue: (number: string) => Promise<number>,
): Promise<number> {
  await publish(environment, number, cents)
  const started = performance.now()
  while ((await fetchValue(number)) !== cents / 100) {
    if (performance.now() - started > PROPAGATION_TIMEOUT_MS) break
    await sleep(2)
  }
  return performance.now() - started
}

async function publish({ db }: TestEnvironment, number: string, cents: number): Promise<void> {
  await db
    .updateTable('market.set_value')
    .set({ value_cents: cents, range_low_cents: cents, range_high_cents: cents })
    .where('set_number', '=', number)
    .where('condition', '=', 'sealed')
    .execute()
}

/** Terminates the listening connection and prevents new connections until `work` is done. */
async function withListenerDown(environment: TestEnvironment, work: () => Promise<void>): Promise<void> {
  const server = new pg.Client(inDatabase(environment.url, 'postgres'))
  await server.connect()
  const name = new URL(environment.url).pathname.slice(1)
  try {
    // Opens the connection on which the changes are published.
    await sql`select 1`.execute(environment.db)
    await server.query(`alter database ${name} allow_connections false`)
    await killListener(environment)
    await work()
  } finally {
    await server.query(`alter database ${name} allow_connections true`)
    await server.end()
  }
}

async function killListener({ db }: TestEnvironment): Promise<void> {
  const { rows } = await sql<{ killed: boolean }>`
    select pg_terminate_backend(pid) as killed from pg_stat_activity
     where application_name = 'brickmark catalog' and datname = current_database()`.execute(db)
  if (rows.length === 0) throw new Error('There was no listener to kill.')
}

/** Publishes each change in its own transaction, as fast as one connection allows. */
async function publishMany(environment: TestEnvironment, numbers: string[], changes: number): Promise<void> {
  for (let change = 0; change < changes; change++) {
    await publish(environment, numbers[change % numbers.length]!, 5000 + change)
  }
}

async function readiness(origin: string): Promise<string | undefined> {
  const { catalog } = (await (await fetch(`${origin}/readyz`)).json()) as { catalog?: string }
  return catalog
}

/** Returns the milliseconds until /readyz reports fresh. */
async function untilFresh(origin: string): Promise<number> {
  const started = performance.now()
  while ((await readiness(origin)) !== 'fresh' && performance.now() - started < 30_000) {
    await sleep(20)
  }
  return Math.round(performance.now() - started)
}

function median(values: number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0)
}
