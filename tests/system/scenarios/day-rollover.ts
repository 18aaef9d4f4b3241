import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { findViolations, type Violation, type Observation } from './admission/invariants.ts'
import { formatViolations, checksFor } from './admission/check-invariants.ts'
import { get, planCalls, type Call, type CallContext, type LimitedKey } from './admission/calls.ts'
import { createKeys, runCalls, observe } from './admission/observe.ts'
import { Client } from '../../support/http-client.ts'
import { DAY_MS, fakeTimeEnv, setClock, type Clock } from './day-rollover/clock.ts'
import { midnightMutants } from './day-rollover/mutants.ts'
import { atLeast, none, type Scenario, type ScenarioContext, type ScenarioResult } from '../harness/scenario.ts'
import { SeededRandom } from '../harness/random.ts'
import type { TestEnvironment } from '../harness/test-environment.ts'

/** Clock skew of each API process relative to the database, in seconds. */
const SKEWS = [-300, 0, 300]
/** The load starts this long before midnight and ends this long after it. */
const HALF_WINDOW_MS = 4000
/** Time to spend the waiting clients' credits before the load starts: a slow machine may not get to it later. */
const SPEND_MS = 4000
const BURSTS = 32
const DAY = 'charges on the wrong day'
const RESET = 'I9 resets other than the next midnight'
const RETRY = 'Retry-After other than the seconds until reset'
const WAITED = 'I10 rejected after waiting for Retry-After'

/** The database's midnight ends the day for every node at once, however wrong their own clocks are. */
export const dayRollover = {
  name: 'day-rollover',
  summary:
    'the day ends under load with node clocks off by ±300 s; no charge on the wrong day, waiting clients succeed',
  options: {
    clients: { default: 32, description: 'requests in flight' },
    keys: { default: 60, description: 'keys used before and after midnight' },
    waiters: { default: 60, description: 'clients that wait for Retry-After' },
  },
  mutantOptions: { clients: 16, keys: 12, waiters: 12 },
  dedicatedPostgres: true,
  mutants: midnightMutants,
  run,
} satisfies Scenario

async function run({ seed, options, openEnvironment, log }: ScenarioContext): Promise<ScenarioResult> {
  const { clients = 1, keys: count = 1, waiters: waiterCount = 1 } = options
  // No time limit to keep clear of midnight: this scenario sets the clock itself.
  const environment = await openEnvironment({ nodes: 0, synchronousCommit: true, maxSeconds: 0 })
  const random = new SeededRandom(seed)
  const sets = environment.market.sets.slice(0, 50).map((set) => set.set_number)
  const choice = { random, nodes: SKEWS.length, sets }
  const keys = await createKeys(environment, random, count)
  const waiters: LimitedKey[] = []
  for (let index = 0; index < waiterCount; index++)
    waiters.push({ ...(await environment.createAccount({ limit: 1 })), limit: 1 })

  const clock = await startBeforeMidnight(environment)
  const ports = environment.nodes.map((node) => new Client(node.port, clients))
  const send = (call: Call) => observe(call, ports[call.node]!)
  log(
    `${environment.nodes.length} API processes are ready, ${Math.round(clock.msToMidnight() / 1000)} s before midnight`,
  )
  const plan = random.shuffle(planCalls(keys, choice))
  const [observations, waited] = await Promise.all([
    sleep(Math.max(0, clock.msToMidnight() - HALF_WINDOW_MS)).then(() => runAroundMidnight(plan, clients, send)),
    Promise.all(waiters.map((key) => waitForReset(key, choice, send))),
  ])
  const all = [...observations, ...waited.flatMap((result) => result.observations)]
  const violations = [
    ...(await checkDays(environment, [...keys, ...waiters], all, clock)),
    ...all.flatMap((observation) => dayViolations(observation, clock)),
    ...waited.flatMap((result) => result.violations),
  ]
  for (const port of ports) port.close()
  const before = all.filter((observation) => observation.reset === clock.midnight)
  return {
    checks: [
      ...checksFor(violations),
      ...checksFor(violations, [DAY, RESET, RETRY, WAITED]),
      none('API clocks without the planned skew', countWrongSkews(all, clock)),
      atLeast(
        'clients that waited for Retry-After',
        waiterCount / 2,
        waited.filter((result) => result.observations.length === 3).length,
      ),
      atLeast('charges on the old day, all nodes', 1, before.filter(isCharged).length),
      atLeast('charges on the new day, all nodes', 1, all.filter(isCharged).length - before.filter(isCharged).length),
    ],
    measurements: {
      requests: all.length,
      'responses on the old day': before.length,
      'responses on the new day': all.length - before.length,
      'requests in flight at midnight': all.filter((observation) => spansMidnight(observation, clock)).length,
    },
    failures: formatViolations(violations),
  }
}

/** Starts everything shortly before midnight, with more lead time if a slow machine misses it. */
async function startBeforeMidnight(environment: TestEnvironment): Promise<Clock> {
  for (let leadMs = 15_000; ; leadMs *= 2) {
    const clock = await setClock(environment, leadMs)
    for (const skew of SKEWS)
      environment.nodes.push(await environment.startNode({ env: fakeTimeEnv(clock.offsetSeconds + skew) }))
    await Promise.all(environment.nodes.map((node) => node.waitUntilReady()))
    if (clock.msToMidnight() > SPEND_MS + HALF_WINDOW_MS) return clock
    for (const node of environment.nodes.splice(0)) await node.stop()
  }
}

