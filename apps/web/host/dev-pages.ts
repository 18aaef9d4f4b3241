import type { FastifyInstance } from 'fastify'
import type { ServerBuild } from 'react-router'
import { createServer } from 'vite'
import type { Pages } from './server.ts'

const REQUESTS_OF_VITE = /^\/(@|app\/|node_modules\/|__)|^\/[\w-]+\.(svg|png|ico|webmanifest)(\?|$)/

/** Serves pages straight from their source; browsers reload what changes. */
export async function createDevPages(): Promise<Pages> {
  const vite = await createServer({
    root: new URL('..', import.meta.url).pathname,
    server: { middlewareMode: true },
    appType: 'custom',
  })
  return {
    isDevelopment: true,
    async load() {
      return (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild
    },
    async register(app: FastifyInstance) {
      app.addHook('onRequest', (request, reply, done) => {
        if (!REQUESTS_OF_VITE.test(request.url)) return done()
        reply.hijack()
        vite.middlewares(request.raw, reply.raw, () => reply.raw.writeHead(404).end())
      })
      app.addHook('onClose', () => vite.close())
    },
  }
}
