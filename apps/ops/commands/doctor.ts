import { connect } from 'node:net'
import type pg from 'pg'
import { sql } from 'kysely'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { schemaMismatch } from '@brickmark/core/db/migrate'
import { findQueueState } from '@brickmark/core/db/job-queue-queries'
import { findFeedState } from '@brickmark/core/source/feed-status-queries'

/** One thing that was looked at: how it is, and what to do about it when it is not well. */
export type Finding = { name: string; well: boolean; says: string; fix?: string }

export type DoctorOptions = { databaseUrl: string; apiUrl?: string | undefined; mailUrl?: string | undefined }

const OLDEST_POSTGRES = 15
const CLOCK_SECONDS = 2
const FEED_DAYS = 2
const UNSETTLED = 5000

/** Looks at everything a service needs, in the order in which one thing rests on another. */
export async function examine({ databaseUrl, apiUrl, mailUrl }: DoctorOptions): Promise<Finding[]> {
  const pool = openPool(databaseUrl, { size: 2, statementTimeoutMs: 10_000 })
  const db = openDatabase(pool)
  try {
    const reached = await databaseFinding(db)
    const findings = [reached]
    if (reached.well) findings.push(...(await databaseFindings(pool, db)))
    if (apiUrl !== undefined) findings.push(await apiFinding(apiUrl))
    findings.push(await mailFinding(mailUrl))
    return findings
  } finally {
    await db.destroy()
  }
}

async function databaseFinding(db: Database): Promise<Finding> {
  const name = 'database'
  try {
    const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db)
    const version = rows[0]!.version
    const well = Number.parseInt(version, 10) >= OLDEST_POSTGRES
    return { name, well, says: `PostgreSQL ${version}`, fix: `Use PostgreSQL ${OLDEST_POSTGRES} or newer.` }
  } catch (error) {
    const fix = 'Start PostgreSQL, or correct DATABASE_URL (host, port, role, password, pg_hba.conf).'
    return { name, well: false, says: (error as Error).message, fix }
  }
}

async function databaseFindings(pool: pg.Pool, db: Database): Promise<Finding[]> {
  const mismatch = await schemaMismatch(pool)
  const migrations: Finding = {
    name: 'migrations',
    well: mismatch === undefined,
    says: mismatch ?? 'the schema is that of this version',
    fix: 'npm run ops -- migrate',
  }
  const clock = await clockFinding(db)
  if (!migrations.well) return [migrations, clock]
  return [migrations, clock, ...(await dataFindings(db))]
}

async function clockFinding(db: Database): Promise<Finding> {
  const before = Date.now()
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  const seconds = Math.abs(rows[0]!.now.getTime() - (before + Date.now()) / 2) / 1000
  return {
    name: 'clock',
    well: seconds <= CLOCK_SECONDS,
    says: `${seconds.toFixed(1)} s apart from the database's`,
    fix: 'Run a time service (chrony) on both machines. Quotas count by the database’s clock and are safe; months and “as of” are not.',
  }
}

