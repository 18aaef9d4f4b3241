import type { Metric, MetricValueWithName, Registry } from 'prom-client'

const BUCKET_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2]

type Labels = Record<string, string | number>
type Value = MetricValueWithName<string>

/**
 * How long things took, as a histogram of Prometheus. prom-client's own looks up the labels for every value, which takes a
 * microsecond or more; here whoever counts keeps the series.
 */
export class DurationHistogram {
  readonly name: string
  readonly help: string
  readonly type = 'histogram'
  readonly aggregator = 'sum'
  readonly #series: Series[] = []

  constructor(name: string, help: string, registry: Registry) {
    this.name = name
    this.help = help
    // All that a registry asks of a metric is a name, `get` and `reset`.
    registry.registerMetric(this as unknown as Metric)
  }

  series(labels: Labels): Series {
    const series = new Series(labels)
    this.#series.push(series)
    return series
  }

  async get() {
    const { name, help, type, aggregator } = this
    return { name, help, type, aggregator, values: this.#series.flatMap((series) => series.values(name)) }
  }

  reset(): void {
    for (const one of this.#series) one.reset()
  }
}

/** The durations of one kind. */
class Series {
  readonly #labels: Labels
  /** How many fell between a bound and the one before; the last are those beyond all. */
  readonly #counts = new Float64Array(BUCKET_BOUNDS.length + 1)
  #sum = 0

  constructor(labels: Labels) {
    this.#labels = labels
  }

  observe(seconds: number): void {
    let bucket = 0
    while (bucket < BUCKET_BOUNDS.length && seconds > BUCKET_BOUNDS[bucket]!) bucket++
    this.#counts[bucket]!++
    this.#sum += seconds
  }

  reset(): void {
    this.#counts.fill(0)
    this.#sum = 0
  }

  values(name: string): Value[] {
    let count = 0
    const buckets = [...BUCKET_BOUNDS, '+Inf'].map((le, bucket) => {
      count += this.#counts[bucket]!
      return { metricName: `${name}_bucket`, labels: { le, ...this.#labels }, value: count }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: this.#labels, value: this.#sum },
      { metricName: `${name}_count`, labels: this.#labels, value: count },
    ]
  }
}
