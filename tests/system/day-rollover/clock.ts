import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import type { TestEnvironment } from '../test-environment.ts'

export const DAY_MS = 86_400_000

/** Two readings of one clock by two processes. */
const TOLERANCE_MS = 5

/** The database's clock, as this process knows it. */
export type Clock = {
  offsetSeconds: number
  /** The instant of a performance.now() reading, in milliseconds. */
  at(reading: number): number
  msToMidnight(): number
  /** The end of the day on which it was turned, and of the next, as `reset` spells them. */
  midnight: string
  nextMidnight: string
}

const LIBFAKETIME = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
].find((path) => existsSync(path))

/** Whether processes can be given another clock here. */
export function canFakeTime(): boolean {
  return LIBFAKETIME !== undefined
}

/** Under which a process sees the time so many seconds later; its timers are not touched. */
export function fakeTimeEnv(seconds: number): Record<string, string> {
  if (LIBFAKETIME === undefined) throw new Error('This proof needs libfaketime: apt-get install libfaketime')
  return { LD_PRELOAD: LIBFAKETIME, FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}`, DONT_FAKE_MONOTONIC: '1' }
}

/** Starts the proof's PostgreSQL anew, so many milliseconds before midnight of its own clock. */
export async function setClock({ postgres, db }: TestEnvironment, eve: number): Promise<Clock> {
  const epoch = Date.now() - performance.now()
  const left = DAY_MS - (Date.now() % DAY_MS)
  const offsetSeconds = Math.round((left - eve) / 1000)
  const at = (reading: number) => epoch + reading + offsetSeconds * 1000
  const end = (Math.floor(at(performance.now()) / DAY_MS) + 1) * DAY_MS
  await postgres!.stop()
  await postgres!.start(fakeTimeEnv(offsetSeconds))
  const sent = at(performance.now())
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  const now = rows[0]!.now.getTime()
  if (now < sent - TOLERANCE_MS || now > at(performance.now()) + TOLERANCE_MS)
    throw new Error(`PostgreSQL did not take the clock it was given: it says ${rows[0]!.now.toISOString()}.`)
  return {
    offsetSeconds,
    at,
    msToMidnight: () => end - at(performance.now()),
    midnight: new Date(end).toISOString(),
    nextMidnight: new Date(end + DAY_MS).toISOString(),
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))
}
