import { ActiveKey } from '@brickmark/api/admission/active-key'
import { AdmissionController } from '@brickmark/api/admission/admission-controller'
import { openPool } from '@brickmark/core/db/database'
import { asRole } from '../../support/database.ts'
import { cpuUs } from '../process-stats.ts'
import { median, round3 } from '../statistics.ts'
import { apiKeyIdFor, type Population } from './population.ts'
import { walBytes } from './storage.ts'

export type ChargingResult = { keys: number; calls_per_second: number; postgres_cpu_us: number; wal_bytes: number }

const ROUNDS = 5
const SECONDS = 3
const CALLERS = 256

/** Charges random keys through the API's own admission code, interleaved over the databases. */
export async function measureCharging(
  databases: { url: string; population: Population }[],
  postgres: number,
): Promise<ChargingResult[]> {
  const pools = databases.map(({ url }) =>
    openPool(asRole(url, 'brickmark_api'), { size: 3, statementTimeoutMs: 5000 }),
  )
  const admissions = pools.map((pool) => new AdmissionController(pool))
  const rounds: Omit<ChargingResult, 'keys'>[][] = databases.map(() => [])
  for (let round = -1; round < ROUNDS; round++) {
    for (const [index, { url, population }] of databases.entries()) {
      const [wal, cpu, started] = [await walBytes(url), await cpuUs(postgres), performance.now()]
      const calls = await chargeFor(admissions[index]!, population.accounts * 5)
      const measured = {
        calls_per_second: Math.round((calls / (performance.now() - started)) * 1000),
        postgres_cpu_us: round3(((await cpuUs(postgres)) - cpu) / calls),
        wal_bytes: Math.round(((await walBytes(url)) - wal) / calls),
      }
      // Round -1 is a warm-up.
      if (round >= 0) rounds[index]!.push(measured)
    }
  }
  await Promise.all(pools.map((pool) => pool.end()))
  return rounds.map((one, index) => ({
    keys: databases[index]!.population.accounts * 5,
    calls_per_second: median(one.map((round) => round.calls_per_second)),
    postgres_cpu_us: median(one.map((round) => round.postgres_cpu_us)),
    wal_bytes: median(one.map((round) => round.wal_bytes)),
  }))
}

async function chargeFor(admission: AdmissionController, keys: number): Promise<number> {
  let calls = 0
  const activeKeys = new Map<number, ActiveKey>()
  const activeKey = (key: number) => {
    const accountId = 1 + Math.floor(key / 5)
    const active = activeKeys.get(key) ?? new ActiveKey({ accountId, keyId: apiKeyIdFor(accountId, key % 5) })
    activeKeys.set(key, active)
    return active
  }
  const until = performance.now() + SECONDS * 1000
  const callers = Array.from({ length: CALLERS }, async () => {
    while (performance.now() < until) {
      const verdict = await admission.admit(activeKey(Math.floor(Math.random() * keys)), 1)
      if (verdict.kind !== 'admitted') throw new Error(`unexpected verdict: ${verdict.kind}`)
      calls++
    }
  })
  await Promise.all(callers)
  return calls
}
