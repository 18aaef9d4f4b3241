import { Command } from 'commander'
import { databaseUrl } from '../context.ts'
import { connect } from 'node:net'
import type pg from 'pg'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { findDatabaseTime, findInstallationStatus, findServerVersion } from '@brickmark/core/db/diagnostics-queries'
import { schemaMismatch } from '@brickmark/core/db/migration-queries'
import { findQueueStatus } from '@brickmark/core/db/job-queue-queries'
import { findFeedStatus } from '@brickmark/core/source/feed-status-queries'

/** Result of one check, with the fix to suggest if it failed. */
export type CheckResult = { name: string; ok: boolean; message: string; fix?: string }

export type DoctorOptions = { databaseUrl: string; apiUrl?: string | undefined; mailUrl?: string | undefined }

const MIN_POSTGRES_VERSION = 15
const MAX_CLOCK_SKEW_SECONDS = 2
const MAX_FEED_AGE_DAYS = 2
const MAX_QUEUED_ITEMS = 5000

/** Checks the service's dependencies, each after the ones it depends on. */
export async function runChecks({ databaseUrl, apiUrl, mailUrl }: DoctorOptions): Promise<CheckResult[]> {
  const pool = openPool(databaseUrl, { size: 2, statementTimeoutMs: 10_000 })
  const db = openDatabase(pool)
  try {
    const reached = await checkDatabase(db)
    const findings = [reached]
    if (reached.ok) findings.push(...(await checkSchemaAndData(pool, db)))
    if (apiUrl !== undefined) findings.push(await checkApi(apiUrl))
    findings.push(await checkMail(mailUrl))
    return findings
  } finally {
    await db.destroy()
  }
}

async function checkDatabase(db: Database): Promise<CheckResult> {
  const name = 'database'
  try {
    const version = await findServerVersion(db)
    const ok = Number.parseInt(version, 10) >= MIN_POSTGRES_VERSION
    return { name, ok, message: `PostgreSQL ${version}`, fix: `Use PostgreSQL ${MIN_POSTGRES_VERSION} or newer.` }
  } catch (error) {
    const fix = 'Start PostgreSQL, or correct DATABASE_URL (host, port, role, password, pg_hba.conf).'
    return { name, ok: false, message: (error as Error).message, fix }
  }
}

async function checkSchemaAndData(pool: pg.Pool, db: Database): Promise<CheckResult[]> {
  const mismatch = await schemaMismatch(pool)
  const migrationsCheck: CheckResult = {
    name: 'migrations',
    ok: mismatch === undefined,
    message: mismatch ?? 'up to date',
    fix: 'npm run ops -- migrate',
  }
  const clock = await checkClock(db)
  if (!migrationsCheck.ok) return [migrationsCheck, clock]
  return [migrationsCheck, clock, ...(await checkData(db))]
}

async function checkClock(db: Database): Promise<CheckResult> {
  const before = Date.now()
  const databaseTime = await findDatabaseTime(db)
  const seconds = Math.abs(databaseTime.getTime() - (before + Date.now()) / 2) / 1000
  return {
    name: 'clock',
    ok: seconds <= MAX_CLOCK_SKEW_SECONDS,
    message: `${seconds.toFixed(1)} s off from the database`,
    fix: 'Run a time service (e.g. chrony) on both machines. Quotas use the database clock and are unaffected; month boundaries and “as of” times are affected.',
  }
}