async function dataFindings(db: Database): Promise<Finding[]> {
  const { rows } = await sql<{ sets: number; valued: number; partition: boolean }>`
    select (select count(*)::integer from catalog.set) as sets,
           (select count(distinct set_number)::integer from market.set_value where value_usd is not null) as valued,
           exists (select from pg_inherits i join pg_class c on c.oid = i.inhrelid
                    where i.inhparent = 'account.quota_day'::regclass
                      and pg_get_expr(c.relpartbound, c.oid) like '%TO (''' || ((now() at time zone 'utc')::date + 2) || ''')%') as partition`.execute(
    db,
  )
  const { sets, valued, partition } = rows[0]!
  const [state, queue] = await Promise.all([findFeedState(db), findQueueState(db)])
  const failed = queue.filter((one) => one.state === 'failed')
  const quarantined = state.feeds.reduce((sum, feed) => sum + feed.quarantined, 0)
  const old = state.feeds.filter((feed) => feed.age_seconds > FEED_DAYS * 86_400)
  return [
    {
      name: 'catalog',
      well: sets > 0,
      says: `${sets} sets, ${valued} with a value`,
      fix: 'npm run ops -- ingest catalog FILE (docs/feeds.md); without sets every look-up is a 404.',
    },
    {
      name: 'feeds',
      well: old.length === 0,
      says: state.feeds.length === 0 ? 'no file was taken yet' : state.feeds.map(inDays).join(', '),
      fix: `Ask who delivers ${old.map(({ feed }) => feed).join(' and ')} for files: nothing came for ${FEED_DAYS} days.`,
    },
    {
      name: 'quarantine',
      well: quarantined === 0,
      says: `${quarantined} rows wait`,
      fix: 'npm run ops -- quarantine shows them with their reasons, and --retry takes what can be taken now.',
    },
    {
      name: 'values',
      well: state.unsettled <= UNSETTLED,
      says: `${state.unsettled} items wait to be computed`,
      fix: 'Is a worker running (node apps/worker/main.ts)? Its log says what keeps it; npm run ops -- settle does it by hand.',
    },
    {
      name: 'jobs',
      well: failed.length === 0,
      says: failed.length === 0 ? 'none failed' : failed.map((one) => `${one.queue}: ${one.jobs} failed`).join(', '),
      fix: 'The worker’s log tells why; a job is tried again by itself five times, and on its next day.',
    },
    {
      name: 'partitions',
      well: partition,
      says: partition ? 'tomorrow’s counts have their place' : 'tomorrow’s counts go to the default partition',
      fix: 'Start a worker: its job keep-partitions makes them. Charges are exact either way, but old days are not removed.',
    },
  ]
}

function inDays({ feed, age_seconds }: { feed: string; age_seconds: number }): string {
  return `${feed} ${age_seconds < 86_400 ? `${(age_seconds / 3600).toFixed(1)} h` : `${Math.floor(age_seconds / 86_400)} d`} ago`
}

async function apiFinding(apiUrl: string): Promise<Finding> {
  const name = 'api'
  const fix = 'Start it (npm run api), or look at its log: /readyz says what it waits for.'
  try {
    const answer = await fetch(new URL('/readyz', apiUrl), { signal: AbortSignal.timeout(3000) })
    const { status, reason, catalog } = (await answer.json()) as { status: string; reason?: string; catalog?: string }
    const well = answer.ok && catalog === 'fresh'
    return { name, well, says: `${status}${reason ? `: ${reason}` : `, catalog ${catalog}`}`, fix }
  } catch (error) {
    return { name, well: false, says: `${apiUrl}: ${(error as Error).message}`, fix }
  }
}

async function mailFinding(mailUrl: string | undefined): Promise<Finding> {
  const name = 'mail'
  const fix =
    'Set MAIL_URL=smtps://user:password@host:465 as the web application has it; without mail nobody can sign up or reset a password.'
  if (mailUrl === undefined) return { name, well: false, says: 'MAIL_URL is not set', fix }
  const { protocol, hostname, port } = new URL(mailUrl)
  if (protocol === 'file:') return { name, well: true, says: 'mails are written to files, not sent' }
  const number = Number(port) || (protocol === 'smtps:' ? 465 : 587)
  const socket = connect({ host: hostname, port: number, timeout: 3000 })
  const problem = await new Promise<string | undefined>((resolve) => {
    socket.once('connect', () => resolve(undefined))
    socket.once('timeout', () => resolve('does not answer'))
    socket.once('error', (error) => resolve(error.message))
  })
  socket.destroy()
  return { name, well: problem === undefined, says: `${hostname}:${number} ${problem ?? 'answers'}`, fix }
}

/** As lines; a fix stands below what needs it. */
export function showFindings(findings: Finding[]): string {
  const width = Math.max(...findings.map(({ name }) => name.length))
  return findings
    .map(({ name, well, says, fix }) => {
      const line = `${well ? '✓' : '✗'} ${name.padEnd(width)}  ${says}`
      return well || fix === undefined ? line : `${line}\n  ${' '.repeat(width)}  → ${fix}`
    })
    .join('\n')
}
