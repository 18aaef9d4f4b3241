import { Counter, Gauge, Registry } from 'prom-client'
import type { Database } from '@brickmark/core/db/database'
import { findQuotaBloatRatio } from '@brickmark/core/account/quota-queries'
import { findDatabaseHealth } from '@brickmark/core/db/diagnostics-queries'
import { findQueueStatus } from '@brickmark/core/db/job-queue-queries'
import { findAlertLag } from '@brickmark/core/alert/change-queries'
import { findWebhookBacklog } from '@brickmark/core/webhook/delivery-queries'
import { findDaysBehindSimpleMethod } from '@brickmark/core/market/values/accuracy-queries'
import { findFeedStatus } from '@brickmark/core/source/feed-status-queries'

/** Prometheus metrics of a worker: job outcomes, and backlog gauges queried from the database on each scrape. */
export class WorkerMetrics {
  readonly registry = new Registry()
  readonly #jobs = new Counter({
    name: 'brickmark_jobs_total',
    help: 'Jobs run by this worker, by name and outcome.',
    labelNames: ['name', 'outcome'] as const,
    registers: [this.registry],
  })
  readonly #recomputed = new Gauge({
    name: 'brickmark_market_recomputed_timestamp_seconds',
    help: 'When this worker last recomputed some of the pending changes of every kind, or found none.',
    registers: [this.registry],
  })

  readonly #alerts = new Counter({
    name: 'brickmark_alerts_total',
    help: 'Alerts caused by alert rules.',
    registers: [this.registry],
  })

  readonly #webhooks = new Counter({
    name: 'brickmark_webhooks_total',
    help: 'Attempts to deliver webhooks, by outcome.',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  })

  constructor() {
    for (const outcome of ['delivered', 'waiting', 'failed'] as const) this.#webhooks.inc({ outcome }, 0)
  }

  /** Initializes the counters to 0 so that Prometheus sees the first increment. */
  initJobCounters(name: string): void {
    for (const outcome of ['done', 'failed']) this.#jobs.inc({ name, outcome }, 0)
  }

  recordJob(name: string, outcome: 'done' | 'failed'): void {
    this.#jobs.inc({ name, outcome })
  }

  recordAlerts(count: number): void {
    this.#alerts.inc(count)
  }

  recordWebhook(outcome: 'delivered' | 'waiting' | 'failed'): void {
    this.#webhooks.inc({ outcome })
  }

  recordRecompute(): void {
    this.#recomputed.setToCurrentTime()
  }

  /** Registers gauges of the database. All workers report the same values, so aggregate them with max(). */
  registerGauges(db: Database): void {
    const registers = [this.registry]
    const feedAge = new Gauge({
      name: 'brickmark_feed_age_seconds',
      help: 'Seconds since the last file of each feed was ingested.',
      labelNames: ['feed'],
      registers,
    })
    const pollAge = new Gauge({
      name: 'brickmark_poll_age_seconds',
      help: 'Seconds since each connector last finished a poll.',
      labelNames: ['source'],
      registers,
    })
    const quarantined = new Gauge({
      name: 'brickmark_quarantined_rows',
      help: 'Quarantined rows that have not been retried, by feed.',
      labelNames: ['feed'],
      registers,
    })
    const dirty = new Gauge({
      name: 'brickmark_queued_items',
      help: 'Sets and minifigs whose value is pending recomputation.',
      registers,
    })
    const quotaBloat = new Gauge({
      name: 'brickmark_quota_dead_tuple_ratio',
      help: 'Dead tuples per live quota counter, for the worst day.',
      registers,
    })
    const alertLag = new Gauge({
      name: 'brickmark_alert_lag_seconds',
      help: 'Age of the oldest published change that alert rules have not been applied to.',
      registers,
    })
    const webhookDelay = new Gauge({
      name: 'brickmark_webhook_delay_seconds',
      help: 'How long the endpoint that has waited longest has waited for deliveries that are due.',
      registers,
    })
    const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
    const daysBehind = gauge(
      'brickmark_values_behind_days',
      'Days in a row on which a simple method was more accurate than the values.',
    )
    const walFiles = gauge('brickmark_wal_files_to_archive', 'WAL files that wait to be archived.')
    const standbys = gauge('brickmark_standbys', 'Standbys that are connected to the primary.')
    const lag = gauge('brickmark_replication_lag_seconds', 'Replay lag of the standby that is furthest behind.')
    const connections = gauge('brickmark_database_connection_ratio', 'Connections as a fraction of max_connections.')
    const size = gauge('brickmark_database_size_bytes', 'Size of the database.')
    const queue = new Gauge({
      name: 'brickmark_queue_jobs',
      help: 'Jobs in the queue, by name and state.',
      labelNames: ['queue', 'state'],
      registers: [],
      async collect() {
        const [jobs, feeds, old, health, alertLagSeconds, webhooks, behind] = await Promise.all([
          findQueueStatus(db),
          findFeedStatus(db),
          findQuotaBloatRatio(db),
          findDatabaseHealth(db),
          findAlertLag(db),
          findWebhookBacklog(db),
          findDaysBehindSimpleMethod(db),
        ])
        this.reset()
        for (const { queue: name, state, jobs: count } of jobs) this.set({ queue: name, state }, count)
        quarantined.reset()
        for (const { feed, age_seconds, quarantined: rows } of feeds.feeds) {
          feedAge.set({ feed }, age_seconds)
          quarantined.set({ feed }, rows)
        }
        for (const { source_id, age_seconds } of feeds.polls) pollAge.set({ source: source_id }, age_seconds)
        dirty.set(feeds.dirty)
        alertLag.set(alertLagSeconds)
        webhookDelay.set(webhooks.oldestSeconds)
        quotaBloat.set(old)
        daysBehind.set(behind)
        walFiles.set(health.walFilesToArchive)
        standbys.set(health.standbys)
        lag.set(health.replicationLagSeconds)
        connections.set(health.connectionRatio)
        size.set(health.sizeBytes)
      },
    })
    this.registry.registerMetric(queue)
  }
}
