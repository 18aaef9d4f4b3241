import Fastify from 'fastify'
import { responseKey, port, loadResponses, responseHeaders, ROUTES, type BatchBody } from './recorded-responses.ts'

/**
 * Bare Fastify: sends the same bytes and headers from memory, without keys or quota. An upper bound for anything built
 * on Fastify.
 */
const bodies = new Map(Object.entries(loadResponses()).map(([name, { body }]) => [name, body]))
const quota = { limit: 1000, remaining: 999, reset: new Date().toISOString() }
const app = Fastify()
for (const route of ROUTES) {
  app.route<BatchBody>({
    ...route,
    handler(request, reply) {
      reply.headers(responseHeaders(request.id, quota)).send(bodies.get(responseKey(request)))
    },
  })
}
app.get('/readyz', async () => 'ready')
await app.listen({ port })
