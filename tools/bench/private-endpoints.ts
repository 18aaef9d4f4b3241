import { load, writeScript, type Measured } from './load-generator.ts'
import { pgbench, writePgbench } from './pgbench.ts'
import type { Rounds } from './public-endpoints.ts'
import { say } from './report.ts'
import type { Stage } from './environment.ts'
import { get, PRIVATE_PATHS, type PrivateName } from './workload.ts'

export type PrivateResult = {
  name: PrivateName
  connections: number
  ours: Measured[]
  pgbench: Awaited<ReturnType<typeof pgbench>>[]
}

const CONNECTIONS = 64

/** Ours against the engine itself: pgbench with the statements of the request, on as many connections. */
export async function measurePrivate(
  stage: Stage,
  names: PrivateName[],
  { rounds, seconds }: Rounds,
): Promise<PrivateResult[]> {
  const { ours, postgresPid, directory, accounts } = stage
  const keys = accounts.map(({ key }) => key)
  const results: PrivateResult[] = []
  for (const name of names) {
    const requests = await writeScript(directory, name, [get(PRIVATE_PATHS[name])], keys)
    const statements = await writePgbench(stage, PRIVATE_PATHS[name])
    const result: PrivateResult = { name, connections: CONNECTIONS, ours: [], pgbench: [] }
    for (let round = -1; round < rounds; round++) {
      const time = { connections: CONNECTIONS, seconds: round < 0 ? 2 : seconds }
      const answered = await load(
        { origin: ours.origin, script: requests, warmingUp: round < 0, ...time },
        { node: ours.pid, postgres: postgresPid },
      )
      const engine = await pgbench(stage, { script: statements, ...time })
      if (round < 0) continue
      result.ours.push(answered)
      result.pgbench.push(engine)
    }
    results.push(result)
    say(`${name} measured`)
  }
  return results
}
