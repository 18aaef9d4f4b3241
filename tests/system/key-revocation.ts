import { Client } from '../support/http-client.ts'
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
} from './scenario.ts'
import { SeededRandom } from './random.ts'

const AT_ONCE = 8
const UNLIMITED = 1_000_000
const TINY_LIMIT = 1

/** T8: what is taken from a key or an account is gone with the next request on every node; five keys are five. */
export const keys: Scenario = {
  name: 'key-revocation',
  covers: ['T8'],
  summary: 'keys revoked and plans lowered under load: 0 later successes; of 50 keys made at once exactly 5 are',
  options: {
    nodes: { default: 4, description: 'api processes' },
    revocations: { default: 1000, description: 'keys revoked' },
    downgrades: { default: 100, description: 'accounts moved to a plan without the API, and as many to a smaller one' },
    accounts: { default: 10, description: 'accounts for which 50 keys are made at once' },
  },
  mutantOptions: { nodes: 2, revocations: 30, downgrades: 10, accounts: 2 },
  mutants: keysMutants,
  run,
}

async function run({ seed, options, openEnvironment: openStage, log }: ScenarioContext): Promise<ScenarioResult> {
  const { nodes = 1, revocations = 1, downgrades = 1, accounts = 1 } = options
  const stage = await openStage({ nodes, synchronousCommit: true, maxSeconds: 120 + revocations })
  const random = new SeededRandom(seed)
  const code = await importKeyModule(stage.root)
  const ports = stage.nodes.map((node) => new Client(node.port, 64))
  const moveTo = (accountId: number, plan: string) =>
    stage.db.updateTable('account.account').set({ plan }).where('account_id', '=', accountId).execute()
  await stage.db
    .insertInto('account.plan')
    .values({ plan: 'little', api_access: true, daily_limit: TINY_LIMIT })
    .execute()

  const revoked = await mapConcurrently(revocations, AT_ONCE, async () => {
    const account = await stage.createAccount({ limit: UNLIMITED })
    const revoke = () => code.revokeApiKey(stage.db, { ...account, actor: 'prove' })
    return changeUnderLoad(stage, ports, random, account, revoke)
  })
  log(`${revoked.length} keys revoked`)
  const downgraded = await mapConcurrently(downgrades, AT_ONCE, async () => {
    const account = await stage.createAccount({ limit: UNLIMITED })
    return changeUnderLoad(stage, ports, random, account, () => moveTo(account.accountId, 'hobby'))
  })
  const limitReduced = await mapConcurrently(downgrades, AT_ONCE, async () => {
    const account = await stage.createAccount({ limit: UNLIMITED })
    return changeUnderLoad(stage, ports, random, account, () => moveTo(account.accountId, 'little'))
  })
  log(`${downgraded.length + limitReduced.length} plans lowered`)
  const created = await mapConcurrently(accounts, 1, () => createKeysConcurrently(stage, code, ports))
  for (const port of ports) port.close()

  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const rounds = created.map((one) => one.rounds.join(' + '))
  return {
    checks: [
      ...goalsOf('revocation', revoked, 401),
      ...goalsOf('downgrade', downgraded, 403),
      ...goalsOf('cut of the limit', limitReduced, 429),
      exactly('accounts with 5 keys, 5 more, then none', accounts, count(rounds, '5 + 5 + 0')),
      exactly('accounts with 5 rows past the code', accounts, created.filter((one) => one.directInserts === 5).length),
      none('creations that failed without a reason', sum(created.map((one) => one.failed))),
      none('new keys that a node did not know', sum(created.map((one) => one.notServed))),
    ],
    measurements: {
      'successes before': sum([...revoked, ...downgraded, ...limitReduced].map((one) => one.successesBefore)),
      'keys made, by round': [...new Set(rounds)],
      'rows past the code': [...new Set(created.map((one) => one.directInserts))],
    },
    failures: [],
  }
}

function goalsOf(change: string, outcomes: Outcome[], status: number): Check[] {
  const sum = (of: (one: Outcome) => number) => outcomes.reduce((total, outcome) => total + of(outcome), 0)
  return [
    none(
      `successes after a ${change}`,
      sum((one) => one.successesAfter),
    ),
    none(
      `next answers that are not ${status}`,
      sum((one) => one.next.length - count(one.next, status)),
    ),
    none(
      `units that a ${change} made stray`,
      sum((one) => one.discrepancy),
    ),
    atLeast(
      `keys that worked before the ${change}`,
      outcomes.length,
      outcomes.filter((outcome) => outcome.successesBefore > 0).length,
    ),
  ]
}

function count<T>(values: T[], wanted: T): number {
  return values.filter((value) => value === wanted).length
}
