import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import { findMigrations, MIGRATIONS } from '../db/migration-queries.ts'

export type MetricsServer = { port: number; stop(): Promise<void> }

/**
 * Serves /metrics to Prometheus: the given registry plus the version and Node.js defaults (memory, event loop, file
 * descriptors).
 * Listens on a separate port that is never exposed publicly.
 */
export async function startMetricsServer(
  registry: Registry,
  { component, host, port }: { component: 'api' | 'worker' | 'web'; host: string; port: number },
): Promise<MetricsServer> {
  // The process names itself: what discovery calls a target differs between installations.
  collectDefaultMetrics({ register: registry, labels: { component } })
  await registerBuildInfo(registry, component)
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(503).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Says which code runs. An image knows its version; the newest migration tells versions apart in any installation. */
async function registerBuildInfo(registry: Registry, component: string): Promise<void> {
  const labels = {
    component,
    version: process.env['BRICKMARK_VERSION'] ?? 'unknown',
    revision: process.env['BRICKMARK_REVISION'] ?? 'unknown',
    migration: (await findMigrations(MIGRATIONS)).toSorted().at(-1)!,
  }
  new Gauge({
    name: 'brickmark_build_info',
    help: 'Always 1; the labels say which code runs.',
    labelNames: Object.keys(labels),
    registers: [registry],
  }).set(labels, 1)
}
