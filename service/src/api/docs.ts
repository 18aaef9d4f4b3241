import type { FastifyInstance } from 'fastify'
import scalar from '@scalar/fastify-api-reference'
import { buildOpenApi } from './openapi.ts'

/** /openapi.json, and the reference at /docs, which loads nothing from any other address. */
export async function registerDocs(app: FastifyInstance, publicUrl: string | undefined): Promise<void> {
  const document = JSON.stringify(buildOpenApi(publicUrl))
  app.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(document))
  app.get('/favicon.svg', async (_request, reply) => reply.type('image/svg+xml').send(FAVICON))
  app.get('/', async (_request, reply) => reply.redirect('/docs/'))
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      title: 'Brickmark API',
      url: '/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      // What would lead to other people's services.
      hideClientButton: true,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      favicon: '/favicon.svg',
    },
  })
}

/** Two studs on a brick. */
const FAVICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0f766e" d="M7 7h6v5h6V7h6v5h4v14H3V12h4z"/></svg>'
