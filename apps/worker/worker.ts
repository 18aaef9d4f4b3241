import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { openDatabase, openPool } from '@brickmark/core/db/database'
import { connectionConfig } from '@brickmark/core/db/primary-discovery'
import type { MarketContext } from '@brickmark/core/db/context'
import { recomputeDirty } from '@brickmark/core/market/recompute-commands'
import { startMetricsServer } from '@brickmark/core/runtime/metrics-server'
import type { WorkerConfig } from './config.ts'
import { SCHEDULED_JOBS, createPollJob, type Job } from './jobs/index.ts'
import { WorkerMetrics } from './metrics.ts'

export type Worker = { stop(): Promise<void> }

const POLL_INTERVAL_MS = 1000

/**
 * Keeps the market computed: at once after observations arrive (they announce themselves), every second in any case,
 * and on schedule by pg-boss. Any number of workers may run side by side, and one may be killed at any point: what it
 * had taken is rolled back with its transaction, or retried by the queue.
 */
export async function startWorker(
  { databaseUrl, connectors, metrics: metricsAddress }: WorkerConfig,
  log: Logger,
): Promise<Worker> {
  const pool = openPool(databaseUrl, { size: 4, statementTimeoutMs: 300_000 })
  const context: MarketContext = { pool, db: openDatabase(pool), log, now: () => new Date() }
  const boss = new PgBoss({
    // Handed on to its pool as it is.
    ...connectionConfig(databaseUrl),
    schema: 'pgboss',
    createSchema: false,
    application_name: 'brickmark queue',
  })
  boss.on('error', (error) => log.error({ err: error }, 'queue'))
  await boss.start()
  const metrics = new WorkerMetrics()
  metrics.registerGauges(context.db)
  const metricsServer = metricsAddress && (await startMetricsServer(metrics.registry, metricsAddress))
  const stopping = new AbortController()
  for (const job of [...SCHEDULED_JOBS, ...connectors.map((connector) => createPollJob(connector, stopping.signal))]) {
    await boss.createQueue(job.name, { policy: 'exclusive', retryLimit: 5, retryBackoff: true, heartbeatSeconds: 30 })
    await boss.schedule(job.name, job.cron, null, { tz: 'UTC' })
    metrics.initJobCounters(job.name)
    await boss.work(job.name, () => runJob(job, context, metrics))
  }
  const loop = startRecomputeLoop(databaseUrl, context, metrics)
  return {
    async stop() {
      stopping.abort()
      await loop.stop()
      await boss.stop({ graceful: true, timeout: 30_000 })
      await metricsServer?.stop()
      await context.db.destroy()
    },
  }
}

async function runJob(job: Job, context: MarketContext, metrics: WorkerMetrics): Promise<void> {
  try {
    context.log.info({ job: job.name, counts: await job.run(context) }, 'job done')
    metrics.recordJob(job.name, 'done')
  } catch (error) {
    metrics.recordJob(job.name, 'failed')
    throw error
  }
}

/** Settles what is dirty whenever observations are announced, and every second: an announcement may be lost. */
function startRecomputeLoop(
  databaseUrl: string,
  context: MarketContext,
  metrics: WorkerMetrics,
): { stop(): Promise<void> } {
  let stopped = false
  let wake = () => {}
  let listener: pg.Client | undefined

  async function listen(): Promise<void> {
    const { Client, connectionString } = connectionConfig(databaseUrl)
    const client = new Client({ connectionString, keepAlive: true, connectionTimeoutMillis: 2000 })
    client.on('notification', () => wake())
    client.on('error', () => {
      listener = undefined
    })
    await client.connect()
    await client.query('listen observations')
    listener = client
  }

  async function run(): Promise<void> {
    while (!stopped) {
      try {
        if (!listener) await listen()
        await recomputeDirty(context)
        metrics.recordRecompute()
      } catch (error) {
        context.log.error({ err: error }, 'market: cannot settle, trying again')
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_INTERVAL_MS)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    await listener?.end()
  }

  const running = run()
  return {
    async stop() {
      stopped = true
      wake()
      await running
    },
  }
}
