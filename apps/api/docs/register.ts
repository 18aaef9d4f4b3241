import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { buildOpenApi } from '../openapi/openapi.ts'
import { makeAsset, sendAsset, type Asset } from './asset.ts'
import { referenceHtml, referenceScript } from './reference.ts'

export type DocsOptions = {
  /** The address people use, when it is not the one we listen at. */
  publicUrl: string | undefined
  /** The account application, for links to it. */
  webUrl: string | undefined
}

/** /docs with its search, the interactive reference, /openapi.json and /llms.txt. Nothing comes from any other address. */
export async function registerDocs(app: FastifyInstance, { publicUrl, webUrl }: DocsOptions): Promise<void> {
  const openApi = buildOpenApi(publicUrl)
  const document = makeAsset('application/json; charset=utf-8', JSON.stringify(openApi))
  const bar = assetOf(['bar.css'])
  const css = assetOf(['bar.css', 'frame.css', 'article.css'])
  const script = assetOf(['docs.js'])
  const start = assetOf(['reference.js'])
  const favicon = makeAsset('image/svg+xml', FAVICON)
  const assets = { css: css.href, script: script.href }

  // Only a process that is asked for the docs pays for the libraries that make them.
  const openPortal = async () => {
    const { Portal } = await import('./docs-site.ts')
    return new Portal({ ...assets, webUrl, openApi, origin: publicUrl ?? app.listeningOrigin })
  }
  let opened: ReturnType<typeof openPortal> | undefined
  const portal = () => (opened ??= openPortal())

  app.get('/', async (_request, reply) => reply.redirect('/docs/'))
  app.get('/docs', async (_request, reply) => reply.redirect('/docs/'))
  app.get('/openapi.json', async (request, reply) => sendAsset(request, reply, document))
  app.get('/favicon.svg', async (request, reply) => sendAsset(request, reply, favicon))
  app.get('/llms.txt', async (request, reply) => sendAsset(request, reply, (await portal()).llms()))
  for (const { path, asset } of [bar, css, script, start]) {
    app.get(path, async (request, reply) => sendAsset(request, lasting(reply), asset))
  }
  app.get<{ Querystring: { q?: string | string[] } }>('/docs/search', async (request, reply) => {
    const text = [request.query.q ?? ''].flat().join(' ')
    return sendAsset(request, guarded(reply), (await portal()).search(text))
  })
  app.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const page = (await portal()).page(request.params['*'])
    if (page) return sendAsset(request, guarded(reply), page)
    return sendAsset(request, guarded(reply).code(404), (await portal()).missing())
  })

  const reference = makeAsset('text/html; charset=utf-8', referenceHtml({ webUrl, css: bar.href, start: start.href }))
  app.get('/docs/reference', async (request, reply) => sendAsset(request, guarded(reply, REFERENCE_MAY), reference))
  app.get('/docs/reference/scalar.js', async (request, reply) => sendAsset(request, reply, await referenceScript()))
}

/** Files of ours in one, under the name of the last, at an address that changes with them. */
function assetOf(files: string[]): { path: string; href: string; asset: Asset } {
  const name = files.at(-1)!
  const text = files.map((file) => readFileSync(new URL(`assets/${file}`, import.meta.url), 'utf8')).join('\n')
  const asset = makeAsset(`text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`, text)
  const path = `/docs/assets/${name}`
  return { path, href: `${path}?v=${encodeURIComponent(asset.etag.slice(1, 9))}`, asset }
}

const PAGES_MAY = { 'script-src': `'self'`, 'style-src': `'self'`, 'img-src': `'self'`, 'form-action': `'self'` }
/** Scalar writes its styles into the page and sends the requests that people try. */
const REFERENCE_MAY = {
  ...PAGES_MAY,
  'style-src': `'self' 'unsafe-inline'`,
  'img-src': `'self' data:`,
  'font-src': `'self' data:`,
  'connect-src': `'self'`,
}

/** What a page may load and do: nothing but what is named, from nowhere but here. */
function guarded(reply: FastifyReply, may: Record<string, string> = PAGES_MAY): FastifyReply {
  const rules = { 'default-src': `'none'`, 'base-uri': `'none'`, 'frame-ancestors': `'none'`, ...may }
  return reply.headers({
    'content-security-policy': Object.entries(rules)
      .map(([what, whence]) => `${what} ${whence}`)
      .join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
  })
}

function lasting(reply: FastifyReply): FastifyReply {
  return reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' })
}

/** Bricks that pile up; the account application has the same. */
const FAVICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="#5065d8"><rect x="1" y="11" width="14" height="4" rx="1"/><rect x="1" y="6" width="9" height="4" rx="1"/><rect x="1" y="1" width="4" height="4" rx="1"/></svg>'
