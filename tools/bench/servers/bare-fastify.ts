import Fastify from 'fastify'
import { responseKey, port, loadResponses, ROUTES, type BatchBody } from './recorded-responses.ts'

/**
 * Bare Fastify: sends the same bytes from memory, without keys, quota or headers other than the content type. An upper
 * bound for anything built on Fastify.
 */
const bodies = new Map(Object.entries(loadResponses()).map(([name, { body }]) => [name, body]))
const app = Fastify()
for (const route of ROUTES) {
  app.route<BatchBody>({
    ...route,
    handler(request, reply) {
      reply.header('content-type', 'application/json; charset=utf-8').send(bodies.get(responseKey(request)))
    },
  })
}
app.get('/readyz', async () => 'ready')
await app.listen({ port })
