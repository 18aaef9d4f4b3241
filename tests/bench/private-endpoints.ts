import { runLoad, writeWrkScript, type Measurement } from './load-generator.ts'
import { pgbench, writePgbenchScript } from './pgbench.ts'
import type { RoundOptions } from './public-endpoints.ts'
import { logProgress } from './report.ts'
import type { BenchEnvironment } from './environment.ts'
import { get, PRIVATE_PATHS, type PrivateName } from './workload.ts'

export type PrivateResult = {
  name: PrivateName
  connections: number
  ours: Measurement[]
  pgbench: Awaited<ReturnType<typeof pgbench>>[]
}

const CONNECTIONS = 64

/** Compares our API with pgbench running the statements of the same request on the same number of connections. */
export async function measurePrivate(
  environment: BenchEnvironment,
  names: PrivateName[],
  { rounds, seconds }: RoundOptions,
): Promise<PrivateResult[]> {
  const { apiServer, postgresPid, directory, accounts } = environment
  const keys = accounts.map(({ key }) => key)
  const results: PrivateResult[] = []
  for (const name of names) {
    const requests = await writeWrkScript(directory, name, [get(PRIVATE_PATHS[name])], keys)
    const statements = await writePgbenchScript(environment, PRIVATE_PATHS[name])
    const result: PrivateResult = { name, connections: CONNECTIONS, ours: [], pgbench: [] }
    for (let round = -1; round < rounds; round++) {
      const time = { connections: CONNECTIONS, seconds: round < 0 ? 2 : seconds }
      const measured = await runLoad(
        { origin: apiServer.origin, script: requests, isWarmUp: round < 0, ...time },
        { node: apiServer.pid, postgres: postgresPid },
      )
      const pgbenchResult = await pgbench(environment, { script: statements, ...time })
      if (round < 0) continue
      result.ours.push(measured)
      result.pgbench.push(pgbenchResult)
    }
    results.push(result)
    logProgress(`measured ${name}`)
  }
  return results
}
