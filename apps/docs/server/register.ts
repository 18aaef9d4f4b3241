import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import serveStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createAsset, sendAsset, type Asset } from './asset.ts'
import { referenceHtml, referenceScript } from './reference.ts'
import { StaticSite, type SiteFile } from './static-site.ts'

export type DocsOptions = {
  /** Base URL of the API, ending in /api/v1. */
  apiUrl: string
  /** URL of the web app, for links to it. */
  webUrl: string | undefined
  /** Where the built docs are. */
  site?: URL
}

const SITE = new URL('../dist/', import.meta.url)
const API = new URL('../../api/', import.meta.url)
const NOT_BUILT = 'The docs are not built. Run `npm run build -w apps/docs`, then restart the docs.\n'

/** /docs, the API playground, the OpenAPI documents, /llms.txt and /llms-full.txt. Nothing comes from any other address. */
export async function registerDocs(app: FastifyInstance, { apiUrl, webUrl, site = SITE }: DocsOptions): Promise<void> {
  const favicon = createAsset('image/svg+xml', FAVICON)
  app.get('/', async (_request, reply) => reply.redirect('/docs/'))
  const { origin } = new URL(apiUrl)
  for (const [file, server] of [
    ['openapi.json', apiUrl],
    ['extensions.openapi.json', `${origin}/api/extensions/v1`],
  ] as const) {
    const committed = JSON.parse(readFileSync(new URL(file, API), 'utf8')) as object
    const text = JSON.stringify({ ...committed, servers: [{ url: server }] })
    const document = createAsset('application/json; charset=utf-8', text)
    app.get(`/${file}`, async (request, reply) => sendAsset(request, reply, document))
  }
  for (const path of ['/favicon.svg', '/docs/favicon.svg']) {
    app.get(path, async (request, reply) => sendAsset(request, reply, favicon))
  }
  registerPlayground(app, apiUrl, webUrl)
  await registerSite(app, new StaticSite(site, { origin, webUrl }), origin)
}

/** Serves pages and other text from memory, and scripts, styles and the search index as static files. */
async function registerSite(app: FastifyInstance, site: StaticSite, apiOrigin: string): Promise<void> {
  const sendFile = (request: FastifyRequest, reply: FastifyReply, file: SiteFile) =>
    sendAsset(request, withCsp(reply, pageCsp(file, apiOrigin)), file.asset)
  const send = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    if (!site.exists) return reply.code(404).type('text/plain; charset=utf-8').send(NOT_BUILT)
    const file = site.find(path)
    if (file) return sendFile(request, reply, await file)
    return sendFile(request, reply.code(404), await site.notFound())
  }
  app.get('/docs', (request, reply) => send(request, reply, ''))
  app.get<{ Params: { '*': string } }>('/docs/*', (request, reply) => send(request, reply, request.params['*']))
  app.get('/docs/downloads/SHA256SUMS', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(await site.checksums()),
  )
  for (const name of ['llms.txt', 'llms-full.txt']) {
    app.get(`/${name}`, (request, reply) => send(request, reply, name))
  }
  if (!site.exists) return
  for (const [index, folder] of ['_astro', 'pagefind'].entries()) {
    await app.register(serveStatic, {
      root: fileURLToPath(new URL(folder, site.root)),
      prefix: `/docs/${folder}/`,
      decorateReply: index === 0,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const cacheControl = HASHED_NAME.test(path) ? IMMUTABLE : 'public, max-age=300'
        void reply.headers({ 'cache-control': cacheControl, 'x-content-type-options': 'nosniff' })
      },
    })
  }
}

function registerPlayground(app: FastifyInstance, apiUrl: string, webUrl: string | undefined): void {
  const css = fileAsset('bar.css')
  const start = fileAsset('reference.js')
  for (const { path, asset } of [css, start]) {
    app.get(path, async (request, reply) => {
      const headers = { 'cache-control': IMMUTABLE, 'x-content-type-options': 'nosniff' }
      return sendAsset(request, reply.headers(headers), asset)
    })
  }
  const page = createAsset('text/html; charset=utf-8', referenceHtml({ webUrl, css: css.href, start: start.href }))
  const csp = playgroundCsp(new URL(apiUrl).origin)
  for (const path of ['/docs/reference', '/docs/reference/']) {
    app.get(path, async (request, reply) => sendAsset(request, withCsp(reply, csp), page))
  }
  app.get('/docs/reference/scalar.js', async (request, reply) => sendAsset(request, reply, await referenceScript()))
}

/** Loads a file from `assets`. Its URL contains a hash of its content, so that it can be cached forever. */
function fileAsset(name: string): { path: string; href: string; asset: Asset } {
  const text = readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8')
  const asset = createAsset(`text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`, text)
  const path = `/docs/assets/${name}`
  return { path, href: `${path}?v=${encodeURIComponent(asset.etag.slice(1, 9))}`, asset }
}

const IMMUTABLE = 'public, max-age=31536000, immutable'
/** Files whose names contain a hash of their content: Astro's assets and the parts of the search index. */
const HASHED_NAME = /\/_astro\/|\.pf_(fragment|index|meta)$/

/** The search runs WebAssembly. Highlighted code has its colors in style attributes, which can't run anything. */
function pageCsp({ scripts, styles }: SiteFile, apiOrigin: string): Record<string, string> {
  return {
    'script-src': [`'self'`, `'wasm-unsafe-eval'`, ...scripts].join(' '),
    'style-src': [`'self'`, ...styles].join(' '),
    'style-src-attr': `'unsafe-inline'`,
    'img-src': `'self' data:`,
    'connect-src': `'self' ${apiOrigin}`,
    'form-action': `'self'`,
  }
}

/** Scalar writes its styles into the page and sends the requests that people try to the API. */
function playgroundCsp(apiOrigin: string): Record<string, string> {
  return {
    'script-src': `'self'`,
    'style-src': `'self' 'unsafe-inline'`,
    'img-src': `'self' data:`,
    'font-src': `'self' data:`,
    'connect-src': `'self' ${apiOrigin}`,
    'form-action': `'self'`,
  }
}

/** Sets a content security policy that forbids everything except `directives`. */
function withCsp(reply: FastifyReply, directives: Record<string, string>): FastifyReply {
  const rules = { 'default-src': `'none'`, 'base-uri': `'none'`, 'frame-ancestors': `'none'`, ...directives }
  return reply.headers({
    'content-security-policy': Object.entries(rules)
      .map(([what, sources]) => `${what} ${sources}`)
      .join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
  })
}

/** A stack of bricks; the web app has the same icon. */
const FAVICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="#5065d8"><rect x="1" y="11" width="14" height="4" rx="1"/><rect x="1" y="6" width="9" height="4" rx="1"/><rect x="1" y="1" width="4" height="4" rx="1"/></svg>'