async function runAroundMidnight(
  plan: Call[],
  clients: number,
  send: (call: Call) => Promise<Observation>,
): Promise<Observation[]> {
  const started = performance.now()
  const bursts = Array.from({ length: BURSTS }, async (_, burst) => {
    await sleep(Math.max(0, (2 * HALF_WINDOW_MS * burst) / BURSTS - (performance.now() - started)))
    return runCalls(plan.slice((plan.length * burst) / BURSTS, (plan.length * (burst + 1)) / BURSTS), clients, send)
  })
  return (await Promise.all(bursts)).flat()
}

/** Uses the key's single credit before midnight, is rejected, waits for Retry-After, and must then succeed. */
async function waitForReset(
  key: LimitedKey,
  callContext: CallContext,
  send: (call: Call) => Promise<Observation>,
): Promise<{ observations: Observation[]; violations: Violation[] }> {
  const calls = Array.from({ length: 3 }, () => get(key, callContext, '/catalog/themes', 1, 200))
  await sleep(callContext.random.int(0, SPEND_MS))
  const first = await send(calls[0]!)
  const rejected = await send(calls[1]!)
  // A client rejected only after midnight doesn't wait for the end of the new day.
  if (rejected.status !== 429 || (rejected.retryAfter ?? 0) > 60)
    return { observations: [first, rejected], violations: [] }
  await sleep((rejected.retryAfter ?? 0) * 1000)
  const last = await send(calls[2]!)
  const text = `node ${last.call.node} returned ${last.status} after ${rejected.retryAfter} s`
  return {
    observations: [first, rejected, last],
    violations: last.status === 200 ? [] : [{ invariant: WAITED, text }],
  }
}

const isCharged = ({ call, status }: Observation) => call.cost > 0 && status === call.expectedStatus

/** Checks I1 to I7 for each key on each of the two days. */
async function checkDays(
  environment: TestEnvironment,
  keys: LimitedKey[],
  observations: Observation[],
  clock: Clock,
): Promise<Violation[]> {
  const { rows } = await sql<{ key_id: number; resets: string; used: number }>`
    select api_key_id as key_id, to_char(day + 1, 'YYYY-MM-DD') || 'T00:00:00.000Z' as resets, used
      from (select api_key_id, day, used from account.api_key_quota
            union all select api_key_id, day, used from account.api_key_quota_history) as charged`.execute(
    environment.db,
  )
  const used = new Map(rows.map((row) => [`${row.key_id} ${row.resets}`, row.used]))
  const byKeyAndDay = Map.groupBy(
    observations,
    (observation) => `${observation.call.key.keyId} ${observation.reset ?? clock.midnight}`,
  )
  return keys.flatMap((key) =>
    [clock.midnight, clock.nextMidnight].flatMap((day) => {
      const name = `${key.keyId} ${day}`
      return findViolations(key.limit, used.get(name) ?? 0, byKeyAndDay.get(name) ?? []).map((violation) => ({
        ...violation,
        text: `key ${key.keyId}, until ${day}: ${violation.text}`,
      }))
    }),
  )
}

const spansMidnight = ({ sentAt, receivedAt }: Observation, clock: Clock) =>
  clock.at(sentAt) < Date.parse(clock.midnight) && clock.at(receivedAt) >= Date.parse(clock.midnight)

/** The reported day must be one that the database's clock showed while the request was in flight. */
function dayViolations(observation: Observation, clock: Clock): Violation[] {
  const { call, reset, retryAfter, status } = observation
  if (reset === undefined) return []
  const label = `node ${call.node}, ${call.name} (${status})`
  const [sent, received] = [clock.at(observation.sentAt), clock.at(observation.receivedAt)]
  const days = new Set([sent, received].map((at) => new Date((Math.floor(at / DAY_MS) + 1) * DAY_MS).toISOString()))
  if (!days.has(reset)) {
    const known = reset === clock.midnight || reset === clock.nextMidnight
    return [
      { invariant: known ? DAY : RESET, text: `${label} reported ${reset} at ${new Date(received).toISOString()}` },
    ]
  }
  if (status !== 429) return []
  const min = Math.max(1, Math.ceil((Date.parse(reset) - received) / 1000))
  const max = Math.ceil((Date.parse(reset) - sent) / 1000)
  if (retryAfter !== undefined && retryAfter >= min && retryAfter <= max) return []
  return [{ invariant: RETRY, text: `${label} reported ${retryAfter}, expected ${min} to ${max}` }]
}

/** Counts nodes whose Date header doesn't show the planned skew. Nodes set it by their own clock, to the second. */
function countWrongSkews(observations: Observation[], clock: Clock): number {
  const dated = observations.filter((observation) => observation.date !== undefined)
  return SKEWS.filter((skew, node) => {
    const errors = dated
      .filter((observation) => observation.call.node === node)
      .map((observation) => Date.parse(observation.date!) - clock.at(observation.receivedAt) - skew * 1000)
    return errors.length === 0 || Math.abs(errors.reduce((sum, ms) => sum + ms, 0) / errors.length) > 3000
  }).length
}
