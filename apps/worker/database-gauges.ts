import type { Registry } from 'prom-client'
import { findAlertLag, findMovedValues } from '@brickmark/core/alert/change-queries'
import { findQuotaBloatRatio } from '@brickmark/core/account/quota-queries'
import type { Database } from '@brickmark/core/db/database'
import { findDatabaseHealth, findDataSafety } from '@brickmark/core/db/diagnostics-queries'
import { findJobAges, findQueueStatus, findSchedulerAge } from '@brickmark/core/db/job-queue-queries'
import { findDaysBehindSimpleMethod } from '@brickmark/core/market/values/accuracy-queries'
import { findQueueAges } from '@brickmark/core/market/values/valuation-queue-queries'
import { registerScrapedGauge, type ScrapedGauge } from '@brickmark/core/runtime/scraped-gauge'
import { shareRead } from '@brickmark/core/runtime/share-read'
import { findFeedStatus } from '@brickmark/core/source/feed-status-queries'
import { findWebhookBacklog } from '@brickmark/core/webhook/delivery-queries'
import { findPushBacklog } from '@brickmark/core/webhook/push-subscription-queries'

type AddGauge = (name: string, help: string, read: ScrapedGauge['read'], labelNames?: string[]) => void

/** How far a value may move in a day without counting as moved: 25 %. */
const MOVED_SHARE = 0.25
/** Reads a day of changes, which is too much for every scrape. */
const MOVED_VALUES_INTERVAL_MS = 60_000

/** Registers the gauges that a worker reads from the database on each scrape. */
export function registerDatabaseGauges(registry: Registry, db: Database, jobNames: string[]): void {
  const add: AddGauge = (name, help, read, labelNames = []) =>
    registerScrapedGauge(registry, { name, help, labelNames, read })
  addFeedGauges(add, db)
  addMarketGauges(add, db)
  addJobGauges(add, db, new Set(jobNames))
  addDeliveryGauges(add, db)
  addServerGauges(add, db)
}

function addFeedGauges(add: AddGauge, db: Database): void {
  const status = shareRead(() => findFeedStatus(db))
  add(
    'brickmark_feed_age_seconds',
    'Seconds since the last file of each feed was ingested.',
    async () => (await status()).feeds.map(({ feed, age_seconds }) => [{ feed }, age_seconds]),
    ['feed'],
  )
  add(
    'brickmark_poll_age_seconds',
    'Seconds since each connector last finished a poll.',
    async () => (await status()).polls.map(({ source_id, age_seconds }) => [{ source: source_id }, age_seconds]),
    ['source'],
  )
  add(
    'brickmark_quarantined_rows',
    'Quarantined rows that have not been retried, by feed.',
    async () => (await status()).feeds.map(({ feed, quarantined }) => [{ feed }, quarantined]),
    ['feed'],
  )
  add(
    'brickmark_held_imports',
    'Imports that wait for an operator, because their prices differ from what is known.',
    async () => (await status()).held,
  )
  add(
    'brickmark_queued_items',
    'Sets and minifigs whose value is pending recomputation.',
    async () => (await status()).dirty,
  )
}

function addMarketGauges(add: AddGauge, db: Database): void {
  add(
    'brickmark_oldest_queued_seconds',
    'How long the oldest observation of a retail price, or the oldest item to value, has waited.',
    async () => {
      const { retailSeconds, valueSeconds } = await findQueueAges(db)
      return [
        [{ kind: 'retail' }, retailSeconds],
        [{ kind: 'value' }, valueSeconds],
      ]
    },
    ['kind'],
  )
  add('brickmark_values_behind_days', 'Days in a row on which a simple method was more accurate than the values.', () =>
    findDaysBehindSimpleMethod(db),
  )
  const moved = shareRead(() => findMovedValues(db, MOVED_SHARE), MOVED_VALUES_INTERVAL_MS)
  add('brickmark_values', 'Values that are published.', async () => (await moved()).values)
  add(
    'brickmark_values_moved',
    'Values that have moved by more than 25 % within a day, or are gone.',
    async () => (await moved()).moved,
  )
}

function addJobGauges(add: AddGauge, db: Database, names: Set<string>): void {
  add(
    'brickmark_job_age_seconds',
    'Seconds since each job last succeeded.',
    async () =>
      (await findJobAges(db))
        .filter(({ name }) => names.has(name))
        .map(({ name, ageSeconds }) => [{ name }, ageSeconds]),
    ['name'],
  )
  add(
    'brickmark_queue_jobs',
    'Jobs in the queue, by name and state.',
    async () => (await findQueueStatus(db)).map(({ queue, state, jobs }) => [{ queue, state }, jobs]),
    ['queue', 'state'],
  )
  add('brickmark_scheduler_age_seconds', 'Seconds since a worker last looked for jobs that are due.', () =>
    findSchedulerAge(db),
  )
}

function addDeliveryGauges(add: AddGauge, db: Database): void {
  add(
    'brickmark_alert_lag_seconds',
    'Age of the oldest published change that alert rules have not been applied to.',
    () => findAlertLag(db),
  )
  add(
    'brickmark_webhook_delay_seconds',
    'How long the endpoint that has waited longest has waited for deliveries that are due.',
    async () => (await findWebhookBacklog(db)).oldestSeconds,
  )
  add(
    'brickmark_push_delay_seconds',
    'How long the browser that has waited longest has waited for a notification that is due.',
    async () => (await findPushBacklog(db)).oldestSeconds,
  )
}

function addServerGauges(add: AddGauge, db: Database): void {
  const health = shareRead(() => findDatabaseHealth(db))
  const safety = shareRead(() => findDataSafety(db))
  add('brickmark_quota_dead_tuple_ratio', 'Dead tuples per live quota counter, for the worst day.', () =>
    findQuotaBloatRatio(db),
  )
  add(
    'brickmark_wal_files_to_archive',
    'WAL files that wait to be archived.',
    async () => (await health()).walFilesToArchive,
  )
  add('brickmark_standbys', 'Standbys that are connected to the primary.', async () => (await health()).standbys)
  add(
    'brickmark_synchronous_standbys',
    'Standbys that have a commit before it is acknowledged.',
    async () => (await safety()).synchronousStandbys,
  )
  add(
    'brickmark_replication_lag_seconds',
    'Replay lag of the standby that is furthest behind.',
    async () => (await health()).replicationLagSeconds,
  )
  add(
    'brickmark_database_connection_ratio',
    'Connections as a fraction of max_connections.',
    async () => (await health()).connectionRatio,
  )
  add('brickmark_database_size_bytes', 'Size of the database.', async () => (await health()).sizeBytes)
  add(
    'brickmark_transaction_id_age_ratio',
    'Age of the oldest transaction id, as a fraction of the age at which PostgreSQL stops accepting writes.',
    async () => (await safety()).transactionIdAgeRatio,
  )
  add(
    'brickmark_checksum_failures',
    'Pages read with a wrong checksum since the statistics were reset.',
    async () => (await safety()).checksumFailures,
  )
}
