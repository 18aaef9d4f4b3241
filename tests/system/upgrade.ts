import { quantile } from '../support/quantile.ts'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { PEPPER } from '../support/fixtures.ts'
import { randomCall } from './admission/calls.ts'
import { createUnlimitedKeys } from './admission/observe.ts'
import { startApiNode, type ApiNode } from '../support/api-node.ts'
import { reconcileCharges } from './reconcile-charges.ts'
import { atLeast, none, atMost, type Scenario, type ScenarioContext, type ScenarioResult } from './scenario.ts'
import { SeededRandom } from './random.ts'
import type { TestEnvironment } from './test-environment.ts'
import { TrafficGenerator } from './traffic-generator.ts'
import { LockMonitor } from './upgrade/lock-monitor.ts'
import { upgradeMutants } from './upgrade/mutants.ts'
import { previousVersion } from './upgrade/previous-version.ts'

const OF_CAPACITY = 0.7
const MAX_LOCK_WAIT_MS = 200

/** T20: the schema is migrated and the api replaced under load; nobody notices. */
export const upgrade: Scenario = {
  name: 'upgrade',
  covers: ['T20'],
  summary:
    'migrates and replaces the previous version under 0.7 of its capacity; both serve side by side, without an error',
  options: {
    nodes: { default: 1, description: 'api processes of each version' },
    clients: { default: 32, description: 'requests under way at once' },
    keys: { default: 50, description: 'keys' },
    seconds: { default: 8, description: 'seconds that both versions serve side by side' },
  },
  mutantOptions: { seconds: 4 },
  mutants: upgradeMutants,
  run,
}

async function run({
  seed,
  options,
  root,
  log,
  openEnvironment: openStage,
  onTeardown,
}: ScenarioContext): Promise<ScenarioResult> {
  const { nodes = 1, clients = 1, keys: count = 1, seconds = 1 } = options
  const previous = await previousVersion()
  onTeardown(() => previous.remove())
  log(`previous version: ${previous.name}`)
  const stage = await openStage({ nodes, synchronousCommit: true, maxSeconds: 120, version: previous.root })
  const random = new SeededRandom(seed)
  const choice = { random, nodes: 2 * nodes, sets: stage.market.sets.slice(0, 50).map((set) => set.set_number) }
  const keys = await createUnlimitedKeys(stage, count)
  const next = () => randomCall(random.pick(keys), choice)
  const oldPorts = stage.nodes.map((node) => node.port)

  const flatOut = new TrafficGenerator(oldPorts, { next, clients })
  await pause(2)
  const warm = flatOut.observations.length
  await pause(4)
  const capacity = (flatOut.observations.length - warm) / 4
  const measured = await flatOut.stop()
  log(`capacity: ${Math.round(capacity)} requests a second`)

  const traffic = new TrafficGenerator(oldPorts, { next, clients, rate: capacity * OF_CAPACITY })
  const locks = new LockMonitor(stage.url)
  const current = await startCurrentVersion(root, nodes, stage, onTeardown)
  await pause(1)
  const reader = await startLongReader(stage.url)
  const started = performance.now()
  const migrating = runMigrations(root, stage.url)
  const [migrated] = await Promise.all([migrating, reader.holdUntilAfter(migrating)])
  const migratedMs = performance.now() - started
  log(`${migrated.join(', ')} ran in ${Math.round(migratedMs)} ms`)
  await Promise.all(current.map((node) => node.waitUntilReady()))
  const newPorts = current.map((node) => node.port)
  traffic.redirectTo([...oldPorts, ...newPorts])
  await pause(seconds)
  traffic.redirectTo(newPorts)
  await pause(2)
  for (const node of stage.nodes) await node.stop()
  await pause(2)
  const seen = await traffic.stop()
  await locks.stop()

  const failed = seen.filter((one) => one.status !== one.call.expectedStatus)
  const { lost, unaccounted, duplicates } = reconcileCharges([...measured, ...seen], await stage.creditsUsed())
  const answersOf = (ports: number[]) => ports.reduce((sum, port) => sum + (traffic.responsesByPort.get(port) ?? 0), 0)
  return {
    checks: [
      none('errors', failed.length),
      atMost('longest wait for a lock, ms', MAX_LOCK_WAIT_MS, Math.round(locks.longestMs)),
      none('units lost, unexplained or given out twice', lost + unaccounted + duplicates),
      atLeast('migrations that ran', 1, migrated.length),
      atLeast('answers of the previous version', 200, answersOf(oldPorts)),
      atLeast('answers of the present version', 200, answersOf(newPorts)),
      atLeast('looks at the locks', 100, locks.samples),
    ],
    measurements: {
      'previous version': previous.name,
      migrations: migrated,
      'migration, ms': Math.round(migratedMs),
      'capacity of the previous version, requests a second': Math.round(capacity),
      requests: seen.length,
      'p99, ms': Math.round(
        quantile(
          seen.map((one) => one.receivedAt - one.sentAt),
          0.99,
        ),
      ),
    },
    failures: failed.slice(0, 8).map((one) => `${one.call.name} answered ${one.status}`),
  }
}

/** They wait, not ready, until the schema is theirs. */
async function startCurrentVersion(
  root: string,
  nodes: number,
  stage: TestEnvironment,
  stopAtEnd: ScenarioContext['onTeardown'],
): Promise<ApiNode[]> {
  const started: ApiNode[] = []
  for (let index = 0; index < nodes; index++) {
    const node = await startApiNode(root, { DATABASE_URL: stage.apiUrl, API_KEY_PEPPERS: PEPPER })
    stopAtEnd(() => node.stop(), node.pid)
    started.push(node)
  }
  return started
}

const HOLD_SECONDS = 1.5

/** Somebody reads every table, as a dump does, when the migration comes and for a while after. */
async function startLongReader(url: string): Promise<{ holdUntilAfter(migrating: Promise<unknown>): Promise<void> }> {
  const [client, watch] = [new pg.Client(url), new pg.Client(url)]
  await Promise.all([client.connect(), watch.connect()])
  await client.query('begin')
  await client.query(`do $$ declare one regclass; begin
    for one in select format('%I.%I', schemaname, tablename) from pg_tables
      where schemaname in ('catalog', 'market', 'source', 'account', 'portfolio')
    loop execute format('lock table %s in access share mode', one); end loop; end $$`)
  const arrived = `select from pg_stat_activity where application_name = 'brickmark migrate' and datname = current_database()`
  return {
    /** One that waits for no table of the reader's may have ended before it was seen. */
    async holdUntilAfter(migrating) {
      let ended = false
      void migrating.finally(() => (ended = true)).catch(() => {})
      while (!ended && (await watch.query(arrived)).rowCount === 0) await pause(0.05)
      await pause(HOLD_SECONDS)
      await Promise.all([client.end(), watch.end()])
    },
  }
}

async function runMigrations(root: string, url: string): Promise<string[]> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: url }
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'apps/ops/main.ts'), 'migrate'], { env })
  return [...stdout.matchAll(/\d{4}-[\w-]+/g)].map(([name]) => name)
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000))
}
