import type { Metric, MetricValueWithName, Registry } from 'prom-client'

const BUCKET_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2]

type Labels = Record<string, string | number>
type Value = MetricValueWithName<string>

/**
 * A Prometheus histogram of durations. prom-client's own histogram looks up the labels for every observation, which takes
 * 1 to 1.5 µs; here the caller keeps the series, and an observation takes about 10 ns.
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
    // A registry only uses the name, `get` and `reset` of a metric.
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
    for (const series of this.#series) series.reset()
  }
}

/** The durations with one set of labels. */
class Series {
  readonly #labels: Labels
  /** Count per bucket; the last one is beyond all bounds. */
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
