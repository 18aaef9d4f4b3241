import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { disconnectStalledClients } from '@brickmark/core/runtime/stalled-clients'
import type { DocsConfig } from './config.ts'
import { registerDocs } from './register.ts'

export type RunningDocs = { origin: string; stop(): Promise<void> }

/**
 * Serves the docs. They have a process of their own because everyone may read them: nothing that anyone sends here can
 * delay a charge or take its memory.
 */
export async function startDocs({ apiUrl, webUrl, host, port }: DocsConfig): Promise<RunningDocs> {
  const app = Fastify({
    requestTimeout: 10_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    bodyLimit: 1024,
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, connectionsCheckingInterval: 5000 },
  })
  disconnectStalledClients(app.server)
  app.get('/healthz', async () => ({ status: 'ok' }))
  await registerDocs(app, { apiUrl, webUrl })
  await app.listen({ host, port })
  const { port: actualPort } = app.server.address() as AddressInfo
  return { origin: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`, stop: () => app.close() }
}
