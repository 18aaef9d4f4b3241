import type pg from 'pg'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { AdmissionObserver } from './admission/admission-controller.ts'
import { DurationHistogram } from './duration-histogram.ts'

type Series = ReturnType<DurationHistogram['series']>

/** Values that are read when Prometheus scrapes. */
export type GaugeSources = {
  pools: Record<string, pg.Pool>
  /** Requests waiting for admission. */
  pendingAdmissions: () => number
  inFlight: () => number
  isFresh: () => boolean
  /** Undefined without a standby. */
  isStandbyCurrent: () => boolean | undefined
}

/** The metrics of an API process. The endpoint label is the path template of the contract, so its cardinality is small. */
export class ApiMetrics {
  readonly registry = new Registry()
  readonly #requestDuration = new DurationHistogram(
    'brickmark_request_seconds',
    'Request duration by endpoint and status, from the first byte read to the response handed to the socket.',
    this.registry,
  )
  readonly #byEndpoint = new Map<string, Map<number, Series>>()
  readonly #batchSize = new Histogram({
    name: 'brickmark_admission_batch_size',
    help: 'Requests charged per statement.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024],
    registers: [this.registry],
  })
  readonly #admissionDuration = new DurationHistogram(
    'brickmark_admission_seconds',
    'Admission latency by verdict.',
    this.registry,
  )
  readonly #byVerdict = new Map<string, Series>()
  readonly #shed = new Counter({
    name: 'brickmark_shed_total',
    help: 'Requests rejected with 503, by reason.',
    labelNames: ['reason'] as const,
    registers: [this.registry],
  })

  /** Receives the events of admission. */
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

  /** Registers gauges, which are read on every scrape. */
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
    gauge('brickmark_requests_in_flight', 'Requests in flight.', inFlight)
    gauge('brickmark_admission_pending', 'Requests waiting for admission.', pendingAdmissions)
    gauge('brickmark_catalog_fresh', '1 while the in-memory catalog is up to date with the database.', () =>
      Number(isFresh()),
    )
    if (isStandbyCurrent() !== undefined) {
      gauge('brickmark_standby_current', '1 while account reads go to the standby.', () => Number(isStandbyCurrent()))
    }
    const connections = new Gauge({
      name: 'brickmark_pool_connections',
      help: 'PostgreSQL connections by pool and state; `waiting` counts requests that wait for one.',
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

function getOrCreate<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const value = map.get(key)
  if (value !== undefined) return value
  const created = create()
  map.set(key, created)
  return created
}
