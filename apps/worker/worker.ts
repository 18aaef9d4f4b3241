import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { openDatabase, openPool } from '@brickmark/core/db/database'
import { wasRead } from '@brickmark/core/source/retail-poll-queries'
import { schemaMismatch } from '@brickmark/core/db/migration-queries'
import { describeUnsafeRole } from '@brickmark/core/db/role-queries'
import { connectionConfig } from '@brickmark/core/db/primary-discovery'
import type { MarketContext } from '@brickmark/core/db/context'
import { startMetricsServer } from '@brickmark/core/runtime/metrics-server'
import { startAlertLoop } from './alert-loop.ts'
import type { WorkerConfig } from './config.ts'
import { SCHEDULED_JOBS } from './jobs/index.ts'
import type { Job } from './jobs/job.ts'
import { pollRetailerJob } from './jobs/poll-retailer.ts'
import { refreshExchangeRatesJob } from './jobs/refresh-exchange-rates.ts'
import { refreshFromBricksetJob } from './jobs/refresh-from-brickset.ts'
import { refreshFromRebrickableJob } from './jobs/refresh-from-rebrickable.ts'
import { searchJobName, searchProductsJob } from './jobs/search-products.ts'
import { WorkerMetrics } from './metrics.ts'
import { startRecomputeLoop } from './recompute-loop.ts'
import { startPushLoop } from './webhooks/push-loop.ts'
import { startWebhookLoop } from './webhooks/webhook-loop.ts'

export type Worker = { stop(): Promise<void> }

/**
 * Recomputes values and retail prices as observations arrive, applies alert rules, sends webhooks and notifications, and
 * runs scheduled jobs through pg-boss. Any number of workers can run in parallel, and each can be killed at any point: its claims are rolled back with
 * their transaction, and its jobs are retried by the queue.
 */
export async function startWorker(
  {
    databaseUrl,
    listenUrl,
    connectors,
    rebrickable,
    brickset,
    exchangeRatesUrl,
    webhooks,
    push,
    metrics: metricsAddress,
  }: WorkerConfig,
  log: Logger,
): Promise<Worker> {
  const pool = openPool(databaseUrl, {
    size: 4,
    statementTimeoutMs: 300_000,
    onError: (error) => log.warn({ err: error }, 'lost an idle database connection'),
  })
  const db = openDatabase(pool)
  const problem = (await schemaMismatch(pool)) ?? (await describeUnsafeRole(db, 'brickmark_worker'))
  if (problem !== undefined) {
    await db.destroy()
    throw new Error(`The worker cannot start: ${problem}`)
  }
  const context: MarketContext = { pool, db, log, now: () => new Date() }
  const boss = new PgBoss({
    // pg-boss passes these options to its own pool.
    ...connectionConfig(databaseUrl),
    schema: 'pgboss',
    // `ops migrate` creates the tables; this role may only read and write them.
    createSchema: false,
    migrate: false,
    application_name: 'brickmark queue',
  })
  boss.on('error', (error) => log.error({ err: error }, 'queue'))
  await boss.start()
  const stopping = new AbortController()
  // A catalog brings the barcodes that products are found by.
  const searches = connectors.map(searchJobName)
  const jobs = [
    ...SCHEDULED_JOBS,
    ...(rebrickable === undefined ? [] : [refreshFromRebrickableJob(rebrickable, searches, stopping.signal)]),
    ...(brickset === undefined ? [] : [refreshFromBricksetJob(brickset, searches, stopping.signal)]),
    ...(exchangeRatesUrl === undefined ? [] : [refreshExchangeRatesJob(exchangeRatesUrl, stopping.signal)]),
    ...connectors.flatMap((connector) => [
      searchProductsJob(connector, stopping.signal),
      pollRetailerJob(connector, stopping.signal),
    ]),
  ]
  const metrics = new WorkerMetrics()
  metrics.registerGauges(
    context.db,
    jobs.map((job) => job.name),
  )
  const metricsServer =
    metricsAddress && (await startMetricsServer(metrics.registry, { component: 'worker', ...metricsAddress }))
  for (const job of jobs) {
    await boss.createQueue(job.name, { policy: 'exclusive', retryLimit: 5, retryBackoff: true, heartbeatSeconds: 30 })
    await boss.schedule(job.name, job.cron, null, { tz: 'UTC' })
    metrics.initJobCounters(job.name)
    await boss.work(job.name, async () => {
      await runJob(job, context, metrics)
      for (const name of job.followedBy ?? []) await boss.send(name)
    })
  }
  for (const { name, reads, runsAtStart } of jobs) {
    if (runsAtStart || (reads !== undefined && !(await wasRead(pool, reads)))) await boss.send(name)
  }
  const loops = [
    startRecomputeLoop(listenUrl, context, metrics),
    startAlertLoop(context, metrics),
    ...(webhooks === undefined ? [] : [startWebhookLoop(databaseUrl, webhooks, context, metrics)]),
    ...(push === undefined ? [] : [startPushLoop(databaseUrl, push, context, metrics)]),
  ]
  return {
    async stop() {
      stopping.abort()
      await Promise.all(loops.map((loop) => loop.stop()))
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
