import { ActiveKey } from '@brickmark/api/admission/active-key'
import { AdmissionController } from '@brickmark/api/admission/admission-controller'
import { openDatabase, openPool } from '@brickmark/core/db/database'
import { asRole, ROLE_PASSWORD } from '../support/database.ts'
import { createTestAccount } from '../support/fixtures.ts'
import { sql } from 'kysely'
import { withDebianPostgres } from './debian-postgres.ts'
import { atLeast, type BenchReport } from './report.ts'
import { median, round3 } from './statistics.ts'

const PROCESSES = 16
const KEYS_EACH = 20
const SECONDS = 3

type Round = { without: number; with: number; shared: number }

/**
 * Charges the keys of sixteen admission controllers, as in sixteen API processes, with and without one key that all of
 * them charge too. Reports how much the other keys suffer.
 */
export async function benchContention({ rounds }: { rounds: number }): Promise<BenchReport> {
  return withDebianPostgres(async (url) => {
    const db = openDatabase(openPool(url, { size: 4, statementTimeoutMs: 60_000 }))
    await sql.raw(`alter role brickmark_api password '${ROLE_PASSWORD}'`).execute(db)
    await sql`insert into account.plan values ('bench', true, 2000000000)`.execute(db)
    const create = () => createTestAccount(db, { plan: 'bench' })
    const shared = await create()
    const processes = []
    for (let index = 0; index < PROCESSES; index++) {
      const keys: ActiveKey[] = []
      while (keys.length < KEYS_EACH) keys.push(new ActiveKey(await create()))
      const pool = openPool(asRole(url, 'brickmark_api'), { size: 4, statementTimeoutMs: 1500 })
      processes.push({ keys, sharedKey: new ActiveKey(shared), pool, admission: new AdmissionController(pool) })
    }
    const measured: Round[] = []
    for (let round = -1; round < rounds; round++) {
      const alone = await charge(processes, false)
      const contended = await charge(processes, true)
      // Round -1 is a warm-up.
      if (round >= 0) measured.push({ without: alone.others, with: contended.others, shared: contended.shared })
    }
    await Promise.all(processes.map(({ pool }) => pool.end()))
    await db.destroy()
    const ratio = median(measured.map((one) => one.with / one.without))
    return {
      benchmark: 'contention',
      goals: [atLeast('other keys with a shared key ÷ without', 0.8, ratio)],
      figures: {
        'requests/s of other keys, without a shared key': Math.round(median(measured.map((one) => one.without))),
        'requests/s of other keys, with a shared key': Math.round(median(measured.map((one) => one.with))),
        'requests/s of the shared key': Math.round(median(measured.map((one) => one.shared))),
        ratio: round3(ratio),
      },
    }
  })
}

type Process = { keys: ActiveKey[]; sharedKey: ActiveKey; admission: AdmissionController }

/** Keeps one request of every key in flight. Returns requests per second of the shared key and of all others. */
async function charge(processes: Process[], withShared: boolean) {
  const counts = { others: 0, shared: 0 }
  const until = performance.now() + SECONDS * 1000
  const keep = async (admission: AdmissionController, key: ActiveKey, counted: 'others' | 'shared') => {
    while (performance.now() < until) {
      const admitted = await admission.admit(key, 1).then(
        ({ kind }) => kind === 'admitted',
        () => false,
      )
      if (admitted) counts[counted]++
    }
  }
  await Promise.all(
    processes.flatMap(({ keys, sharedKey, admission }) => [
      ...keys.map((key) => keep(admission, key, 'others')),
      ...(withShared ? [keep(admission, sharedKey, 'shared')] : []),
    ]),
  )
  return { others: counts.others / SECONDS, shared: counts.shared / SECONDS }
}
