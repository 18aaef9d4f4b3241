import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const DOCS_PATHS = [
  '/',
  '/docs',
  '/docs/*',
  '/openapi.json',
  '/extensions.openapi.json',
  '/llms.txt',
  '/llms-full.txt',
  '/favicon.svg',
]

/** Redirects readers to the docs, which a process of its own serves; `docsUrl` is its origin. */
export function redirectToDocs(app: FastifyInstance, docsUrl: string): void {
  for (const path of DOCS_PATHS) {
    // Joined as text: resolved against the docs, a target like //elsewhere would name another host. Docs have no queries, but
    // people put keys into them.
    app.get(path, async (request, reply) => reply.redirect(docsUrl + request.url.split('?')[0], 307))
  }
}

const CORS_HEADERS = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-max-age': '86400',
}
const EXPOSED_HEADERS =
  'link, retry-after, x-charged, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, x-request-id'

/**
 * Lets the API playground read responses if it has another origin than the API. Returns true if the request was a preflight
 * and has been answered. Other sites get no CORS headers.
 */
export function allowPlayground(docsUrl: string | undefined, request: FastifyRequest, reply: FastifyReply): boolean {
  const { origin, 'access-control-request-method': preflight } = request.headers
  if (origin === undefined || origin !== docsUrl) return false
  const { raw } = reply
  raw.setHeader('access-control-allow-origin', origin)
  raw.setHeader('access-control-expose-headers', EXPOSED_HEADERS)
  raw.setHeader('vary', 'origin')
  if (request.method !== 'OPTIONS' || preflight === undefined) return false
  reply.hijack()
  raw.writeHead(204, CORS_HEADERS).end()
  return true
}
