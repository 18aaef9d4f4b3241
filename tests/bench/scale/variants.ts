import { asRole } from '../../support/database.ts'
import { registerCleanup } from '../../support/cleanup.ts'
import { startStandby } from '../../support/standby.ts'
import { SETTINGS } from '../debian-postgres.ts'
import { logProgress } from '../report.ts'
import { createPartitionedDatabase, runSql } from './databases.ts'
import { measureLatencies, countMismatches, type Latencies, type LatencyProbe } from './latency.ts'
import { measureCosts, PRIVATE_CONNECTIONS, type RequestCost } from './cost-per-request.ts'
import { startTarget, type ScaleTarget } from './target.ts'

export type StandbyFigures = { without: RequestCost; with: RequestCost; latency: Latencies }

/** Compares account reads on the primary and on a streaming standby, interleaved. */
export async function measureStandby(
  server: { url: string; pid: number },
  bigTarget: ScaleTarget,
  script: string,
  probe: LatencyProbe,
) {
  const standby = await startStandby(server.url, SETTINGS)
  registerCleanup(() => standby.stop(), standby.process.pid)
  logProgress('standby is streaming')
  const url = asRole(new URL(new URL(bigTarget.url).pathname, standby.url).href, 'brickmark_api')
  const standbyTarget = await startTarget('on a standby', bigTarget.url, bigTarget.population, {
    STANDBY_DATABASE_URL: url,
  })
  try {
    const pids = { primary: server.pid, standby: standby.process.pid! }
    const [without, with_] = await measureCosts([[bigTarget], [standbyTarget]], script, pids, PRIVATE_CONNECTIONS)
    const latency = await measureLatencies([bigTarget, standbyTarget], [probe], 60)
    return { without: without!, with: with_!, latency } satisfies StandbyFigures
  } finally {
    await standbyTarget.stop()
    await standby.stop()
  }
}

export type PartitionedFigures = {
  differences: number
  compared: number
  latency: Latencies
}

const ACCOUNTS_TO_COMPARE = 50
const PATHS_TO_COMPARE = [
  '/brickfolio',
  '/brickfolio/entries?limit=250',
  '/brickfolio/analytics?period=1y',
  '/brickfolio/retail-watch',
  '/salesledger',
]

/** Compares responses and latencies with 16 partitions per account table. */
export async function measurePartitioned(server: string, bigTarget: ScaleTarget, questions: LatencyProbe[]) {
  const url = await createPartitionedDatabase(server, bigTarget.population)
  const side = await startTarget('partitioned', url, bigTarget.population)
  try {
    const differences = await countMismatches(bigTarget, side, PATHS_TO_COMPARE, ACCOUNTS_TO_COMPARE)
    const latency = await measureLatencies([bigTarget, side], questions, 60)
    return {
      differences,
      compared: ACCOUNTS_TO_COMPARE * PATHS_TO_COMPARE.length,
      latency,
    } satisfies PartitionedFigures
  } finally {
    await side.stop()
  }
}

/** Measures reads with an index that only orders the lots, so that each row is fetched from the heap. */
export async function measurePlainIndex(bigTarget: ScaleTarget, questions: LatencyProbe[], giants: LatencyProbe[]) {
  await runSql(
    bigTarget.url,
    'create index plain_order on portfolio.lot (account_id, collection_id, id) where quantity > 0; drop index portfolio.lot_in_order',
  )
  return {
    accounts: await measureLatencies([bigTarget], questions, 60),
    giant: await measureLatencies([bigTarget], giants, 12),
  }
}
