import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ChargingResult } from './charging.ts'
import type { Latencies } from './latency.ts'
import type { RequestCost } from './cost-per-request.ts'
import type { Population } from './population.ts'
import type { Sizes } from './storage.ts'
import type { PartitionedFigures, StandbyFigures } from './variants.ts'

/** Results of `npm run bench -- scale`. */
export type ScaleResults = {
  measured: string
  machine: string
  catalog: { sets: number; minifigs: number; months: number }
  populations: { small: Population; big: Population }
  requests: number
  /** Latency samples that got a 503 and were retried. */
  refused: number
  start: { ms: number; rss_mb: number }
  rss_mb: number[]
  sizes: Sizes
  latency: Latencies
  giant: Latencies
  charging: [ChargingResult, ChargingResult]
  processes: { one: RequestCost; two: RequestCost }
  standby: StandbyFigures
  partitioned: PartitionedFigures
  plain_index: { accounts: Latencies; giant: Latencies }
}

const FILE = fileURLToPath(new URL('../figures/scale.json', import.meta.url))

export async function saveResults(results: ScaleResults): Promise<void> {
  await mkdir(dirname(FILE), { recursive: true })
  await writeFile(FILE, `${JSON.stringify(results, null, 2)}\n`)
}
