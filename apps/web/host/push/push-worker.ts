import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { WebConfig } from '../config.ts'

const SCRIPT = readFileSync(new URL('push-worker.js', import.meta.url), 'utf8')

/** Serves the service worker that shows notifications, if there are any. At the root, so that it may focus every page. */
export function registerPushWorker(app: FastifyInstance, { vapidPublicKey }: Pick<WebConfig, 'vapidPublicKey'>): void {
  if (vapidPublicKey === undefined) return
  app.get('/push-worker.js', async (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(SCRIPT),
  )
}
