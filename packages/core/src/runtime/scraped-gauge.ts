import { Counter, Gauge, type Registry } from 'prom-client'

type Labels = Record<string, string>

/** One value, null if it is unknown, or a value for each set of labels. */
type Reading = number | null | (readonly [Labels, number])[]

export type ScrapedGauge = { name: string; help: string; labelNames?: string[]; read: () => Promise<Reading> }

const FAILED_READS = 'brickmark_failed_gauge_reads_total'

/**
 * Registers a gauge that is read on every scrape. A value that is unknown or can't be read isn't exported; the other metrics of
 * the process are.
 */
export function registerScrapedGauge(registry: Registry, { name, help, labelNames = [], read }: ScrapedGauge): void {
  const failedReads = failedReadsCounter(registry)
  failedReads.inc({ name }, 0)
  const gauge = new Gauge({
    name,
    help,
    labelNames,
    registers: [],
    async collect() {
      const reading = await read().catch(() => {
        failedReads.inc({ name })
        return null
      })
      if (typeof reading === 'number') return this.set(reading)
      this.reset()
      if (reading !== null) for (const [labels, value] of reading) this.set(labels, value)
      else if (labelNames.length === 0) this.remove()
    },
  })
  registry.registerMetric(gauge)
}

function failedReadsCounter(registry: Registry): Counter {
  const existing = registry.getSingleMetric(FAILED_READS)
  if (existing !== undefined) return existing as Counter
  return new Counter({
    name: FAILED_READS,
    help: 'Reads of a gauge that failed during a scrape, by gauge.',
    labelNames: ['name'],
    registers: [registry],
  })
}
