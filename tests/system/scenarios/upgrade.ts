import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../../support/quantile.ts'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { PEPPER } from '../../support/fixtures.ts'
import { randomCall } from './admission/calls.ts'
import { createUnlimitedKeys } from './admission/observe.ts'
import { startApiNode, type ApiNode } from '../../support/api-node.ts'
import { reconcileCharges } from '../harness/reconcile-charges.ts'
import { atLeast, none, atMost, type Scenario, type ScenarioContext, type ScenarioResult } from '../harness/scenario.ts'
import { SeededRandom } from '../harness/random.ts'
import type { TestEnvironment } from '../harness/test-environment.ts'
import { TrafficGenerator } from '../harness/traffic-generator.ts'
import { LockMonitor } from './upgrade/lock-monitor.ts'
import { upgradeMutants } from './upgrade/mutants.ts'
import { addPendingMigration } from './upgrade/pending-migration.ts'
import { previousVersion } from './upgrade/previous-version.ts'

const TARGET_LOAD = 0.7
const MAX_LOCK_WAIT_MS = 200

/** Migrates the schema and replaces the API under load without any disruption. */
export const upgrade = {
  name: 'upgrade',
  summary: 'migrates and replaces the previous version at 0.7 of its capacity; both serve side by side without errors',
  options: {
    nodes: { default: 1, description: 'API processes per version' },
    clients: { default: 32, description: 'requests in flight' },
    keys: { default: 50, description: 'keys' },
    seconds: { default: 8, description: 'duration of parallel operation in seconds' },
  },
  mutantOptions: { seconds: 4 },
  mutants: upgradeMutants,
  run,
} satisfies Scenario

async function run({
  seed,
  options,
  root,
  log,
  openEnvironment,
  onTeardown,
}: ScenarioContext): Promise<ScenarioResult> {
  const { nodes = 1, clients = 1, keys: count = 1, seconds = 1 } = options
  const previous = await previousVersion()
  onTeardown(() => previous.remove())
  log(`previous version: ${previous.name}`)
  const currentVersion = await addPendingMigration(root, previous.root)
  onTeardown(() => currentVersion.remove())
  const environment = await openEnvironment({ nodes, synchronousCommit: true, maxSeconds: 120, version: previous.root })
  const random = new SeededRandom(seed)
  const choice = { random, nodes: 2 * nodes, sets: environment.market.sets.slice(0, 50).map((set) => set.set_number) }
  const keys = await createUnlimitedKeys(environment, count)
  const next = () => randomCall(random.pick(keys), choice)
  const oldPorts = environment.nodes.map((node) => node.port)

  const saturation = new TrafficGenerator(oldPorts, { next, clients })
  await sleep(2000)
  const warmUpCount = saturation.observations.length
  await sleep(4000)
  const capacity = (saturation.observations.length - warmUpCount) / 4
  const measured = await saturation.stop()
  log(`capacity: ${Math.round(capacity)} requests per second`)

  const traffic = new TrafficGenerator(oldPorts, { next, clients, rate: capacity * TARGET_LOAD })
  const locks = new LockMonitor(environment.url)
  const current = await startCurrentVersion(currentVersion.root, nodes, environment, onTeardown)
  await sleep(1000)
  const reader = await startLongReader(environment.url)
  const started = performance.now()
  const migrating = runMigrations(currentVersion.root, environment.url)
  const [migrated] = await Promise.all([migrating, reader.holdUntilAfter(migrating)])
  const migratedMs = performance.now() - started
  log(`${migrated.join(', ')} ran in ${Math.round(migratedMs)} ms`)
  await Promise.all(current.map((node) => node.waitUntilReady()))
  const newPorts = current.map((node) => node.port)
  traffic.redirectTo([...oldPorts, ...newPorts])
  await sleep(seconds * 1000)
  traffic.redirectTo(newPorts)
  await sleep(2000)
  for (const node of environment.nodes) await node.stop()
  await sleep(2000)
  const observations = await traffic.stop()
  await locks.stop()

  const failed = observations.filter((observation) => observation.status !== observation.call.expectedStatus)
  const { lost, unaccounted, duplicates } = reconcileCharges(
    [...measured, ...observations],
    await environment.creditsUsed(),
  )
  const responsesFrom = (ports: number[]) =>
    ports.reduce((sum, port) => sum + (traffic.responsesByPort.get(port) ?? 0), 0)
  return {
    checks: [
      none('errors', failed.length),
      atMost('longest wait for a lock, ms', MAX_LOCK_WAIT_MS, Math.round(locks.longestMs)),
      none('credits lost, unexplained or reported twice', lost + unaccounted + duplicates),
      atLeast('migrations run', 1, migrated.length),
      atLeast('responses of the previous version', 200, responsesFrom(oldPorts)),
      atLeast('responses of the current version', 200, responsesFrom(newPorts)),
      atLeast('lock samples', 100, locks.samples),
    ],
    measurements: {
      'previous version': previous.name,
      migrations: migrated,
      'migration, ms': Math.round(migratedMs),
      'capacity of the previous version, requests per second': Math.round(capacity),
      requests: observations.length,
      'p99, ms': Math.round(
        quantile(
          observations.map((observation) => observation.receivedAt - observation.sentAt),
          0.99,
        ),
      ),
    },
    failures: failed.slice(0, 8).map((observation) => `${observation.call.name} returned ${observation.status}`),
  }
}

/** Starts processes of the current version, which aren't ready until the schema has been migrated. */
async function startCurrentVersion(
  root: string,
  nodes: number,
  environment: TestEnvironment,
  stopAtEnd: ScenarioContext['onTeardown'],
): Promise<ApiNode[]> {
  const started: ApiNode[] = []
  for (let index = 0; index < nodes; index++) {
    const node = await startApiNode(root, { DATABASE_URL: environment.apiUrl, API_KEY_PEPPERS: PEPPER })
    stopAtEnd(() => node.stop(), node.pid)
    started.push(node)
  }
  return started
}

const HOLD_SECONDS = 1.5

/** Holds a read lock on every table, as a dump does, from before the migration until a while after it started. */
async function startLongReader(url: string): Promise<{ holdUntilAfter(migrating: Promise<unknown>): Promise<void> }> {
  const [client, monitor] = [new pg.Client(url), new pg.Client(url)]
  await Promise.all([client.connect(), monitor.connect()])
  await client.query('begin')
  await client.query(`do $$ declare one regclass; begin
    for one in select format('%I.%I', schemaname, tablename) from pg_tables
      where schemaname in ('catalog', 'market', 'source', 'account', 'portfolio')
    loop execute format('lock table %s in access share mode', one); end loop; end $$`)
  const migrationSession = `select from pg_stat_activity where application_name = 'brickmark migrate' and datname = current_database()`
  return {
    /** A migration that waits for none of the locked tables may finish before it is observed. */
    async holdUntilAfter(migrating) {
      let finished = false
      void migrating.finally(() => (finished = true)).catch(() => {})
      while (!finished && (await monitor.query(migrationSession)).rowCount === 0) await sleep(50)
      await sleep(HOLD_SECONDS * 1000)
      await Promise.all([client.end(), monitor.end()])
    },
  }
}

async function runMigrations(root: string, url: string): Promise<string[]> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: url }
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'apps/ops/main.ts'), 'migrate'], { env })
  return [...stdout.matchAll(/\d{4}-[\w-]+/g)].map(([name]) => name)
}
