import { Counter, Histogram, Registry } from 'prom-client'

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
    help: 'Emails handed to the mail server, by outcome.',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  })

  constructor() {
    for (const outcome of ['sent', 'failed']) this.#emails.inc({ outcome }, 0)
  }

  recordRequest(method: string, status: number, seconds: number): void {
    this.#requests.observe({ method, status }, seconds)
  }

  recordEmail(outcome: 'sent' | 'failed'): void {
    this.#emails.inc({ outcome })
  }
}
