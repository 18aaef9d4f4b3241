import type pg from 'pg'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { AdmissionObserver } from './admission/admission-controller.ts'
import { DurationHistogram } from './duration-histogram.ts'

type Series = ReturnType<DurationHistogram['series']>

/** What is looked at when somebody asks. */
export type GaugeSources = {
  pools: Record<string, pg.Pool>
  /** Calls without a verdict. */
  pendingAdmissions: () => number
  inFlight: () => number
  isFresh: () => boolean
  /** Undefined without a standby. */
  isStandbyCurrent: () => boolean | undefined
}

/** What an api process counts. Endpoints are named as in the contract, so there are few of them. */
export class ApiMetrics {
  readonly registry = new Registry()
  readonly #requestDuration = new DurationHistogram(
    'brickmark_request_seconds',
    'Requests by endpoint and status, and how long they took from the first byte read to the answer handed on.',
    this.registry,
  )
  readonly #byEndpoint = new Map<string, Map<number, Series>>()
  readonly #batchSize = new Histogram({
    name: 'brickmark_admission_batch_calls',
    help: 'Calls charged by one statement.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024],
    registers: [this.registry],
  })
  readonly #admissionDuration = new DurationHistogram(
    'brickmark_admission_seconds',
    'Verdicts of admission by kind, and how long they were waited for.',
    this.registry,
  )
  readonly #byVerdict = new Map<string, Series>()
  readonly #shed = new Counter({
    name: 'brickmark_shed_total',
    help: 'Requests refused with 503, by what there was too little of.',
    labelNames: ['reason'] as const,
    registers: [this.registry],
  })

  /** What admission tells as it goes. */
  readonly admission: AdmissionObserver = {
    onBatchCharged: (calls) => this.#batchSize.observe(calls),
    onVerdict: (verdict, ms) =>
      getOrCreate(this.#byVerdict, verdict, () => this.#admissionDuration.series({ verdict })).observe(ms / 1000),
  }

  observeRequest(endpoint: string, status: number, startedAt: number): void {
    const byStatus = getOrCreate(this.#byEndpoint, endpoint, () => new Map<number, Series>())
    const series = getOrCreate(byStatus, status, () => this.#requestDuration.series({ endpoint, status }))
    series.observe((performance.now() - startedAt) / 1000)
  }

  recordShed(reason: string): void {
    this.#shed.inc({ reason })
  }

  /** Gauges are read when they are asked for. */
  registerGauges({ pools, pendingAdmissions, inFlight, isFresh, isStandbyCurrent }: GaugeSources): void {
    const registers = [this.registry]
    const gauge = (name: string, help: string, value: () => number) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(value())
        },
      })
    gauge('brickmark_requests_under_way', 'Requests that are being answered.', inFlight)
    gauge('brickmark_admission_waiting', 'Calls that wait for a verdict.', pendingAdmissions)
    gauge('brickmark_catalog_fresh', '1 while the catalog in memory follows the database.', () => Number(isFresh()))
    if (isStandbyCurrent() !== undefined) {
      gauge('brickmark_standby_current', '1 while private reads go to the standby.', () => Number(isStandbyCurrent()))
    }
    const connections = new Gauge({
      name: 'brickmark_pool_connections',
      help: 'Connections to PostgreSQL by pool and state; `waiting` counts who waits for one.',
      labelNames: ['pool', 'state'],
      registers: [],
      collect() {
        for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
          this.set({ pool, state: 'busy' }, totalCount - idleCount)
          this.set({ pool, state: 'idle' }, idleCount)
          this.set({ pool, state: 'waiting' }, waitingCount)
        }
      },
    })
    this.registry.registerMetric(connections)
  }
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key)
  if (value !== undefined) return value
  const made = make()
  map.set(key, made)
  return made
}
