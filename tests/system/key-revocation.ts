import { Client } from '../support/http-client.ts'
import { createTooMany, loadKeyCode } from './key-revocation/concurrent-creation.ts'
import { keysPlants } from './key-revocation/mutants.ts'
import { changeUnderLoad, severally, type Outcome } from './key-revocation/under-load.ts'
import { atLeast, exactly, none, type Goal, type Proof, type ProofContext, type ProofResult } from './scenario.ts'
import { SeededRandom } from './random.ts'

const AT_ONCE = 8
const PLENTY = 1_000_000
const LITTLE = 1

/** T8: what is taken from a key or an account is gone with the next request on every node; five keys are five. */
export const keys: Proof = {
  name: 'keys',
  covers: ['T8'],
  summary: 'keys revoked and plans lowered under load: 0 later successes; of 50 keys made at once exactly 5 are',
  options: {
    nodes: { default: 4, what: 'api processes' },
    revocations: { default: 1000, what: 'keys revoked' },
    downgrades: { default: 100, what: 'accounts moved to a plan without the API, and as many to a smaller one' },
    accounts: { default: 10, what: 'accounts for which 50 keys are made at once' },
  },
  smallLoad: { nodes: 2, revocations: 30, downgrades: 10, accounts: 2 },
  plants: keysPlants,
  run,
}

async function run({ seed, options, stage: openStage, say }: ProofContext): Promise<ProofResult> {
  const { nodes = 1, revocations = 1, downgrades = 1, accounts = 1 } = options
  const stage = await openStage({ nodes, durable: true, seconds: 120 + revocations })
  const random = new SeededRandom(seed)
  const code = await loadKeyCode(stage.root)
  const ports = stage.nodes.map((node) => new Client(node.port, 64))
  const moveTo = (accountId: number, plan: string) =>
    stage.db.updateTable('account.account').set({ plan }).where('account_id', '=', accountId).execute()
  await stage.db.insertInto('account.plan').values({ plan: 'little', api_access: true, daily_limit: LITTLE }).execute()

  const revoked = await severally(revocations, AT_ONCE, async () => {
    const account = await stage.account({ limit: PLENTY })
    const revoke = () => code.revokeApiKey(stage.db, { ...account, actor: 'prove' })
    return changeUnderLoad(stage, ports, random, account, revoke)
  })
  say(`${revoked.length} keys revoked`)
  const lowered = await severally(downgrades, AT_ONCE, async () => {
    const account = await stage.account({ limit: PLENTY })
    return changeUnderLoad(stage, ports, random, account, () => moveTo(account.accountId, 'hobby'))
  })
  const shrunk = await severally(downgrades, AT_ONCE, async () => {
    const account = await stage.account({ limit: PLENTY })
    return changeUnderLoad(stage, ports, random, account, () => moveTo(account.accountId, 'little'))
  })
  say(`${lowered.length + shrunk.length} plans lowered`)
  const created = await severally(accounts, 1, () => createTooMany(stage, code, ports))
  for (const port of ports) port.close()

  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const rounds = created.map((one) => one.rounds.join(' + '))
  return {
    goals: [
      ...goalsOf('revocation', revoked, 401),
      ...goalsOf('downgrade', lowered, 403),
      ...goalsOf('cut of the limit', shrunk, 429),
      exactly('accounts with 5 keys, 5 more, then none', accounts, count(rounds, '5 + 5 + 0')),
      exactly('accounts with 5 rows past the code', accounts, created.filter((one) => one.pastTheCode === 5).length),
      none('creations that failed without a reason', sum(created.map((one) => one.failed))),
      none('new keys that a node did not know', sum(created.map((one) => one.unserved))),
    ],
    figures: {
      'successes before': sum([...revoked, ...lowered, ...shrunk].map((one) => one.successesBefore)),
      'keys made, by round': [...new Set(rounds)],
      'rows past the code': [...new Set(created.map((one) => one.pastTheCode))],
    },
    failures: [],
  }
}

function goalsOf(change: string, outcomes: Outcome[], status: number): Goal[] {
  const sum = (of: (one: Outcome) => number) => outcomes.reduce((total, one) => total + of(one), 0)
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
      sum((one) => one.stray),
    ),
    atLeast(
      `keys that worked before the ${change}`,
      outcomes.length,
      outcomes.filter((one) => one.successesBefore > 0).length,
    ),
  ]
}

function count<T>(values: T[], wanted: T): number {
  return values.filter((value) => value === wanted).length
}