async function checkData(db: Database): Promise<CheckResult[]> {
  const { sets, valuedSets, hasUpcomingPartitions } = await findInstallationStatus(db)
  const [state, queue] = await Promise.all([findFeedStatus(db), findQueueStatus(db)])
  const failed = queue.filter((one) => one.state === 'failed')
  const quarantined = state.feeds.reduce((sum, feed) => sum + feed.quarantined, 0)
  const old = state.feeds.filter((feed) => feed.age_seconds > MAX_FEED_AGE_DAYS * 86_400)
  return [
    {
      name: 'catalog',
      ok: sets > 0,
      message: `${sets} sets, ${valuedSets} with a value`,
      fix: 'npm run ops -- ingest catalog FILE (Data feeds in the docs). Without sets, every lookup returns 404.',
    },
    {
      name: 'feeds',
      ok: old.length === 0,
      message: state.feeds.length === 0 ? 'no files ingested yet' : state.feeds.map(formatFeedAge).join(', '),
      fix: `Check the supplier of ${old.map(({ feed }) => feed).join(' and ')}: no files for ${MAX_FEED_AGE_DAYS} days.`,
    },
    {
      name: 'quarantine',
      ok: quarantined === 0,
      message: `${quarantined} rows quarantined`,
      fix: 'npm run ops -- quarantine lists them with their reasons; --retry ingests those that are valid now.',
    },
    {
      name: 'values',
      ok: state.dirty <= MAX_QUEUED_ITEMS,
      message: `${state.dirty} items pending valuation`,
      fix: 'Check that a worker is running (node apps/worker/main.ts) and look for errors in its log. npm run ops -- recompute processes them now.',
    },
    {
      name: 'jobs',
      ok: failed.length === 0,
      message: failed.length === 0 ? 'none failed' : failed.map((one) => `${one.queue}: ${one.jobs} failed`).join(', '),
      fix: 'See the worker’s log for the reason. Jobs are retried five times, and again on their next schedule.',
    },
    {
      name: 'partitions',
      ok: hasUpcomingPartitions,
      message: hasUpcomingPartitions ? 'upcoming partitions exist' : 'an upcoming partition is missing',
      fix: 'Start a worker: its maintain-partitions job creates them ahead of time. Without one, the first charge of a key on a new day fails.',
    },
  ]
}

function formatFeedAge({ feed, age_seconds }: { feed: string; age_seconds: number }): string {
  return `${feed} ${age_seconds < 86_400 ? `${(age_seconds / 3600).toFixed(1)} h` : `${Math.floor(age_seconds / 86_400)} d`} ago`
}

async function checkApi(apiUrl: string): Promise<CheckResult> {
  const name = 'api'
  const fix = 'Start it (npm run api), or check its log and the reason in /readyz.'
  try {
    const response = await fetch(new URL('/readyz', apiUrl), { signal: AbortSignal.timeout(3000) })
    const { status, reason, catalog } = (await response.json()) as { status: string; reason?: string; catalog?: string }
    const ok = response.ok && catalog === 'fresh'
    return { name, ok, message: `${status}${reason ? `: ${reason}` : `, catalog ${catalog}`}`, fix }
  } catch (error) {
    return { name, ok: false, message: `${apiUrl}: ${(error as Error).message}`, fix }
  }
}

async function checkMail(mailUrl: string | undefined): Promise<CheckResult> {
  const name = 'mail'
  const fix =
    'Set MAIL_URL=smtps://user:password@host:465, the same as for the web app. Without email, users can’t sign up or reset their password.'
  if (mailUrl === undefined) return { name, ok: false, message: 'MAIL_URL is not set', fix }
  const { protocol, hostname, port } = new URL(mailUrl)
  if (protocol === 'file:') return { name, ok: true, message: 'emails are written to files, not sent' }
  const number = Number(port) || (protocol === 'smtps:' ? 465 : 587)
  const socket = connect({ host: hostname, port: number, timeout: 3000 })
  const problem = await new Promise<string | undefined>((resolve) => {
    socket.once('connect', () => resolve(undefined))
    socket.once('timeout', () => resolve('timed out'))
    socket.once('error', (error) => resolve(error.message))
  })
  socket.destroy()
  return { name, ok: problem === undefined, message: `${hostname}:${number} ${problem ?? 'is reachable'}`, fix }
}

/** Formats the results as lines, with the fix below each failed check. */
export function formatChecks(findings: CheckResult[]): string {
  const width = Math.max(...findings.map(({ name }) => name.length))
  return findings
    .map(({ name, ok, message, fix }) => {
      const line = `${ok ? '✓' : '✗'} ${name.padEnd(width)}  ${message}`
      return ok || fix === undefined ? line : `${line}\n  ${' '.repeat(width)}  → ${fix}`
    })
    .join('\n')
}

export const doctorCommand = new Command('doctor')
  .description('check the service’s dependencies and suggest fixes')
  .option('--api <url>', 'also check an API process, e.g. http://127.0.0.1:8080')
  .action(async ({ api }: { api?: string }) => {
    const checks = await runChecks({ databaseUrl: databaseUrl(), apiUrl: api, mailUrl: process.env['MAIL_URL'] })
    process.stdout.write(`${formatChecks(checks)}\n`)
    if (checks.some(({ ok }) => !ok)) process.exitCode = 1
  })
