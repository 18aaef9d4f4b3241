import { Counter, Gauge, Registry } from 'prom-client'
import type { Database } from '@brickmark/core/db/database'
import { registerDatabaseGauges } from './database-gauges.ts'

/** Prometheus metrics of a worker: what it did, and gauges that are queried from the database on each scrape. */
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

  readonly #pushes = new Counter({
    name: 'brickmark_pushes_total',
    help: 'Attempts to push a notification to a browser, by outcome. `gone`: its subscription no longer exists.',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  })

  constructor() {
    for (const outcome of ['delivered', 'waiting', 'failed'] as const) this.#webhooks.inc({ outcome }, 0)
    for (const outcome of ['delivered', 'waiting', 'failed', 'gone'] as const) this.#pushes.inc({ outcome }, 0)
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

  recordPush(outcome: 'delivered' | 'waiting' | 'failed' | 'gone'): void {
    this.#pushes.inc({ outcome })
  }

  recordRecompute(): void {
    this.#recomputed.setToCurrentTime()
  }

  /** Registers gauges of the database, and of these jobs. All workers report the same values: aggregate them with max(). */
  registerGauges(db: Database, jobNames: string[]): void {
    registerDatabaseGauges(this.registry, db, jobNames)
  }
}
