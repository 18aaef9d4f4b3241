import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { findCatalogNumbers, findThemes } from '@brickmark/core/market/values/theme-queries'
import { escapeHtml } from './escape-html.ts'
import type { Services } from './services.ts'

const HOUR_S = 3600
const PAGES = ['/', '/search', '/pricing', '/how-values-work', '/about']

/** Serves robots.txt and, if pages are public, the sitemap, compressed: every crawler reads gzip. It may list up to 50,000 pages. */
export function registerCrawlerFiles(app: FastifyInstance, { db, config, legalPages }: Services): void {
  const isPublic = config.publicPages !== 'off'
  app.get('/robots.txt', async (_request, reply) =>
    reply
      .header('cache-control', `public, max-age=${HOUR_S}`)
      .type('text/plain; charset=utf-8')
      .send(isPublic ? publicRules(config.publicUrl) : 'User-agent: *\nDisallow: /\n'),
  )
  if (!isPublic) return
  let sitemap: { text: Promise<Buffer>; until: number } | undefined
  app.get('/sitemap.xml', async (_request, reply) => {
    // Cached, because building it is slow.
    if (sitemap === undefined || sitemap.until < Date.now()) {
      sitemap = { text: buildSitemap(), until: Date.now() + HOUR_S * 1000 }
      sitemap.text.catch(() => (sitemap = undefined))
    }
    return reply
      .headers({ 'cache-control': `public, max-age=${HOUR_S}`, 'content-encoding': 'gzip' })
      .type('application/xml; charset=utf-8')
      .send(await sitemap.text)
  })

  async function buildSitemap(): Promise<Buffer> {
    const [{ sets, minifigs }, themes] = await Promise.all([findCatalogNumbers(db), findThemes(db)])
    const paths = [
      ...PAGES,
      ...legalPages.titles().map(({ name }) => `/legal/${name}`),
      ...themes.map(({ theme }) => `/theme/${encodeURIComponent(theme)}`),
      ...sets.map((number) => `/set/${encodeURIComponent(number)}`),
      ...minifigs.map((number) => `/minifig/${encodeURIComponent(number)}`),
    ]
    const urls = paths.map((path) => `<url><loc>${escapeHtml(config.publicUrl + path)}</loc></url>`)
    return promisify(gzip)(
      `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`,
    )
  }
}

/** Crawlers need neither forms nor the many views of a list. */
function publicRules(publicUrl: string): string {
  return `User-agent: *
Disallow: /sign-
Disallow: /suggestions
Disallow: /*?
Allow: /

Sitemap: ${publicUrl}/sitemap.xml
`
}
