import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { SIGNAL_DAYS, type AccountSignal } from './signal.ts'

/**
 * Queries for the operator pages. Each calls a database function that verifies the session itself and rejects other
 * users; the web application's role can't read the underlying tables.
 */

type OperatorAccount = {
  account_id: number
  name: string
  /** Null while the account has no user. */
  email: string | null
  operator: boolean
  plan: string
  created_at: Date
  active_keys: number
  /** Total cost charged to all its keys today. */
  used_today: number
  /** Start of the newest active session. */
  signed_in_at: Date | null
  /** Null unless the account is suspended. */
  suspended_at: Date | null
  suspension_reason: string | null
}

/**
 * Returns one page of the accounts whose name, email or id matches the search, newest first: those with an id below
 * `beforeId`, and whether there are more.
 */
export async function findAccounts(
  db: Database,
  token: string,
  {
    search,
    onlySuspended = false,
    limit,
    beforeId = Number.MAX_SAFE_INTEGER,
  }: { search: string; onlySuspended?: boolean; limit: number; beforeId?: number | undefined },
): Promise<{ accounts: OperatorAccount[]; hasMore: boolean }> {
  const { rows } = await sql<OperatorAccount>`
    select * from account.operator_find_accounts(${token}, ${search}, ${onlySuspended}, null, ${beforeId}, ${limit + 1})`.execute(
    db,
  )
  return { accounts: rows.slice(0, limit), hasMore: rows.length > limit }
}

export async function findAccount(
  db: Database,
  token: string,
  accountId: number,
): Promise<OperatorAccount | undefined> {
  const { rows } = await sql<OperatorAccount>`
    select * from account.operator_find_accounts(${token}, '', false, ${accountId}, null, 1)`.execute(db)
  return rows[0]
}

/** Returns the signals of these accounts, the latest of each account first. An account without one has no rows. */
export async function findSignals(db: Database, token: string, accountIds: number[]): Promise<AccountSignal[]> {
  const { rows } = await sql<AccountSignal>`
    select * from account.operator_signals(${token}, ${accountIds}, ${SIGNAL_DAYS})`.execute(db)
  return rows
}

type FeedStatus = {
  feed: string
  /** The newest file; null if none was ever received. */
  file_name: string | null
  finished_at: Date | null
  accepted: number | null
  repeated: number | null
  quarantined: number | null
  /** Within the last 24 hours. */
  files_today: number
  accepted_today: number
  in_quarantine: number
}

type SourceStatus = {
  source_id: string
  name: string
  license_id: string
  rank: number
  polled_at: Date | null
  withdrawn_at: Date | null
  terms: string
  feeds_values: boolean
  shown: boolean
  max_display_age: string | null
  retention: string | null
  attribution: string | null
}

type Backlog = {
  items: number
  items_since: Date | null
  products: number
  products_since: Date | null
}

/** Returns how fresh the data is, from received feed files to published values. */
export async function findDataFreshness(db: Database, token: string) {
  const feeds = await sql<FeedStatus>`select * from source.operator_feeds(${token})`.execute(db)
  const sources = await sql<SourceStatus>`select * from source.operator_licensed_sources(${token})`.execute(db)
  const backlog = await sql<Backlog>`select * from source.operator_backlog(${token})`.execute(db)
  const market = await sql<{
    now: Date
    sets: number
    minifigs: number
    values_at: Date | null
    prices_at: Date | null
    last_month: string | null
  }>`
    select now() as now,
           (select count(*)::integer from catalog.set) as sets,
           (select count(*)::integer from catalog.minifig) as minifigs,
           (select max(calculated_at) from market.set_value) as values_at,
           (select max(last_checked_at) from market.retail_state) as prices_at,
           (select max(month) from market.finalized_month) as last_month`.execute(db)
  return { feeds: feeds.rows, sources: sources.rows, backlog: backlog.rows[0]!, market: market.rows[0]! }
}

type JobStatus = {
  name: string
  schedule: string | null
  waiting: number
  active: number
  failed: number
  done_at: Date | null
  failed_at: Date | null
  failure: string | null
}

/** Returns the worker's queues; empty if no worker has ever run. */
export async function findJobs(db: Database, token: string): Promise<JobStatus[]> {
  const { rows } = await sql<JobStatus>`select * from maintenance.operator_jobs(${token})`.execute(db)
  return rows
}

type QuarantinedRow = {
  quarantine_id: number
  feed: string
  file_name: string
  came_at: Date
  row_number: number
  reason: string
}

/** Returns quarantined rows, newest first, without their content, which is licensed; `ops quarantine` prints it. */
export async function findQuarantinedRows(
  db: Database,
  token: string,
  { feed, limit, offset }: { feed: string; limit: number; offset: number },
): Promise<{ rows: QuarantinedRow[]; total: number }> {
  const { rows } = await sql<QuarantinedRow & { total: number }>`
    select * from source.operator_quarantine(${token}, ${feed}, ${limit}, ${offset})`.execute(db)
  return { rows, total: rows[0]?.total ?? 0 }
}

type MailStatus = { waiting: number; tried: number; oldest_at: Date | null; last_error: string | null }

type FailingEndpoint = {
  account_id: number
  endpoint_id: number
  host: string
  disabled_reason: 'owner' | 'gone' | null
  waiting: number
  failed: number
  oldest_at: Date | null
  last_attempt_at: Date | null
  last_status_code: number | null
}

/** Returns how much mail waits, and the webhook endpoints with deliveries that wait or have failed. */
export async function findDeliveryStatus(
  db: Database,
  token: string,
): Promise<{ mail: MailStatus; endpoints: FailingEndpoint[] }> {
  const mail = await sql<MailStatus>`select * from mail.operator_mail(${token})`.execute(db)
  const endpoints = await sql<FailingEndpoint>`select * from webhook.operator_webhooks(${token})`.execute(db)
  return { mail: mail.rows[0]!, endpoints: endpoints.rows }
}
