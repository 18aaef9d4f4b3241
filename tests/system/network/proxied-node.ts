import { isIndeterminate, type Observation } from '../admission/invariants.ts'
import { randomCall, get, type Call, type CallContext, type LimitedKey } from '../admission/calls.ts'
import { createKeys } from '../admission/observe.ts'
import { countStaleNodes, type ApiNode } from '../../support/api-node.ts'
import { FaultyProxy } from '../faulty-proxy.ts'
import type { ScenarioContext } from '../scenario.ts'
import type { SeededRandom } from '../random.ts'
import type { TestEnvironment } from '../test-environment.ts'
import { TrafficGenerator } from '../traffic-generator.ts'

const CLIENTS = 8
/** Who asks over a broken link gives up and asks again. */
const CLIENT_TIMEOUT_MS = 2500
const BASELINE_MS = 500
const NORMAL_FOR_MS = 700
const SERVED = 5
const GIVE_UP_MS = 12_000
const FRESH_WITHIN_MS = 10_000

type Links = { toApi: FaultyProxy; toDatabase: FaultyProxy }

/** What is wrong with both links for a while. */
export type FaultSchedule = {
  name: string
  begin: (links: Links) => void
  every?: { ms: number; act: (links: Links) => void }
  end?: (links: Links) => void
}

/** What became of the requests of one site. */
export type ProxiedRun = {
  name: string
  /** Of clients that ask the api directly: only its way to the database is bad. */
  direct: Observation[]
  /** Of clients whose own way to the api is bad as well. */
  viaProxy: Observation[]
  /** Seconds from the end of the fault until the direct clients were served as before. */
  recoveredAfterSeconds: number
  broken: number
  fresh: boolean
}

/** One api process between two links of its own. */
export type ProxiedNode = { node: ApiNode; keys: LimitedKey[]; run(): Promise<ProxiedRun> }

type SiteOptions = Pick<ScenarioContext, 'onTeardown'> & { random: SeededRandom; rate: number; seconds: number }

export async function startProxiedNode(
  stage: TestEnvironment,
  fault: FaultSchedule,
  { random, onTeardown, rate, seconds }: SiteOptions,
): Promise<ProxiedNode> {
  const { hostname: host, port } = new URL(stage.apiUrl)
  const toDatabase = await FaultyProxy.start(() => ({ host, port: Number(port || 5432) }))
  onTeardown(() => toDatabase.close())
  const env = { DATABASE_URL: stage.apiUrl.replace(/@[^/]+/, `@127.0.0.1:${toDatabase.port}`) }
  const node = await stage.startNode({ env })
  const toApi = await FaultyProxy.start(() => ({ host: '127.0.0.1', port: node.port }))
  onTeardown(() => toApi.close())
  const keys = await createKeys(stage, random, keysFor(rate, seconds))
  const choice = { random, nodes: 1, sets: stage.market.sets.slice(0, 50).map((set) => set.set_number) }
  const next = () => callOf(random.pick(keys), choice)

  async function run(): Promise<ProxiedRun> {
    const links = { toApi, toDatabase }
    const how = { next, rate, clients: CLIENTS, retries: false }
    const direct = new TrafficGenerator([node.port], how)
    const viaProxy = new TrafficGenerator([toApi.port], { ...how, timeoutMs: CLIENT_TIMEOUT_MS })
    await sleep(BASELINE_MS)
    fault.begin(links)
    const again = fault.every && setInterval(() => fault.every!.act(links), fault.every.ms)
    await sleep(seconds * 1000)
    clearInterval(again)
    fault.end?.(links)
    toApi.fault = toDatabase.fault = {}
    const restoredAt = performance.now()
    await waitUntilServing(direct, restoredAt)
    const [seenPast, seenOver] = await Promise.all([direct.stop(), viaProxy.stop()])
    const fresh = await waitUntilFresh(node, restoredAt + FRESH_WITHIN_MS)
    return {
      name: fault.name,
      direct: seenPast,
      viaProxy: seenOver,
      recoveredAfterSeconds: Math.round(lastRejection(seenPast, restoredAt) - restoredAt) / 1000,
      broken: toApi.connectionsBroken + toDatabase.connectionsBroken,
      fresh,
    }
  }
  return { node, keys, run }
}

/** So many that they are asked for about one and a half times what they may have: the limit itself is put to the test. */
function keysFor(rate: number, seconds: number): number {
  const [unitsACall, unitsAKey, viaProxy] = [8, 160, 1.5]
  return Math.ceil((2 * rate * (seconds + 1) * unitsACall) / unitsAKey / viaProxy)
}

/** A quarter of the calls read private rows: they need the database for more than the charge. */
function callOf(key: LimitedKey, choice: CallContext): Call {
  return choice.random.next() < 0.25 ? get(key, choice, '/brickfolio', 1, 200) : randomCall(key, choice)
}

/** When calls that were made since are charged, and for a while none was refused. */
async function waitUntilServing({ observations }: TrafficGenerator, since: number): Promise<void> {
  for (const end = since + GIVE_UP_MS; performance.now() < end; await sleep(50)) {
    const calls = observations.filter((observation) => observation.sentAt > since && observation.call.cost > 0)
    const served = calls.filter((one) => one.status === one.call.expectedStatus).length
    if (served >= SERVED && performance.now() - lastRejection(observations, since) > NORMAL_FOR_MS) return
  }
}

/** Whether it follows the database again by then. */
async function waitUntilFresh(node: ApiNode, end: number): Promise<boolean> {
  for (;;) {
    if ((await countStaleNodes([node])) === 0) return true
    if (performance.now() > end) return false
    await sleep(50)
  }
}

function lastRejection(seen: Observation[], since: number): number {
  return Math.max(since, ...seen.filter(isIndeterminate).map((one) => one.receivedAt))
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
