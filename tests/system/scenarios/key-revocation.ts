import { Client } from '../../support/http-client.ts'
import { createKeysConcurrently, importKeyModule } from './key-revocation/concurrent-creation.ts'
import { keysMutants } from './key-revocation/mutants.ts'
import { changeUnderLoad, mapConcurrently, type Outcome } from './key-revocation/under-load.ts'
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

const CONCURRENCY = 8
const UNLIMITED = 1_000_000
const TINY_LIMIT = 1

/**
 * A revocation or downgrade takes effect with the next request on every node, and an account never gets more than
 * five keys.
 */
export const keyRevocation = {
  name: 'key-revocation',
  summary:
    'revokes keys and downgrades plans under load: no later successes; of 50 keys created concurrently, exactly 5 exist',
  options: {
    nodes: { default: 4, description: 'API processes' },
    revocations: { default: 1000, description: 'keys to revoke' },
    downgrades: {
      default: 100,
      description: 'accounts moved to a plan without API access, and as many to a smaller plan',
    },
    accounts: { default: 10, description: 'accounts for which 50 keys are created concurrently' },
  },
  mutantOptions: { nodes: 2, revocations: 30, downgrades: 10, accounts: 2 },
  mutants: keysMutants,
  run,
} satisfies Scenario

async function run({ seed, options, openEnvironment, log }: ScenarioContext): Promise<ScenarioResult> {
  const { nodes = 1, revocations = 1, downgrades = 1, accounts = 1 } = options
  const environment = await openEnvironment({ nodes, synchronousCommit: true, maxSeconds: 120 + revocations })
  const random = new SeededRandom(seed)
  const code = await importKeyModule(environment.root)
  const ports = environment.nodes.map((node) => new Client(node.port, 64))
  const moveTo = (accountId: number, plan: string) =>
    environment.db.updateTable('account.account').set({ plan }).where('id', '=', accountId).execute()
  await environment.db
    .insertInto('account.plan')
    .values({ plan: 'little', api_access: true, daily_limit: TINY_LIMIT })
    .execute()

  const revoked = await mapConcurrently(revocations, CONCURRENCY, async () => {
    const account = await environment.createAccount({ limit: UNLIMITED })
    const revoke = () => code.revokeApiKey(environment.db, { ...account, actor: 'system-test' })
    return changeUnderLoad(environment, ports, random, account, revoke)
  })
  log(`${revoked.length} keys revoked`)
  const downgraded = await mapConcurrently(downgrades, CONCURRENCY, async () => {
    const account = await environment.createAccount({ limit: UNLIMITED })
    return changeUnderLoad(environment, ports, random, account, () => moveTo(account.accountId, 'hobby'))
  })
  const limitReduced = await mapConcurrently(downgrades, CONCURRENCY, async () => {
    const account = await environment.createAccount({ limit: UNLIMITED })
    return changeUnderLoad(environment, ports, random, account, () => moveTo(account.accountId, 'little'))
  })
  log(`${downgraded.length + limitReduced.length} plans downgraded`)
  const created = await mapConcurrently(accounts, 1, () => createKeysConcurrently(environment, code, ports))
  for (const port of ports) port.close()

  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const rounds = created.map((result) => result.rounds.join(' + '))
  return {
    checks: [
      ...checksFor('revocation', revoked, 401),
      ...checksFor('downgrade', downgraded, 403),
      ...checksFor('limit reduction', limitReduced, 429),
      exactly('accounts with 5 keys, 5 more, then none', accounts, count(rounds, '5 + 5 + 0')),
      exactly(
        'accounts with 5 directly inserted rows',
        accounts,
        created.filter((result) => result.directInserts === 5).length,
      ),
      none('creations that failed without a reason', sum(created.map((result) => result.failed))),
      none('new keys that a node rejected', sum(created.map((result) => result.notServed))),
    ],
    measurements: {
      'successes before the changes': sum(
        [...revoked, ...downgraded, ...limitReduced].map((result) => result.successesBefore),
      ),
      'keys created, by round': [...new Set(rounds)],
      'directly inserted rows': [...new Set(created.map((result) => result.directInserts))],
    },
    failures: [],
  }
}

function checksFor(change: string, outcomes: Outcome[], status: number): Check[] {
  const sum = (value: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + value(outcome), 0)
  return [
    none(
      `successes after a ${change}`,
      sum((outcome) => outcome.successesAfter),
    ),
    none(
      `next responses other than ${status}`,
      sum((outcome) => outcome.next.length - count(outcome.next, status)),
    ),
    none(
      `credits miscounted around a ${change}`,
      sum((outcome) => outcome.discrepancy),
    ),
    atLeast(
      `keys that worked before the ${change}`,
      outcomes.length,
      outcomes.filter((outcome) => outcome.successesBefore > 0).length,
    ),
  ]
}

function count<T>(values: T[], expected: T): number {
  return values.filter((value) => value === expected).length
}
