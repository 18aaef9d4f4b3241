import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { buildOpenApi } from '../openapi/openapi.ts'
import { createAsset, sendAsset, type Asset } from './asset.ts'
import { referenceHtml, referenceScript } from './reference.ts'

export type DocsOptions = {
  /** The address people use, when it is not the one we listen at. */
  publicUrl: string | undefined
  /** The account application, for links to it. */
  webUrl: string | undefined
}

/** /docs with its search, the interactive reference, /openapi.json, /llms.txt and /llms-full.txt. Nothing comes from any other address. */
export async function registerDocs(app: FastifyInstance, { publicUrl, webUrl }: DocsOptions): Promise<void> {
  const openApi = buildOpenApi(publicUrl)
  const document = createAsset('application/json; charset=utf-8', JSON.stringify(openApi))
  const referenceCss = bundleAsset(['bar.css'])
  const css = bundleAsset(['bar.css', 'frame.css', 'article.css'])
  const script = bundleAsset(['docs.js'])
  const referenceInit = bundleAsset(['reference.js'])
  const favicon = createAsset('image/svg+xml', FAVICON)
  const assets = { css: css.href, script: script.href }

  // Only a process that is asked for the docs pays for the libraries that make them.
  const loadSite = async () => {
    const { DocsSite } = await import('./docs-site.ts')
    return new DocsSite({ ...assets, webUrl, openApi, origin: publicUrl ?? app.listeningOrigin })
  }
  let sitePromise: ReturnType<typeof loadSite> | undefined
  const portal = () => (sitePromise ??= loadSite())

  app.get('/', async (_request, reply) => reply.redirect('/docs/'))
  app.get('/docs', async (_request, reply) => reply.redirect('/docs/'))
  app.get('/openapi.json', async (request, reply) => sendAsset(request, reply, document))
  app.get('/favicon.svg', async (request, reply) => sendAsset(request, reply, favicon))
  app.get('/llms.txt', async (request, reply) => sendAsset(request, reply, (await portal()).llmsTxt()))
  app.get('/llms-full.txt', async (request, reply) => sendAsset(request, reply, (await portal()).llmsFullTxt()))
  app.get('/docs/changelog.xml', async (request, reply) => sendAsset(request, reply, (await portal()).changelogFeed()))
  for (const { path, asset } of [referenceCss, css, script, referenceInit]) {
    app.get(path, async (request, reply) => sendAsset(request, withImmutableCache(reply), asset))
  }
  app.get<{ Querystring: { q?: string | string[] } }>('/docs/search', async (request, reply) => {
    const text = [request.query.q ?? ''].flat().join(' ')
    return sendAsset(request, withCsp(reply), (await portal()).search(text))
  })
  app.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const page = (await portal()).page(request.params['*'])
    if (page) return sendAsset(request, withCsp(reply), page)
    return sendAsset(request, withCsp(reply).code(404), (await portal()).notFound())
  })

  const reference = createAsset(
    'text/html; charset=utf-8',
    referenceHtml({ webUrl, css: referenceCss.href, start: referenceInit.href }),
  )
  app.get('/docs/reference', async (request, reply) => sendAsset(request, withCsp(reply, REFERENCE_CSP), reference))
  app.get('/docs/reference/scalar.js', async (request, reply) => sendAsset(request, reply, await referenceScript()))
}

/** Files of ours in one, under the name of the last, at an address that changes with them. */
function bundleAsset(files: string[]): { path: string; href: string; asset: Asset } {
  const name = files.at(-1)!
  const text = files.map((file) => readFileSync(new URL(`assets/${file}`, import.meta.url), 'utf8')).join('\n')
  const asset = createAsset(`text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`, text)
  const path = `/docs/assets/${name}`
  return { path, href: `${path}?v=${encodeURIComponent(asset.etag.slice(1, 9))}`, asset }
}

const PAGE_CSP = { 'script-src': `'self'`, 'style-src': `'self'`, 'img-src': `'self'`, 'form-action': `'self'` }
/** Scalar writes its styles into the page and sends the requests that people try. */
const REFERENCE_CSP = {
  ...PAGE_CSP,
  'style-src': `'self' 'unsafe-inline'`,
  'img-src': `'self' data:`,
  'font-src': `'self' data:`,
  'connect-src': `'self'`,
}

/** What a page may load and do: nothing but what is named, from nowhere but here. */
function withCsp(reply: FastifyReply, directives: Record<string, string> = PAGE_CSP): FastifyReply {
  const rules = { 'default-src': `'none'`, 'base-uri': `'none'`, 'frame-ancestors': `'none'`, ...directives }
  return reply.headers({
    'content-security-policy': Object.entries(rules)
      .map(([what, sources]) => `${what} ${sources}`)
      .join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
  })
}

function withImmutableCache(reply: FastifyReply): FastifyReply {
  return reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' })
}

/** Bricks that pile up; the account application has the same. */
const FAVICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="#5065d8"><rect x="1" y="11" width="14" height="4" rx="1"/><rect x="1" y="6" width="9" height="4" rx="1"/><rect x="1" y="1" width="4" height="4" rx="1"/></svg>'
