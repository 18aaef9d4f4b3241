import { isUnknown, type Sighting } from '../admission/invariants.ts'
import { anyCall, get, type Call, type Choice, type LimitedKey } from '../admission/calls.ts'
import { makeKeys } from '../admission/observe.ts'
import { staleNodes, type ApiNode } from '../../support/api-node.ts'
import { Link } from '../faulty-proxy.ts'
import type { ProofContext } from '../scenario.ts'
import type { SeededRandom } from '../random.ts'
import type { Stage } from '../test-environment.ts'
import { Traffic } from '../traffic-generator.ts'

const CLIENTS = 8
/** Who asks over a broken link gives up and asks again. */
const PATIENCE_MS = 2500
const CALM_MS = 500
const NORMAL_FOR_MS = 700
const SERVED = 5
const GIVE_UP_MS = 12_000
const FRESH_WITHIN_MS = 10_000

type Links = { toApi: Link; toDatabase: Link }

/** What is wrong with both links for a while. */
export type Fault = {
  name: string
  begin: (links: Links) => void
  every?: { ms: number; act: (links: Links) => void }
  end?: (links: Links) => void
}

/** What became of the requests of one site. */
export type SiteRun = {
  name: string
  /** Of clients that ask the api directly: only its way to the database is bad. */
  past: Sighting[]
  /** Of clients whose own way to the api is bad as well. */
  over: Sighting[]
  /** Seconds from the end of the fault until the direct clients were served as before. */
  normalAfter: number
  broken: number
  fresh: boolean
}

/** One api process between two links of its own. */
export type Site = { node: ApiNode; keys: LimitedKey[]; run(): Promise<SiteRun> }

type SiteOptions = Pick<ProofContext, 'stopAtEnd'> & { random: SeededRandom; rate: number; seconds: number }

export async function openSite(
  stage: Stage,
  fault: Fault,
  { random, stopAtEnd, rate, seconds }: SiteOptions,
): Promise<Site> {
  const { hostname: host, port } = new URL(stage.apiUrl)
  const toDatabase = await Link.lay(() => ({ host, port: Number(port || 5432) }))
  stopAtEnd(() => toDatabase.close())
  const env = { DATABASE_URL: stage.apiUrl.replace(/@[^/]+/, `@127.0.0.1:${toDatabase.port}`) }
  const node = await stage.startNode({ env })
  const toApi = await Link.lay(() => ({ host: '127.0.0.1', port: node.port }))
  stopAtEnd(() => toApi.close())
  const keys = await makeKeys(stage, random, keysFor(rate, seconds))
  const choice = { random, nodes: 1, sets: stage.market.sets.slice(0, 50).map((set) => set.set_number) }
  const next = () => callOf(random.pick(keys), choice)

  async function run(): Promise<SiteRun> {
    const links = { toApi, toDatabase }
    const how = { next, rate, clients: CLIENTS, retries: false }
    const past = new Traffic([node.port], how)
    const over = new Traffic([toApi.port], { ...how, patienceMs: PATIENCE_MS })
    await sleep(CALM_MS)
    fault.begin(links)
    const again = fault.every && setInterval(() => fault.every!.act(links), fault.every.ms)
    await sleep(seconds * 1000)
    clearInterval(again)
    fault.end?.(links)
    toApi.manner = toDatabase.manner = {}
    const healedAt = performance.now()
    await untilServed(past, healedAt)
    const [seenPast, seenOver] = await Promise.all([past.stop(), over.stop()])
    const fresh = await untilFresh(node, healedAt + FRESH_WITHIN_MS)
    return {
      name: fault.name,
      past: seenPast,
      over: seenOver,
      normalAfter: Math.round(lastRefusal(seenPast, healedAt) - healedAt) / 1000,
      broken: toApi.broken + toDatabase.broken,
      fresh,
    }
  }
  return { node, keys, run }
}

/** So many that they are asked for about one and a half times what they may have: the limit itself is put to the test. */
function keysFor(rate: number, seconds: number): number {
  const [unitsACall, unitsAKey, over] = [8, 160, 1.5]
  return Math.ceil((2 * rate * (seconds + 1) * unitsACall) / unitsAKey / over)
}

/** A quarter of the calls read private rows: they need the database for more than the charge. */
function callOf(key: LimitedKey, choice: Choice): Call {
  return choice.random.next() < 0.25 ? get(key, choice, '/brickfolio', 1, 200) : anyCall(key, choice)
}

/** When calls that were made since are charged, and for a while none was refused. */
async function untilServed({ seen }: Traffic, since: number): Promise<void> {
  for (const end = since + GIVE_UP_MS; performance.now() < end; await sleep(50)) {
    const calls = seen.filter((one) => one.sentAt > since && one.call.price > 0)
    const served = calls.filter((one) => one.status === one.call.success).length
    if (served >= SERVED && performance.now() - lastRefusal(seen, since) > NORMAL_FOR_MS) return
  }
}

/** Whether it follows the database again by then. */
async function untilFresh(node: ApiNode, end: number): Promise<boolean> {
  for (;;) {
    if ((await staleNodes([node])) === 0) return true
    if (performance.now() > end) return false
    await sleep(50)
  }
}

function lastRefusal(seen: Sighting[], since: number): number {
  return Math.max(since, ...seen.filter(isUnknown).map((one) => one.gotAt))
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
