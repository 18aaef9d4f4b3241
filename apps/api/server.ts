import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { Admission } from './admission/admission-controller.ts'
import { KeyDirectory } from './admission/key-resolver.ts'
import { KeyTurns } from './admission/key-concurrency-limiter.ts'
import { RequestNotes } from './admission/usage-recorder.ts'
import { CatalogReplica } from './catalog/replica.ts'
import type { Config } from './config.ts'
import { openDatabase, openPool, READERS } from '@brickmark/core/db/database'
import { Standby } from '@brickmark/core/db/standby'
import { schemaMismatch } from '@brickmark/core/db/migrate'
import { unsafeRole } from '@brickmark/core/db/role-queries'
import { serveMetrics } from '@brickmark/core/runtime/metrics-server'
import { buildApp } from './app.ts'
import { ApiMetrics } from './metrics.ts'
import { Pressure } from './event-loop-monitor.ts'
import type { Service } from './request-handler.ts'
import { Traces } from './request-tracer.ts'

export type RunningApi = {
  /** Ends in /api/v1. */
  baseUrl: string
  origin: string
  /** Where Prometheus asks; undefined when it was not wanted. */
  metricsUrl: string | undefined
  /** Resolves when /readyz says ready. */
  ready: Promise<void>
  /**
   * Calls itself not ready and serves on for `drainMs`, so that a load balancer can turn away from it first; then finishes
   * what is under way.
   */
  stop(options?: { drainMs?: number }): Promise<void>
}

const LOOK_AGAIN_MS = 500
const LOCK_MS = 200
const CONNECTION_MS = 250

class UnsafeRole extends Error {}

/**
 * Starts serving at once: health and readiness answer from the beginning, the API once the schema matches and the
 * catalog is loaded. Admission has connections of its own, so that slow reads never keep a charge waiting.
 */
export async function startApi(
  config: Pick<Config, 'databaseUrl' | 'peppers' | 'host' | 'port' | 'publicUrl'> &
    Partial<Pick<Config, 'webUrl' | 'standbyUrl' | 'metricsPort' | 'trustProxy' | 'traces'>>,
  log: Logger,
  inspect?: Service['inspect'],
): Promise<RunningApi> {
  // Reads wait for nobody: a lock on what they read, or no connection, is refused while there is time to ask again.
  const readPool = openPool(config.databaseUrl, { size: READERS, lockTimeoutMs: LOCK_MS, pipelined: true })
  const admissionPool = openPool(config.databaseUrl, { size: 3, statementTimeoutMs: 1500 })
  const primary = openDatabase(readPool, { waitMs: CONNECTION_MS })
  const standby = config.standbyUrl === undefined ? undefined : new Standby(config.standbyUrl, readPool, log)
  const replica = new CatalogReplica(config.databaseUrl, log)
  const metrics = new ApiMetrics()
  let unreadiness: string | undefined = 'starting'
  let stopping = false
  let loaded = false

  const service: Service = {
    catalog: replica.catalog,
    get db() {
      return standby?.current ? standby.db : primary
    },
    primary,
    keys: new KeyDirectory(admissionPool, config.peppers),
    admission: new Admission(admissionPool, metrics.admission),
    notes: new RequestNotes(readPool),
    turns: new KeyTurns(),
    pressure: new Pressure(),
    metrics,
    traces: config.traces && new Traces(config.traces),
    ...(inspect && { inspect }),
  }
  const app = await buildApp({
    service,
    log,
    publicUrl: config.publicUrl,
    webUrl: config.webUrl,
    trustProxy: config.trustProxy ?? false,
    unreadiness: () => unreadiness,
    loaded: () => loaded,
    fresh: () => replica.fresh,
  })

  metrics.watch({
    pools: { read: readPool, admission: admissionPool },
    waitingForVerdict: () => service.admission.waiting,
    underWay: () => service.turns.underWay,
    fresh: () => replica.fresh,
    standbyCurrent: () => standby?.current,
  })
  const told =
    config.metricsPort === undefined
      ? undefined
      : await serveMetrics(metrics.registry, { host: config.host, port: config.metricsPort })

  /** What keeps this process from serving; throws when it never must. */
  async function obstacle(): Promise<string | undefined> {
    try {
      const mismatch = await schemaMismatch(readPool)
      const danger = mismatch === undefined ? await unsafeRole(primary, 'brickmark_api') : undefined
      if (danger === undefined) return mismatch
      throw new UnsafeRole(danger)
    } catch (error) {
      if (error instanceof UnsafeRole) throw error
      return 'the database cannot be reached'
    }
  }

  async function becomeReady(): Promise<void> {
    while ((unreadiness = await obstacle()) !== undefined) {
      if (stopping) return
      log.warn(`not ready: ${unreadiness}`)
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
    }
    unreadiness = 'the catalog is not loaded yet'
    await replica.start()
    loaded = true
    unreadiness = stopping ? 'stopping' : undefined
  }

  // While stopping, every answer ends its connection: who asks again is sent to another process.
  app.server.prependListener('request', (_request, response) => {
    if (stopping) response.shouldKeepAlive = false
  })
  await app.listen({ host: config.host, port: config.port })
  const { port } = app.server.address() as AddressInfo
  const origin = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
  return {
    origin,
    metricsUrl: told && `http://${config.host}:${told.port}/metrics`,
    baseUrl: `${origin}/api/v1`,
    ready: becomeReady(),
    async stop({ drainMs = 0 } = {}) {
      stopping = true
      unreadiness = 'stopping'
      await drain(drainMs)
      await app.close()
      service.pressure.stop()
      await told?.stop()
      await service.traces?.stop()
      await replica.stop()
      await service.notes.stop()
      await standby?.stop()
      await Promise.all([primary.destroy(), admissionPool.end()])
    },
  }
}

function drain(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
