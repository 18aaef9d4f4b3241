import { sql } from 'kysely'
import { INVARIANTS, type Broken, type Sighting } from './admission/invariants.ts'
import { byStatus, failuresOf, goalsOf, judge } from './admission/check-invariants.ts'
import { anyCall, batch, freeCall, planLoad, type Choice, type LimitedKey } from './admission/calls.ts'
import { admissionPlants } from './admission/mutants.ts'
import { LIMITS, makeKeys, play, sight } from './admission/observe.ts'
import { Client } from '../support/http-client.ts'
import { atLeast, type Proof, type ProofContext, type ProofResult } from './scenario.ts'
import { SeededRandom } from './random.ts'
import type { Stage } from './test-environment.ts'

const QUIET_KEYS = 6
const QUIET_CALLS = 12

/** T5: many clients over many nodes ask for three times what their keys may have; not one unit goes astray. */
export const admission: Proof = {
  name: 'admission',
  covers: ['T5'],
  summary: 'charges keys from many clients over many nodes, three times over their limits; I1–I7 hold exactly',
  options: {
    nodes: { default: 4, what: 'api processes' },
    clients: { default: 64, what: 'requests under way at once' },
    keys: { default: 60, what: `keys, with limits from ${LIMITS.least} to ${LIMITS.most}` },
  },
  smallLoad: { nodes: 2, clients: 32, keys: 12 },
  plants: admissionPlants,
  run,
}

async function run({ seed, options, stage: openStage, say }: ProofContext): Promise<ProofResult> {
  const { nodes = 1, clients = 1, keys: count = 1 } = options
  const stage = await openStage({ nodes, durable: true, seconds: 60 + count })
  const random = new SeededRandom(seed)
  const choice = { random, nodes, sets: stage.market.sets.slice(0, 50).map((set) => set.set_number) }
  const keys = await makeKeys(stage, random, count)
  const plan = planLoad(keys, choice)
  say(`${plan.length} requests for ${keys.length} keys`)
  const ports = stage.nodes.map((node) => new Client(node.port, clients))
  const started = performance.now()
  const sightings = await play(plan, clients, (call) => sight(call, ports[call.node]!))
  const seconds = (performance.now() - started) / 1000
  const broken = await judge(stage, keys, sightings)
  const quiet = await quietPhase(stage, ports, choice)
  const statements = await chargeStatements(stage)
  for (const port of ports) port.close()
  return report(keys, sightings, [...broken, ...quiet], { seconds, statements })
}

/** One call at a time with the count read before and after: a refusal moves nothing, a batch by N or not at all. */
async function quietPhase(stage: Stage, ports: Client[], choice: Choice): Promise<Broken[]> {
  const broken: Broken[] = []
  for (const key of await makeKeys(stage, choice.random, QUIET_KEYS)) {
    const calls = Array.from({ length: QUIET_CALLS }, (_, place) =>
      place % 3 === 0
        ? freeCall(key, choice)
        : place % 3 === 1
          ? batch(key, choice, choice.random.int(2, 100))
          : anyCall(key, choice),
    )
    let before = 0
    for (const call of calls) {
      const { status, remaining } = await sight(call, ports[call.node]!)
      const after = (await stage.used()).get(key.keyId) ?? 0
      const due = status === call.success ? call.price : 0
      const invariant = call.price > 1 ? INVARIANTS.I7 : INVARIANTS.I6
      if (after - before !== due)
        broken.push({
          invariant,
          text: `${call.name} (${status}) moved ${after - before}, not ${due}`,
          units: Math.abs(after - before - due),
        })
      if (status !== 401 && remaining !== key.limit - after)
        broken.push({
          invariant: INVARIANTS.I5,
          text: `${call.name} (${status}) left ${remaining}, not ${key.limit - after}`,
        })
      before = after
    }
  }
  return broken
}

/** About how many statements charged: a session tells its statistics at most once a second. */
async function chargeStatements(stage: Stage): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    select coalesce(sum(calls), 0)::integer as calls from pg_stat_user_functions where funcname = 'charge'`.execute(
    stage.db,
  )
  return rows[0]?.calls ?? 0
}

function report(
  keys: LimitedKey[],
  sightings: Sighting[],
  broken: Broken[],
  run: { seconds: number; statements: number },
): ProofResult {
  const limits = keys.reduce((sum, key) => sum + key.limit, 0)
  const asked = sightings.reduce((sum, one) => sum + one.call.price, 0)
  const charged = sightings.filter((one) => one.status !== 401).length + QUIET_KEYS * QUIET_CALLS
  return {
    goals: [
      ...goalsOf(broken),
      atLeast('units asked for, in percent of the limits', 290, Math.round((asked / limits) * 100)),
    ],
    figures: {
      requests: sightings.length,
      'requests a second': Math.round(sightings.length / run.seconds),
      'units allowed': limits,
      'units asked for': asked,
      'by status': byStatus(sightings),
      'calls a charging statement, about': Math.round((charged / Math.max(1, run.statements)) * 100) / 100,
    },
    failures: failuresOf(broken),
  }
}
