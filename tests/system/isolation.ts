import { PEPPER } from '../support/fixtures.ts'
import { ROLE_PASSWORD } from '../support/database.ts'
import { Client } from '../support/http-client.ts'
import { readOracle, type Oracle } from './contract/oracle.ts'
import { LeakDetector, makeMarkedAccounts, type MarkedAccount } from './isolation/accounts.ts'
import { randomRequest, Inspector, PRIVATE_PATHS } from './isolation/inspector.ts'
import { grantDifferences, countCanaries, readableTables } from './isolation/grants.ts'
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
} from './scenario.ts'
import { SeededRandom } from './random.ts'
import type { TestEnvironment } from './test-environment.ts'

const CONNECTIONS = 16

/** T2, T3, T4: no account sees another's rows, by either of two defences alone, and nobody sees a licensed row. */
export const isolation: Scenario = {
  name: 'isolation',
  covers: ['T2', 'T3', 'T4'],
  summary: 'no account sees another’s rows, by row-level security alone too; no licensed row is in any answer or log',
  options: {
    accounts: { default: 20, description: 'accounts, each with marked collections, holdings and sales' },
    bodies: { default: 100_000, description: 'bodies by chance to search for canaries, besides those of T2' },
  },
  mutantOptions: { accounts: 4, bodies: 300 },
  mutants: isolationMutants,
  run,
}

async function run({ seed, options, openEnvironment: openStage, log }: ScenarioContext): Promise<ScenarioResult> {
  const { accounts: count = 2, bodies = 0 } = options
  const stage = await openStage({ nodes: 1, synchronousCommit: false, maxSeconds: 60 + bodies / 300 })
  const random = new SeededRandom(seed)
  const accounts = await makeMarkedAccounts(stage, random, count)
  const truth = await readOracle(stage.db)
  const client = new Client(stage.nodes[0]!.port, CONNECTIONS)
  const inspector = new Inspector(client, new LeakDetector(accounts))
  const foreignIds = await checkEveryAccount(inspector, accounts, truth)
  log(`T2: ${inspector.findings.bodies} bodies`)
  const security = await rowSecurityChecks(stage, accounts)
  log('T3 done')
  await sendRandomRequests(inspector, accounts, truth, { random, bodies, log })
  const goals = [
    ...responseChecks(inspector, foreignIds, expectedForeignIds(accounts)),
    ...security.goals,
    ...(await licenseChecks(stage, inspector, accounts, bodies)),
  ]
  client.close()
  return {
    checks: goals,
    measurements: security.figures,
    failures: [...inspector.findings.failures, ...security.failures],
  }
}

function expectedForeignIds(accounts: MarkedAccount[]): number {
  const ids = accounts.reduce((sum, account) => sum + account.brickfolioIds.length, 0)
  return accounts.reduce((sum, account) => sum + PRIVATE_PATHS.length * (ids - account.brickfolioIds.length), 0)
}

/** Every account asks every private endpoint for its own rows, and for every collection of every other. */
async function checkEveryAccount(inspector: Inspector, accounts: MarkedAccount[], truth: Oracle): Promise<number> {
  const asked = await Promise.all(
    accounts.map(async (account) => {
      await inspector.checkOwnRows(account, truth)
      const foreign = accounts.filter((other) => other !== account).flatMap((other) => other.brickfolioIds)
      return inspector.checkForeignIds(account, foreign)
    }),
  )
  return asked.reduce((sum, one) => sum + one, 0)
}

async function sendRandomRequests(
  inspector: Inspector,
  accounts: MarkedAccount[],
  truth: Oracle,
  { random, bodies, log }: { random: SeededRandom; bodies: number; log: (text: string) => void },
): Promise<void> {
  let left = bodies
  async function work(): Promise<void> {
    while (left-- > 0) {
      const { path, body } = randomRequest(random, truth)
      await inspector.get(path, random.pick(accounts), body)
      if (left > 0 && left % 10_000 === 0) log(`${left} bodies to go`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
}

function responseChecks({ findings }: Inspector, foreignIds: number, expected: number): Check[] {
  return [
    exactly('T2 foreign ids asked for, on 5 endpoints', expected, foreignIds),
    none('T2 words and prices of other accounts', findings.foreign),
    none('T2 answers that are not the account’s own rows', findings.wrongRows),
    none('T2 foreign ids told from ids of nobody', findings.distinguishableIds),
  ]
}

async function rowSecurityChecks(stage: TestEnvironment, accounts: MarkedAccount[]) {
  const unfiltered = await runWithoutAccountFilter(stage, accounts)
  const policies = await testPolicies(stage, accounts[0]!)
  const unforced = await unforcedTables(stage)
  const sum = (of: (one: (typeof policies)[number]) => number) =>
    policies.reduce((total, policy) => total + of(policy), 0)
  return {
    goals: [
      none('T3 foreign rows without WHERE', unfiltered.foreignRows),
      none('T3 own rows lost without WHERE', unfiltered.missingRows),
      none('T3 rows without the setting', unfiltered.rowsWithoutSetting),
      exactly('T3 queries that would leak without the defence', unfiltered.queries, unfiltered.wouldLeak),
      atLeast('T3 policies of the api’s role', 4, policies.length),
      none(
        'T3 foreign rows with the policy',
        sum((one) => one.foreign),
      ),
      none(
        'T3 foreign rows with the policy dropped',
        sum((one) => one.foreignWithoutPolicy),
      ),
      none(
        'T3 dropped policies nobody would notice',
        policies.filter((policy) => policy.own === 0 || policy.ownWithoutPolicy > 0).length,
      ),
      none(
        'T3 tables that were never in danger',
        policies.filter((policy) => policy.foreignWithoutRowSecurity === 0).length,
      ),
      none('T3 private tables without forced row security', unforced.length),
    ],
    figures: { 'private queries of the api': unfiltered.queries, 'rows by table': policies },
    failures: unforced.map((table) => `row-level security is not forced on ${table}`),
  }
}

async function licenseChecks(
  stage: TestEnvironment,
  { findings }: Inspector,
  accounts: MarkedAccount[],
  bodies: number,
): Promise<Check[]> {
  const grants = await grantDifferences(stage)
  findings.failures.push(...grants)
  const source = await readableTables(stage, 'source')
  const account = await readableTables(stage, 'account')
  const documents = await Promise.all(
    ['/openapi.json', '/docs/'].map(async (path) => (await fetch(`${stage.nodes[0]!.origin}${path}`)).text()),
  )
  const log = stage.nodes.map((node) => node.log()).join('')
  const secrets = [
    'CANARY-',
    'PRIVATE-',
    'bmk_live_',
    PEPPER,
    `:${ROLE_PASSWORD}@`,
    ...accounts.map((account) => account.key),
  ]
  return [
    none('T4 grants that differ from the committed list', grants.length),
    none(`T4 readable tables of source, of ${source.tables}`, source.readable.length),
    none(`T4 readable tables of account, of ${account.tables}`, account.readable.length),
    atLeast('T4 canaries in source rows', 100, await countCanaries(stage)),
    atLeast('T4 bodies searched', bodies, findings.bodies),
    none('T4 canaries in bodies', findings.licensed),
    none('T4 canaries in /openapi.json and /docs', documents.filter((text) => text.includes('CANARY-')).length),
    none('T4 canaries, keys and secrets in the log', secrets.filter((secret) => log.includes(secret)).length),
    none('bodies off their shape', findings.schemaViolations),
    none('unanswered', findings.unanswered),
  ]
}
