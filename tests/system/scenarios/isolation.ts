import { PEPPER } from '../../support/fixtures.ts'
import { ROLE_PASSWORD } from '../../support/database.ts'
import { Client } from '../../support/http-client.ts'
import { readOracle, type Oracle } from './contract/oracle.ts'
import { LeakDetector, makeMarkedAccounts, type MarkedAccount } from './isolation/accounts.ts'
import { randomRequest, Inspector, PATHS_WITH_ID } from './isolation/inspector.ts'
import { grantDifferences, countCanaries, readableTables } from './isolation/grants.ts'
import { readSharedShelves, SHELF_ROUNDS } from './isolation/shelves.ts'
import { isolationMutants } from './isolation/mutants.ts'
import { testPolicies, runWithoutAccountFilter, unforcedTables } from './isolation/row-security.ts'
import {
  atLeast,
  exactly,
  none,
  type Check,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from '../harness/scenario.ts'
import { SeededRandom } from '../harness/random.ts'
import type { TestEnvironment } from '../harness/test-environment.ts'

const CONNECTIONS = 16

/**
 * No account sees another's rows, with either of two defenses alone, and no response contains a licensed
 * row.
 */
export const isolation = {
  name: 'isolation',
  summary:
    'no account sees another’s rows, even with row-level security alone; no licensed row is in any response or log',
  options: {
    accounts: { default: 20, description: 'accounts, each with marked collections, lots and sales' },
    bodies: {
      default: 100_000,
      description: 'random response bodies to search for canaries, in addition to those of foreign ids',
    },
  },
  mutantOptions: { accounts: 4, bodies: 300 },
  mutants: isolationMutants,
  run,
} satisfies Scenario

async function run({
  seed,
  root,
  options,
  openEnvironment,
  onTeardown,
  log,
}: ScenarioContext): Promise<ScenarioResult> {
  const { accounts: count = 2, bodies = 0 } = options
  const environment = await openEnvironment({ nodes: 1, synchronousCommit: false, maxSeconds: 60 + bodies / 300 })
  const random = new SeededRandom(seed)
  const accounts = await makeMarkedAccounts(environment, random, count)
  const truth = await readOracle(environment.db)
  const client = new Client(environment.nodes[0]!.port, CONNECTIONS)
  const inspector = new Inspector(client, new LeakDetector(accounts))
  const foreignIds = await checkEveryAccount(inspector, accounts, truth)
  log(`foreign ids: ${inspector.findings.bodies} bodies`)
  const security = await rowSecurityChecks(environment, accounts)
  log('row-level security done')
  const shelves = await readSharedShelves(environment, accounts, { root, onTeardown })
  log(`shelves: ${shelves.bodies} bodies`)
  await sendRandomRequests(inspector, accounts, truth, { random, bodies, log })
  const checks = [
    ...responseChecks(inspector, foreignIds, expectedForeignIds(accounts)),
    ...security.checks,
    exactly('shelves read, concurrently', accounts.length * SHELF_ROUNDS, shelves.bodies),
    none('foreign or unshared rows in shelves', shelves.foreign),
    none('shelves without all of their own rows', shelves.incomplete),
    none('amounts paid in shelves', shelves.amounts),
    ...(await licenseChecks(environment, inspector, accounts, bodies)),
  ]
  client.close()
  return {
    checks,
    measurements: security.measurements,
    failures: [...inspector.findings.failures, ...security.failures, ...shelves.failures],
  }
}

function expectedForeignIds(accounts: MarkedAccount[]): number {
  const ids = accounts.reduce((sum, account) => sum + account.collectionIds.length, 0)
  return accounts.reduce((sum, account) => sum + PATHS_WITH_ID.length * (ids - account.collectionIds.length), 0)
}

/**
 * Sends requests from every account to every private endpoint, for its own rows and for every other account's
 * collections.
 */
async function checkEveryAccount(inspector: Inspector, accounts: MarkedAccount[], oracle: Oracle): Promise<number> {
  const requestCounts = await Promise.all(
    accounts.map(async (account) => {
      await inspector.checkOwnRows(account, oracle)
      const foreign = accounts.filter((other) => other !== account).flatMap((other) => other.collectionIds)
      return inspector.checkForeignIds(account, foreign)
    }),
  )
  return requestCounts.reduce((sum, count) => sum + count, 0)
}

async function sendRandomRequests(
  inspector: Inspector,
  accounts: MarkedAccount[],
  oracle: Oracle,
  { random, bodies, log }: { random: SeededRandom; bodies: number; log: (text: string) => void },
): Promise<void> {
  let remaining = bodies
  async function work(): Promise<void> {
    while (remaining-- > 0) {
      const { path, body } = randomRequest(random, oracle)
      await inspector.get(path, random.pick(accounts), body)
      if (remaining > 0 && remaining % 10_000 === 0) log(`${remaining} bodies remaining`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
}

function responseChecks({ findings }: Inspector, foreignIds: number, expected: number): Check[] {
  return [
    exactly('foreign ids requested, on 6 endpoints', expected, foreignIds),
    none('texts and prices of other accounts', findings.foreign),
    none('responses other than the account’s own rows', findings.wrongRows),
    none('foreign ids distinguishable from unused ids', findings.distinguishableIds),
  ]
}

async function rowSecurityChecks(environment: TestEnvironment, accounts: MarkedAccount[]) {
  const unfiltered = await runWithoutAccountFilter(environment, accounts)
  const policies = await testPolicies(environment, accounts[0]!)
  const unforced = await unforcedTables(environment)
  const sum = (value: (policy: (typeof policies)[number]) => number) =>
    policies.reduce((total, policy) => total + value(policy), 0)
  return {
    checks: [
      none('private reads not tested', unfiltered.untested.length),
      none('reads that return other rows without WHERE', unfiltered.changed),
      none('reads that return rows without the setting', unfiltered.visibleWithoutSetting),
      exactly('reads that leak without row-level security', unfiltered.reads, unfiltered.wouldLeak),
      atLeast('policies for the API role', 4, policies.length),
      none(
        'foreign rows with the policy',
        sum((policy) => policy.foreign),
      ),
      none(
        'foreign rows with the policy dropped',
        sum((policy) => policy.foreignWithoutPolicy),
      ),
      none(
        'dropped policies without an effect',
        policies.filter((policy) => policy.own === 0 || policy.ownWithoutPolicy > 0).length,
      ),
      none(
        'tables that leak nothing without RLS',
        policies.filter((policy) => policy.foreignWithoutRowSecurity === 0).length,
      ),
      none('private tables without forced row-level security', unforced.length),
    ],
    measurements: { 'private reads': unfiltered.reads, 'rows by table': policies },
    failures: unforced.map((table) => `row-level security is not forced on ${table}`),
  }
}

async function licenseChecks(
  environment: TestEnvironment,
  { findings }: Inspector,
  accounts: MarkedAccount[],
  bodies: number,
): Promise<Check[]> {
  const grants = await grantDifferences(environment)
  findings.failures.push(...grants)
  const source = await readableTables(environment, 'source')
  const account = await readableTables(environment, 'account')
  const log = environment.nodes.map((node) => node.log()).join('')
  const secrets = [
    'CANARY-',
    'PRIVATE-',
    'bmk_live_',
    PEPPER,
    `:${ROLE_PASSWORD}@`,
    ...accounts.map((account) => account.key),
  ]
  return [
    none('grants that differ from the committed list', grants.length),
    none(`readable tables in source, of ${source.tables}`, source.readable.length),
    none(`readable tables in account, of ${account.tables}`, account.readable.length),
    atLeast('canaries in source rows', 100, await countCanaries(environment)),
    atLeast('bodies searched', bodies, findings.bodies),
    none('canaries in bodies', findings.licensed),
    none('canaries, keys and secrets in the log', secrets.filter((secret) => log.includes(secret)).length),
    none('schema violations', findings.schemaViolations),
    none('requests without a response', findings.unanswered),
  ]
}
