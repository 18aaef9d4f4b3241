import { setTimeout as sleep } from 'node:timers/promises'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { AdmissionController } from './admission/admission-controller.ts'
import { KeyResolver } from './admission/key-resolver.ts'
import { KeyConcurrencyLimiter } from './admission/key-concurrency-limiter.ts'
import { UsageRecorder } from './admission/usage-recorder.ts'
import { CatalogReplica } from './catalog/replica.ts'
import type { Config } from './config.ts'
import { CALLS_PER_CONNECTION, openDatabase, openPool, READ_POOL_SIZE } from '@brickmark/core/db/database'
import { Standby } from '@brickmark/core/db/standby'
import { schemaMismatch } from '@brickmark/core/db/migration-queries'
import { describeUnsafeRole } from '@brickmark/core/db/role-queries'
import { startMetricsServer } from '@brickmark/core/runtime/metrics-server'
import { buildApp } from './app.ts'
import { ApiMetrics } from './metrics.ts'
import { EventLoopMonitor } from './event-loop-monitor.ts'
import type { ApiContext } from './request-handler.ts'
import { RequestTracer } from './request-tracer.ts'

export type ApiServer = {
  /** Ends in /api/v1. */
  baseUrl: string
  origin: string
  /** URL of the Prometheus endpoint; undefined if it isn't configured. */
  metricsUrl: string | undefined
  /** Resolves when /readyz reports ready; rejects if the database role must not be used. */
  ready: Promise<void>
  /**
   * Reports not ready and keeps serving for `drainMs`, so that load balancers stop routing to this process first; then
   * completes the requests in flight and closes.
   */
  stop(options?: { drainMs?: number }): Promise<void>
}

const READINESS_RETRY_MS = 500
const CONNECTION_WAIT_MS = 250

class UnsafeRoleError extends Error {}

/**
 * Starts serving immediately: health and readiness checks respond from the start, the API once the schema matches and
 * the catalog is loaded.
 */
export async function startApi(
  config: Pick<Config, 'databaseUrl' | 'peppers' | 'host' | 'port' | 'publicUrl'> &
    Partial<
      Pick<
        Config,
        'docsUrl' | 'securityContact' | 'listenUrl' | 'standbyUrl' | 'metricsPort' | 'trustedProxies' | 'traces'
      >
    >,
  log: Logger,
  inspect?: ApiContext['onResponseData'],
): Promise<ApiServer> {
  const { readPool, admissionPool, keyLookupPool } = openPools(config.databaseUrl, log)
  const primaryDatabase = openDatabase(readPool, {
    waitMs: CONNECTION_WAIT_MS,
    callsPerConnection: CALLS_PER_CONNECTION,
  })
  const standby = config.standbyUrl === undefined ? undefined : new Standby(config.standbyUrl, readPool, log)
  const replica = new CatalogReplica(config.databaseUrl, log, config.listenUrl)
  const metrics = new ApiMetrics()
  let notReadyReason: string | undefined = 'starting'
  let stopping = false
  let loaded = false

  const apiContext: ApiContext = {
    catalog: replica.catalog,
    get db() {
      return standby?.isCurrent ? standby.db : primaryDatabase
    },
    primaryDatabase,
    keys: new KeyResolver(keyLookupPool, config.peppers),
    admission: new AdmissionController(admissionPool, metrics.admission),
    usage: new UsageRecorder(readPool, log),
    concurrency: new KeyConcurrencyLimiter(),
    eventLoop: new EventLoopMonitor(),
    metrics,
    traces: config.traces && new RequestTracer(config.traces),
    ...(inspect && { onResponseData: inspect }),
  }
  const app = await buildApp({
    apiContext,
    log,
    publicUrl: config.publicUrl,
    docsUrl: config.docsUrl,
    securityContact: config.securityContact,
    trustedProxies: config.trustedProxies ?? 0,
    notReadyReason: () => notReadyReason,
    isLoaded: () => loaded,
    isFresh: () => replica.isFresh,
  })

  metrics.registerGauges({
    pools: { read: readPool, admission: admissionPool, key_lookup: keyLookupPool },
    pendingAdmissions: () => apiContext.admission.pendingCount,
    inFlight: () => apiContext.concurrency.inFlight,
    isFresh: () => replica.isFresh,
    isStandbyCurrent: () => standby?.isCurrent,
  })
  const metricsServer =
    config.metricsPort === undefined
      ? undefined
      : await startMetricsServer(metrics.registry, { component: 'api', host: config.host, port: config.metricsPort })

  async function initialize(): Promise<void> {
    while ((notReadyReason = await readinessProblem(readPool, primaryDatabase, log)) !== undefined) {
      if (stopping) return
      log.warn(`not ready: ${notReadyReason}`)
      await sleep(READINESS_RETRY_MS)
    }
    notReadyReason = 'the catalog is not loaded yet'
    await replica.start()
    loaded = true
    notReadyReason = stopping ? 'stopping' : undefined
  }

  // While draining, close the connection after each response so that clients reconnect to another process.
  app.server.prependListener('request', (_request, response) => {
    if (stopping) response.shouldKeepAlive = false
  })
  await app.listen({ host: config.host, port: config.port })
  const { port } = app.server.address() as AddressInfo
  const origin = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
  return {
    origin,
    metricsUrl: metricsServer && `http://${config.host}:${metricsServer.port}/metrics`,
    baseUrl: `${origin}/api/v1`,
    ready: initialize(),
    async stop({ drainMs = 0 } = {}) {
      stopping = true
      notReadyReason = 'stopping'
      await sleep(drainMs)
      await app.close()
      apiContext.eventLoop.stop()
      await metricsServer?.stop()
      await apiContext.traces?.stop()
      await replica.stop()
      await apiContext.usage.close()
      await standby?.stop()
      await Promise.all([primaryDatabase.destroy(), admissionPool.end(), keyLookupPool.end()])
    },
  }
}

/** Admission has its own connections, so that neither slow reads nor guessed keys ever delay a charge. */
function openPools(databaseUrl: string, log: Logger) {
  const onError = (error: Error) => log.warn({ err: error }, 'lost an idle database connection')
  return {
    // The role has a short lock timeout, so that a read fails while the client still has time to retry.
    readPool: openPool(databaseUrl, { size: READ_POOL_SIZE, pipelined: true, onError }),
    // Two batches and one contended key at a time.
    admissionPool: openPool(databaseUrl, { size: 3, statementTimeoutMs: 1500, onError }),
    keyLookupPool: openPool(databaseUrl, { size: 1, statementTimeoutMs: 1500, onError }),
  }
}

/** Returns why this process can't serve yet; throws if it must never serve (unsafe role). */
async function readinessProblem(
  readPool: ReturnType<typeof openPool>,
  primaryDatabase: ReturnType<typeof openDatabase>,
  log: Logger,
): Promise<string | undefined> {
  try {
    const mismatch = await schemaMismatch(readPool)
    const roleProblem = mismatch === undefined ? await describeUnsafeRole(primaryDatabase, 'brickmark_api') : undefined
    if (roleProblem === undefined) return mismatch
    throw new UnsafeRoleError(roleProblem)
  } catch (error) {
    if (error instanceof UnsafeRoleError) throw error
    log.warn({ err: error }, 'readiness check failed')
    return 'the database cannot be reached'
  }
}
