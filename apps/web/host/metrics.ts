import { Counter, Histogram, Registry } from 'prom-client'
import type { Database } from '@brickmark/core/db/database'
import { findWaitingMail } from '@brickmark/core/mail/message-queries'
import { registerScrapedGauge } from '@brickmark/core/runtime/scraped-gauge'
import { shareRead } from '@brickmark/core/runtime/share-read'

/** Prometheus metrics of a web process. */
export class WebMetrics {
  readonly registry = new Registry()
  readonly #requests = new Histogram({
    name: 'brickmark_web_request_seconds',
    help: 'Duration of requests, by method and status.',
    labelNames: ['method', 'status'] as const,
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [this.registry],
  })
  readonly #emails = new Counter({
    name: 'brickmark_emails_total',
    help: 'Attempts to hand an email to the mail server, by outcome. A delayed email is tried again.',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  })

  constructor() {
    for (const outcome of ['sent', 'delayed', 'failed']) this.#emails.inc({ outcome }, 0)
  }

  recordRequest(method: string, status: number, seconds: number): void {
    this.#requests.observe({ method, status }, seconds)
  }

  recordEmail(outcome: 'sent' | 'delayed' | 'failed'): void {
    this.#emails.inc({ outcome })
  }

  /** Registers gauges of the database. All web processes report the same values, so aggregate them with max(). */
  registerGauges(db: Database): void {
    const mail = shareRead(() => findWaitingMail(db))
    registerScrapedGauge(this.registry, {
      name: 'brickmark_mail_oldest_seconds',
      help: 'How long the oldest email has waited for the mail server.',
      read: async () => (await mail()).oldestSeconds,
    })
    registerScrapedGauge(this.registry, {
      name: 'brickmark_mail_waiting',
      help: 'Emails that wait for the mail server.',
      read: async () => (await mail()).messages,
    })
  }
}
