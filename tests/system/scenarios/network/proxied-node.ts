import { setTimeout as sleep } from 'node:timers/promises'
import { isIndeterminate, type Observation } from '../admission/invariants.ts'
import { randomCall, get, type Call, type CallContext, type LimitedKey } from '../admission/calls.ts'
import { createKeys } from '../admission/observe.ts'
import { countStaleNodes, type ApiNode } from '../../../support/api-node.ts'
import { FaultyProxy } from '../../../support/faulty-proxy.ts'
import type { ScenarioContext } from '../../harness/scenario.ts'
import type { SeededRandom } from '../../harness/random.ts'
import type { TestEnvironment } from '../../harness/test-environment.ts'
import { TrafficGenerator } from '../../harness/traffic-generator.ts'

const CLIENTS = 8
/** A client behind a broken link gives up after this long and sends its next request. */
const CLIENT_TIMEOUT_MS = 2500
const BASELINE_MS = 500
const NORMAL_FOR_MS = 700
const SERVED = 5
const GIVE_UP_MS = 12_000
const FRESH_WITHIN_MS = 10_000

type Links = { apiProxy: FaultyProxy; databaseProxy: FaultyProxy }

/** A fault on both links for a while. */
export type FaultSchedule = {
  name: string
  begin: (links: Links) => void
  every?: { ms: number; act: (links: Links) => void }
  end?: (links: Links) => void
}

/** Results of one proxied node. */
export type ProxiedRun = {
  name: string
  /** Of clients connected directly to the API: only its link to the database is faulty. */
  direct: Observation[]
  /** Of clients whose own link to the API is faulty, too. */
  viaProxy: Observation[]
  /** Seconds from the end of the fault until the direct clients were served as before. */
  recoveredAfterSeconds: number
  broken: number
  fresh: boolean
}

/** An API process with its own proxies to clients and database. */
export type ProxiedNode = { node: ApiNode; keys: LimitedKey[]; run(): Promise<ProxiedRun> }

type ProxiedNodeOptions = Pick<ScenarioContext, 'onTeardown'> & { random: SeededRandom; rate: number; seconds: number }

export async function startProxiedNode(
  environment: TestEnvironment,
  fault: FaultSchedule,
  { random, onTeardown, rate, seconds }: ProxiedNodeOptions,
): Promise<ProxiedNode> {
  const { hostname: host, port } = new URL(environment.apiUrl)
  const databaseProxy = await FaultyProxy.start(() => ({ host, port: Number(port || 5432) }))
  onTeardown(() => databaseProxy.close())
  const env = { DATABASE_URL: environment.apiUrl.replace(/@[^/]+/, `@127.0.0.1:${databaseProxy.port}`) }
  const node = await environment.startNode({ env })
  const apiProxy = await FaultyProxy.start(() => ({ host: '127.0.0.1', port: node.port }))
  onTeardown(() => apiProxy.close())
  const keys = await createKeys(environment, random, keysFor(rate, seconds))
  const choice = { random, nodes: 1, sets: environment.market.sets.slice(0, 50).map((set) => set.set_number) }
  const next = () => callOf(random.pick(keys), choice)

  async function run(): Promise<ProxiedRun> {
    const links = { apiProxy, databaseProxy }
    const options = { next, rate, clients: CLIENTS, retries: false }
    const direct = new TrafficGenerator([node.port], options)
    const viaProxy = new TrafficGenerator([apiProxy.port], { ...options, timeoutMs: CLIENT_TIMEOUT_MS })
    await sleep(BASELINE_MS)
    fault.begin(links)
    const timer = fault.every && setInterval(() => fault.every!.act(links), fault.every.ms)
    await sleep(seconds * 1000)
    clearInterval(timer)
    fault.end?.(links)
    apiProxy.fault = databaseProxy.fault = {}
    const restoredAt = performance.now()
    await waitUntilServing(direct, restoredAt)
    const [directResults, proxiedResults] = await Promise.all([direct.stop(), viaProxy.stop()])
    const fresh = await waitUntilFresh(node, restoredAt + FRESH_WITHIN_MS)
    return {
      name: fault.name,
      direct: directResults,
      viaProxy: proxiedResults,
      recoveredAfterSeconds: Math.round(lastRejection(directResults, restoredAt) - restoredAt) / 1000,
      broken: apiProxy.connectionsBroken + databaseProxy.connectionsBroken,
      fresh,
    }
  }
  return { node, keys, run }
}

/** Returns enough keys to request about one and a half times their total limit, so that the limit itself is tested. */
function keysFor(rate: number, seconds: number): number {
  const [costPerCall, limitPerKey, oversubscription] = [8, 160, 1.5]
  return Math.ceil((2 * rate * (seconds + 1) * costPerCall) / limitPerKey / oversubscription)
}

/** A quarter of the calls read private rows, which need the database for more than the charge. */
function callOf(key: LimitedKey, callContext: CallContext): Call {
  return callContext.random.next() < 0.25 ? get(key, callContext, '/brickfolio', 1, 200) : randomCall(key, callContext)
}

/** Resolves when calls sent since `since` are charged and none has been rejected for a while. */
async function waitUntilServing({ observations }: TrafficGenerator, since: number): Promise<void> {
  for (const deadline = since + GIVE_UP_MS; performance.now() < deadline; await sleep(50)) {
    const calls = observations.filter((observation) => observation.sentAt > since && observation.call.cost > 0)
    const served = calls.filter((observation) => observation.status === observation.call.expectedStatus).length
    if (served >= SERVED && performance.now() - lastRejection(observations, since) > NORMAL_FOR_MS) return
  }
}

/** Returns whether the node follows the database again before the deadline. */
async function waitUntilFresh(node: ApiNode, deadline: number): Promise<boolean> {
  for (;;) {
    if ((await countStaleNodes([node])) === 0) return true
    if (performance.now() > deadline) return false
    await sleep(50)
  }
}

function lastRejection(observations: Observation[], since: number): number {
  return Math.max(since, ...observations.filter(isIndeterminate).map((observation) => observation.receivedAt))
}
