import { Gauge, type Registry } from 'prom-client'

type Labels = Record<string, string>

/** One value, null if it is unknown, or a value for each set of labels. */
type Reading = number | null | (readonly [Labels, number])[]

export type ScrapedGauge = { name: string; help: string; labelNames?: string[]; read: () => Promise<Reading> }

/** Registers a gauge that is read on every scrape. A value that is unknown isn't exported. */
export function registerScrapedGauge(registry: Registry, { name, help, labelNames = [], read }: ScrapedGauge): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames,
    registers: [],
    async collect() {
      const reading = await read()
      if (typeof reading === 'number') return this.set(reading)
      if (reading === null) return this.remove()
      this.reset()
      for (const [labels, value] of reading) this.set(labels, value)
    },
  })
  registry.registerMetric(gauge)
}

/**
 * Lets gauges share a read: prom-client collects all gauges of a scrape at the same time, and none waits for another. The
 * result is reused for another `keepMs`.
 */
export function shareRead<T>(read: () => Promise<T>, keepMs = 0): () => Promise<T> {
  let reading: Promise<T> | undefined
  const forget = () => {
    reading = undefined
  }
  const start = () => {
    const started = read()
    started.then(() => (keepMs === 0 ? forget() : setTimeout(forget, keepMs).unref()), forget)
    return started
  }
  return () => (reading ??= start())
}
