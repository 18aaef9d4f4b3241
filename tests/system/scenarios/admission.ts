import { sql } from 'kysely'
import { INVARIANTS, type Violation, type Observation } from './admission/invariants.ts'
import { countByStatus, formatViolations, checksFor, checkInvariants } from './admission/check-invariants.ts'
import { randomCall, batch, freeCall, planCalls, type CallContext, type LimitedKey } from './admission/calls.ts'
import { admissionMutants } from './admission/mutants.ts'
import { LIMIT_RANGE, createKeys, runCalls, observe } from './admission/observe.ts'
import { Client } from '../../support/http-client.ts'
import { atLeast, type Scenario, type ScenarioContext, type ScenarioResult } from '../harness/scenario.ts'
import { SeededRandom } from '../harness/random.ts'
import type { TestEnvironment } from '../harness/test-environment.ts'

const SEQUENTIAL_KEYS = 6
const QUIET_CALLS = 12

/** Many clients across many nodes request three times what their keys may use; every credit is accounted for. */
export const admission = {
  name: 'admission',
  summary: 'many clients across many nodes request three times each key’s limit; I1–I7 hold exactly',
  options: {
    nodes: { default: 4, description: 'API processes' },
    clients: { default: 64, description: 'requests in flight' },
    keys: { default: 60, description: `keys, with limits from ${LIMIT_RANGE.least} to ${LIMIT_RANGE.most}` },
  },
  mutantOptions: { nodes: 2, clients: 32, keys: 12 },
  mutants: admissionMutants,
  run,
} satisfies Scenario

async function run({ seed, options, openEnvironment, log }: ScenarioContext): Promise<ScenarioResult> {
  const { nodes = 1, clients = 1, keys: count = 1 } = options
  const environment = await openEnvironment({ nodes, synchronousCommit: true, maxSeconds: 60 + count })
  const random = new SeededRandom(seed)
  const choice = { random, nodes, sets: environment.market.sets.slice(0, 50).map((set) => set.set_number) }
  const keys = await createKeys(environment, random, count)
  const plan = planCalls(keys, choice)
  log(`${plan.length} requests for ${keys.length} keys`)
  const apiClients = environment.nodes.map((node) => new Client(node.port, clients))
  const started = performance.now()
  const observations = await runCalls(plan, clients, (call) => observe(call, apiClients[call.node]!))
  const seconds = (performance.now() - started) / 1000
  const violations = await checkInvariants(environment, keys, observations)
  const quiet = await sequentialPhase(environment, apiClients, choice)
  const statements = await chargeStatements(environment)
  for (const port of apiClients) port.close()
  return buildResult(keys, observations, [...violations, ...quiet], { seconds, statements })
}

/**
 * Sends one call at a time and reads the counter before and after: a rejection charges nothing, a batch charges N or 0.
 */
async function sequentialPhase(
  environment: TestEnvironment,
  apiClients: Client[],
  callContext: CallContext,
): Promise<Violation[]> {
  const violations: Violation[] = []
  for (const key of await createKeys(environment, callContext.random, SEQUENTIAL_KEYS)) {
    const calls = Array.from({ length: QUIET_CALLS }, (_, index) =>
      index % 3 === 0
        ? freeCall(key, callContext)
        : index % 3 === 1
          ? batch(key, callContext, callContext.random.int(2, 100))
          : randomCall(key, callContext),
    )
    let before = 0
    for (const call of calls) {
      const { status, remaining } = await observe(call, apiClients[call.node]!)
      const after = (await environment.creditsUsed()).get(key.keyId) ?? 0
      if (status === 503) {
        violations.push({ invariant: INVARIANTS.overload, text: `${call.name} returned 503` })
        before = after
        continue
      }
      const expectedCharge = status === call.expectedStatus ? call.cost : 0
      const invariant = call.cost > 1 ? INVARIANTS.I7 : INVARIANTS.I6
      if (after - before !== expectedCharge)
        violations.push({
          invariant,
          text: `${call.name} (${status}) charged ${after - before}, expected ${expectedCharge}`,
          units: Math.abs(after - before - expectedCharge),
        })
      if (status !== 401 && remaining !== key.limit - after)
        violations.push({
          invariant: INVARIANTS.I5,
          text: `${call.name} (${status}) reported ${remaining} remaining, expected ${key.limit - after}`,
        })
      before = after
    }
  }
  return violations
}

/** Approximate number of charge statements: a session publishes its statistics at most once a second. */
async function chargeStatements(environment: TestEnvironment): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    select coalesce(sum(calls), 0)::integer as calls from pg_stat_user_functions where funcname = 'charge'`.execute(
    environment.db,
  )
  return rows[0]?.calls ?? 0
}

function buildResult(
  keys: LimitedKey[],
  observations: Observation[],
  violations: Violation[],
  run: { seconds: number; statements: number },
): ScenarioResult {
  const limits = keys.reduce((sum, key) => sum + key.limit, 0)
  const requested = observations.reduce((sum, observation) => sum + observation.call.cost, 0)
  const charged =
    observations.filter((observation) => observation.status !== 401).length + SEQUENTIAL_KEYS * QUIET_CALLS
  return {
    checks: [
      ...checksFor(violations),
      atLeast('credits requested, % of the limits', 290, Math.round((requested / limits) * 100)),
    ],
    measurements: {
      requests: observations.length,
      'requests per second': Math.round(observations.length / run.seconds),
      'credits allowed': limits,
      'credits requested': requested,
      'by status': countByStatus(observations),
      'calls per charge statement, approx.': Math.round((charged / Math.max(1, run.statements)) * 100) / 100,
    },
    failures: formatViolations(violations),
  }
}
