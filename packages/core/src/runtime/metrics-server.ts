import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics, type Registry } from 'prom-client'

export type MetricsServer = { port: number; stop(): Promise<void> }

/**
 * Serves /metrics to Prometheus: the given registry plus Node.js defaults (memory, event loop, file descriptors).
 * Listens on a separate port that is never exposed publicly.
 */
export async function startMetricsServer(
  registry: Registry,
  { component, host, port }: { component: 'api' | 'worker' | 'web'; host: string; port: number },
): Promise<MetricsServer> {
  // The process names itself: what discovery calls a target differs between installations.
  collectDefaultMetrics({ register: registry, labels: { component } })
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      // If the database is down, fail the scrape instead of reporting wrong values.
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
