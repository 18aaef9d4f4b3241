import { sql } from 'kysely'
import { findViolations, type Violation, type Observation } from './admission/invariants.ts'
import { formatViolations, checksFor } from './admission/check-invariants.ts'
import { get, planCalls, type Call, type CallContext, type LimitedKey } from './admission/calls.ts'
import { createKeys, runCalls, observe } from './admission/observe.ts'
import { Client } from '../support/http-client.ts'
import { DAY_MS, fakeTimeEnv, sleep, setClock, type Clock } from './day-rollover/clock.ts'
import { midnightMutants } from './day-rollover/mutants.ts'
import { atLeast, none, type Scenario, type ScenarioContext, type ScenarioResult } from './scenario.ts'
import { SeededRandom } from './random.ts'
import type { TestEnvironment } from './test-environment.ts'

/** By how much the clocks of the api processes are wrong, against the database's. */
const SKEWS = [-300, 0, 300]
/** The load lasts from so long before midnight until as long after it. */
const HALF_WINDOW_MS = 4000
const BURSTS = 32
const DAY = 'T7 charges on a day that was not'
const RESET = 'I9 resets that are not the next midnight'
const RETRY = 'Retry-After that is not the seconds to reset'
const WAITED = 'I10 refused after waiting Retry-After'

/** T7: the database's midnight ends the day for every node at once, however wrong their own clocks are. */
export const midnight: Scenario = {
  name: 'day-rollover',
  covers: ['T7'],
  summary: 'the day ends under load, with node clocks ±300 s wrong: 0 charges on a wrong day, waiting clients succeed',
  options: {
    clients: { default: 32, description: 'requests under way at once' },
    keys: { default: 60, description: 'keys that are asked before and after' },
    waiters: { default: 60, description: 'clients that wait as long as Retry-After says' },
  },
  mutantOptions: { clients: 16, keys: 12, waiters: 12 },
  dedicatedPostgres: true,
  mutants: midnightMutants,
  run,
}

async function run({ seed, options, openEnvironment: openStage, log }: ScenarioContext): Promise<ScenarioResult> {
  const { clients = 1, keys: count = 1, waiters: waiterCount = 1 } = options
  // The day that must not end is ours to move.
  const stage = await openStage({ nodes: 0, synchronousCommit: true, maxSeconds: 0 })
  const random = new SeededRandom(seed)
  const sets = stage.market.sets.slice(0, 50).map((set) => set.set_number)
  const choice = { random, nodes: SKEWS.length, sets }
  const keys = await createKeys(stage, random, count)
  const waiters: LimitedKey[] = []
  for (let index = 0; index < waiterCount; index++)
    waiters.push({ ...(await stage.createAccount({ limit: 1 })), limit: 1 })

  const clock = await startBeforeMidnight(stage)
  const ports = stage.nodes.map((node) => new Client(node.port, clients))
  const ask = (call: Call) => observe(call, ports[call.node]!)
  log(`${stage.nodes.length} api processes are ready, ${Math.round(clock.msToMidnight() / 1000)} s before midnight`)
  await sleep(clock.msToMidnight() - HALF_WINDOW_MS)

  const plan = random.shuffle(planCalls(keys, choice))
  const [sightings, waited] = await Promise.all([
    runAroundMidnight(plan, clients, ask),
    Promise.all(waiters.map((key) => waitForReset(key, choice, ask))),
  ])
  const all = [...sightings, ...waited.flatMap((one) => one.sightings)]
  const broken = [
    ...(await checkDays(stage, [...keys, ...waiters], all, clock)),
    ...all.flatMap((one) => dayViolations(one, clock)),
    ...waited.flatMap((one) => one.broken),
  ]
  for (const port of ports) port.close()
  const before = all.filter((one) => one.reset === clock.midnight)
  return {
    checks: [
      ...checksFor(broken),
      ...checksFor(broken, [DAY, RESET, RETRY, WAITED]),
      none('api clocks that are not as wrong as planned', countWrongSkews(all, clock)),
      atLeast('clients that waited', waiterCount / 2, waited.filter((one) => one.sightings.length === 3).length),
      atLeast('charges on the old day, by any node', 1, before.filter(isCharged).length),
      atLeast('charges on the new day, by any node', 1, all.filter(isCharged).length - before.filter(isCharged).length),
    ],
    measurements: {
      requests: all.length,
      'on the old day': before.length,
      'on the new day': all.length - before.length,
      'answers that midnight passed under': all.filter((one) => spansMidnight(one, clock)).length,
    },
    failures: formatViolations(broken),
  }
}

/** Everything started in time; on a slow machine not at the first try. */
async function startBeforeMidnight(stage: TestEnvironment): Promise<Clock> {
  for (let leadMs = 15_000; ; leadMs *= 2) {
    const clock = await setClock(stage, leadMs)
    for (const skew of SKEWS) stage.nodes.push(await stage.startNode({ env: fakeTimeEnv(clock.offsetSeconds + skew) }))
    await Promise.all(stage.nodes.map((node) => node.waitUntilReady()))
    if (clock.msToMidnight() > HALF_WINDOW_MS) return clock
    for (const node of stage.nodes.splice(0)) await node.stop()
  }
}

