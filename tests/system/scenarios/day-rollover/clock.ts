import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import type { TestEnvironment } from '../../harness/test-environment.ts'

export const DAY_MS = 86_400_000

/** Tolerance for two processes reading the same clock. */
const TOLERANCE_MS = 5

/** The database's clock, as computed by this process. */
export type Clock = {
  offsetSeconds: number
  /** Converts a performance.now() reading to epoch milliseconds. */
  at(reading: number): number
  msToMidnight(): number
  /** End of the day on which the clock was set, and of the next day, in the format of `reset`. */
  midnight: string
  nextMidnight: string
}

const LIBFAKETIME = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
].find((path) => existsSync(path))

/** True if libfaketime is installed, so that processes can run with a different clock. */
export function canFakeTime(): boolean {
  return LIBFAKETIME !== undefined
}

/** Environment in which a process sees the time shifted by `seconds`; its timers are unaffected. */
export function fakeTimeEnv(seconds: number): Record<string, string> {
  if (LIBFAKETIME === undefined) throw new Error('This scenario needs libfaketime: apt-get install libfaketime')
  return { LD_PRELOAD: LIBFAKETIME, FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}`, DONT_FAKE_MONOTONIC: '1' }
}

/** Restarts the scenario's PostgreSQL with a clock that shows `leadMs` before midnight. */
export async function setClock({ postgres, db }: TestEnvironment, leadMs: number): Promise<Clock> {
  const epoch = Date.now() - performance.now()
  const remaining = DAY_MS - (Date.now() % DAY_MS)
  const offsetSeconds = Math.round((remaining - leadMs) / 1000)
  const at = (reading: number) => epoch + reading + offsetSeconds * 1000
  const end = (Math.floor(at(performance.now()) / DAY_MS) + 1) * DAY_MS
  await postgres!.stop()
  await postgres!.start(fakeTimeEnv(offsetSeconds))
  const sent = at(performance.now())
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  const now = rows[0]!.now.getTime()
  if (now < sent - TOLERANCE_MS || now > at(performance.now()) + TOLERANCE_MS)
    throw new Error(`PostgreSQL ignored the fake clock: it reports ${rows[0]!.now.toISOString()}.`)
  return {
    offsetSeconds,
    at,
    msToMidnight: () => end - at(performance.now()),
    midnight: new Date(end).toISOString(),
    nextMidnight: new Date(end + DAY_MS).toISOString(),
  }
}
