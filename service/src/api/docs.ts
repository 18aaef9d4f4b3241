import type { FastifyInstance } from 'fastify'
import scalar from '@scalar/fastify-api-reference'
import { buildOpenApi } from './openapi.ts'

/** /openapi.json, and the reference at /docs, which loads nothing from any other address. */
export async function registerDocs(app: FastifyInstance, publicUrl: string | undefined): Promise<void> {
  const document = JSON.stringify(buildOpenApi(publicUrl))
  app.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(document))
  app.get('/', async (_request, reply) => reply.redirect('/docs/'))
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      title: 'Brickmark API',
      url: '/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
    },
  })
}