async function runAroundMidnight(
  plan: Call[],
  clients: number,
  ask: (call: Call) => Promise<Observation>,
): Promise<Observation[]> {
  const began = performance.now()
  const bursts = Array.from({ length: BURSTS }, async (_, burst) => {
    await sleep((2 * HALF_WINDOW_MS * burst) / BURSTS - (performance.now() - began))
    return runCalls(plan.slice((plan.length * burst) / BURSTS, (plan.length * (burst + 1)) / BURSTS), clients, ask)
  })
  return (await Promise.all(bursts)).flat()
}

/** Uses its one unit up some time before midnight, is refused, waits as it is told, and must then succeed. */
async function waitForReset(
  key: LimitedKey,
  choice: CallContext,
  ask: (call: Call) => Promise<Observation>,
): Promise<{ sightings: Observation[]; broken: Violation[] }> {
  const calls = Array.from({ length: 3 }, () => get(key, choice, '/catalog/themes', 1, 200))
  await sleep(choice.random.int(0, HALF_WINDOW_MS - 500))
  const first = await ask(calls[0]!)
  const refused = await ask(calls[1]!)
  // Whoever came too late to be refused on the old day does not wait for the end of the new one.
  if (refused.status !== 429 || (refused.retryAfter ?? 0) > 60) return { sightings: [first, refused], broken: [] }
  await sleep((refused.retryAfter ?? 0) * 1000)
  const last = await ask(calls[2]!)
  const text = `node ${last.call.node} answered ${last.status} after ${refused.retryAfter} s`
  return {
    sightings: [first, refused, last],
    broken: last.status === 200 ? [] : [{ invariant: WAITED, text }],
  }
}

const isCharged = ({ call, status }: Observation) => call.cost > 0 && status === call.expectedStatus

/** I1 to I7 for each key on each of the two days. */
async function checkDays(
  stage: TestEnvironment,
  keys: LimitedKey[],
  sightings: Observation[],
  clock: Clock,
): Promise<Violation[]> {
  const { rows } = await sql<{ key_id: number; resets: string; used: number }>`
    select key_id, to_char(day + 1, 'YYYY-MM-DD') || 'T00:00:00.000Z' as resets, used from account.quota_day`.execute(
    stage.db,
  )
  const used = new Map(rows.map((row) => [`${row.key_id} ${row.resets}`, row.used]))
  const seen = Map.groupBy(sightings, (one) => `${one.call.key.keyId} ${one.reset ?? clock.midnight}`)
  return keys.flatMap((key) =>
    [clock.midnight, clock.nextMidnight].flatMap((day) => {
      const name = `${key.keyId} ${day}`
      return findViolations(key.limit, used.get(name) ?? 0, seen.get(name) ?? []).map((one) => ({
        ...one,
        text: `key ${key.keyId}, until ${day}: ${one.text}`,
      }))
    }),
  )
}

const spansMidnight = ({ sentAt, receivedAt }: Observation, clock: Clock) =>
  clock.at(sentAt) < Date.parse(clock.midnight) && clock.at(receivedAt) >= Date.parse(clock.midnight)

/** The day must be one that the database's clock showed while the request was under way. */
function dayViolations(sighting: Observation, clock: Clock): Violation[] {
  const { call, reset, retryAfter, status } = sighting
  if (reset === undefined) return []
  const told = `node ${call.node}, ${call.name} (${status})`
  const [sent, got] = [clock.at(sighting.sentAt), clock.at(sighting.receivedAt)]
  const days = new Set([sent, got].map((at) => new Date((Math.floor(at / DAY_MS) + 1) * DAY_MS).toISOString()))
  if (!days.has(reset)) {
    const known = reset === clock.midnight || reset === clock.nextMidnight
    return [{ invariant: known ? DAY : RESET, text: `${told} said ${reset} at ${new Date(got).toISOString()}` }]
  }
  if (status !== 429) return []
  const least = Math.max(1, Math.ceil((Date.parse(reset) - got) / 1000))
  const most = Math.ceil((Date.parse(reset) - sent) / 1000)
  if (retryAfter !== undefined && retryAfter >= least && retryAfter <= most) return []
  return [{ invariant: RETRY, text: `${told} said ${retryAfter}, not ${least} to ${most}` }]
}

/** Nodes date their answers by their own clock, to the second. */
function countWrongSkews(sightings: Observation[], clock: Clock): number {
  const dated = sightings.filter((sighting) => sighting.date !== undefined)
  return SKEWS.filter((skew, node) => {
    const errors = dated
      .filter((one) => one.call.node === node)
      .map((one) => Date.parse(one.date!) - clock.at(one.receivedAt) - skew * 1000)
    return errors.length === 0 || Math.abs(errors.reduce((sum, ms) => sum + ms, 0) / errors.length) > 3000
  }).length
}
