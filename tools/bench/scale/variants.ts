import { asRole } from '@brickmark/tests/support/database'
import { stopLater } from '@brickmark/tests/support/cleanup'
import { startStandby } from '@brickmark/tests/support/standby'
import { SETTINGS } from '../debian-postgres.ts'
import { say } from '../report.ts'
import { makePartitioned, run } from './databases.ts'
import { askInTurn, countDifferences, type Latencies, type Question } from './latency.ts'
import { costsInTurn, PRIVATE_CONNECTIONS, type UnitCost } from './cost-per-request.ts'
import { startSide, type Side } from './target.ts'

export type StandbyFigures = { without: UnitCost; with: UnitCost; latency: Latencies }

/** Private reads on the primary and on a streaming standby, in turn. */
export async function measureStandby(
  server: { url: string; pid: number },
  big: Side,
  script: string,
  question: Question,
) {
  const standby = await startStandby(server.url, SETTINGS)
  stopLater(() => standby.stop(), standby.process.pid)
  say('a standby streams')
  const url = asRole(new URL(new URL(big.url).pathname, standby.url).href, 'brickmark_api')
  const following = await startSide('on a standby', big.url, big.population, { STANDBY_DATABASE_URL: url })
  try {
    const pids = { primary: server.pid, standby: standby.process.pid! }
    const [without, with_] = await costsInTurn([[big], [following]], script, pids, PRIVATE_CONNECTIONS)
    const latency = await askInTurn([big, following], [question], 60)
    return { without: without!, with: with_!, latency } satisfies StandbyFigures
  } finally {
    await following.stop()
    await standby.stop()
  }
}

export type PartitionedFigures = {
  differences: number
  compared: number
  latency: Latencies
}

const COMPARED_ACCOUNTS = 50
const COMPARED_PATHS = [
  '/brickfolio',
  '/brickfolio/entries?limit=250',
  '/brickfolio/analytics?period=1y',
  '/brickfolio/retail-watch',
  '/salesledger',
]

/** The same rows in sixteen partitions a table: the same answers? and how quick? */
export async function measurePartitioned(server: string, big: Side, questions: Question[]) {
  const url = await makePartitioned(server, big.population)
  const side = await startSide('partitioned', url, big.population)
  try {
    const differences = await countDifferences(big, side, COMPARED_PATHS, COMPARED_ACCOUNTS)
    const latency = await askInTurn([big, side], questions, 60)
    return { differences, compared: COMPARED_ACCOUNTS * COMPARED_PATHS.length, latency } satisfies PartitionedFigures
  } finally {
    await side.stop()
  }
}

/** What the reads cost when the index only orders the lots, and each is fetched from where it lies. */
export async function measurePlainIndex(big: Side, questions: Question[], giants: Question[]) {
  await run(
    big.url,
    'create index plain_order on portfolio.holding (account_id, brickfolio_id, id) where quantity > 0; drop index portfolio.holding_in_order',
  )
  return { accounts: await askInTurn([big], questions, 60), giant: await askInTurn([big], giants, 12) }
}
