import { execFile, fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { asRole, ROLE_PASSWORD } from '../support/database.ts'
import { Client } from '../support/http-client.ts'
import { quantile } from '../support/quantile.ts'
import { withEnvironment, type BenchEnvironment } from './environment.ts'
import { atMost, logProgress, type BenchReport } from './report.ts'
import { median, round3 } from './statistics.ts'

const REQUESTS_PER_SECOND = 300
const LARGEST = 'history'

type File = { dataset: string; path: string; bytes: number }

/**
 * Compares how long `GET /set/{number}` takes with nothing else going on, while a file is downloaded again and again, and while
 * the files are written.
 */
export async function benchExports({ rounds, seconds }: { rounds: number; seconds: number }): Promise<BenchReport> {
  return withEnvironment(async (environment) => {
    await sql.raw(`alter role brickmark_worker password '${ROLE_PASSWORD}'`).execute(environment.db)
    const writingSeconds = await writeOnce(environment)
    const { accounts, apiServer } = environment
    const headers = { authorization: `Bearer ${accounts[0]!.key}` }
    const list = async () => {
      const response = await fetch(`${apiServer.origin}/api/extensions/v1/exports`, { headers })
      return ((await response.json()) as { data: { exports: File[] } }).data.exports
    }
    // In a process of its own, so that it doesn't slow down the load generator.
    const download = async (signal: AbortSignal) => {
      const { path, bytes } = (await list()).find(({ dataset }) => dataset === LARGEST)!
      const args = [
        '--silent',
        '--fail',
        '--output',
        '/dev/null',
        '--header',
        `Authorization: ${headers.authorization}`,
      ]
      await promisify(execFile)('curl', [...args, apiServer.origin + path], { signal })
      downloaded += bytes
    }
    const p99s: Record<'quiet' | 'downloading' | 'writing', number[]> = { quiet: [], downloading: [], writing: [] }
    let downloaded = 0
    for (let round = -1; round < rounds; round++) {
      const quiet = await measure(environment, seconds)
      const downloading = await beside(
        async (signal) => {
          while (!signal.aborted) await download(signal)
        },
        () => measure(environment, seconds),
      )
      const writing = await beside(
        async (signal) => {
          while (!signal.aborted) await writeOnce(environment, signal)
        },
        () => measure(environment, seconds),
      )
      logProgress(`p99 in ms: quiet ${round3(quiet)}, downloading ${round3(downloading)}, writing ${round3(writing)}`)
      if (round < 0) downloaded = 0
      else for (const [name, p99] of Object.entries({ quiet, downloading, writing })) p99s[name as 'quiet'].push(p99)
    }
    const ratio = (name: 'downloading' | 'writing') => median(p99s[name].map((p99, round) => p99 / p99s.quiet[round]!))
    return {
      benchmark: 'exports',
      goals: [
        atMost('p99 during a download ÷ without', 1.05, ratio('downloading')),
        atMost('p99 while files are written ÷ without', 1.05, ratio('writing')),
      ],
      figures: {
        'p99 without, in ms': median(p99s.quiet),
        'MiB of each file': Object.fromEntries(
          (await list()).map(({ dataset, bytes }) => [dataset, round3(bytes / 2 ** 20)]),
        ),
        'seconds to write them': round3(writingSeconds),
        'MiB downloaded per second': round3(downloaded / 2 ** 20 / rounds / seconds),
      },
    }
  })
}

/** Runs `work` until `measured` has a result. */
async function beside<T>(work: (signal: AbortSignal) => Promise<void>, measured: () => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const working = work(controller.signal)
  const result = await measured()
  controller.abort()
  // A download that is cut off says so.
  await working.catch(() => {})
  return result
}

/** Sends requests at a fixed rate, and returns the 99th percentile of the time from when each was due, in ms. */
async function measure({ apiServer, accounts, setNumbers }: BenchEnvironment, seconds: number): Promise<number> {
  const client = new Client(Number(new URL(apiServer.origin).port), 64)
  const times: number[] = []
  const pending: Promise<void>[] = []
  const send = async (target: string, key: string, sentAt: number) => {
    const { response } = await client.request({ method: 'GET', target, headers: { authorization: `Bearer ${key}` } })
    times.push(response?.status === 200 ? performance.now() - sentAt : Infinity)
  }
  const startedAt = performance.now()
  for (let index = 0; index < REQUESTS_PER_SECOND * seconds; index++) {
    const due = startedAt + (index * 1000) / REQUESTS_PER_SECOND
    if (due > performance.now()) await sleep(due - performance.now())
    const { key } = accounts[1 + (index % (accounts.length - 1))]!
    const target = `/api/v1/set/${setNumbers[(index * 7) % setNumbers.length]!}`
    pending.push(send(target, key, performance.now()))
  }
  await Promise.all(pending)
  client.close()
  return quantile(times, 0.99)
}

/** Has a process of its own write all files, as the worker does, and returns the seconds it took. */
async function writeOnce({ db, apiUrl }: BenchEnvironment, signal?: AbortSignal): Promise<number> {
  await sql`update export.run set started_at = started_at - interval '2 days'`.execute(db)
  const startedAt = performance.now()
  const child: ChildProcess = fork(fileURLToPath(import.meta.resolve('./servers/write-exports.ts')), {
    env: { ...process.env, DATABASE_URL: asRole(apiUrl, 'brickmark_worker') },
  })
  signal?.addEventListener('abort', () => child.kill())
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0 && !signal?.aborted) throw new Error(`writing exports ended with ${code}`)
  return (performance.now() - startedAt) / 1000
}
