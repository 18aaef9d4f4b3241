import { type Asset, createAsset } from './asset.ts'
import { changelogFeed } from './changelog-feed.ts'
import { renderEndpointsPage } from './endpoints-page.ts'
import { pageHtml, searchResultsHtml, type SiteLayout } from './layout.ts'
import { renderMarkdown, splitSections } from './markdown.ts'
import { loadPages, type Page } from './pages.ts'
import { DocsSearchIndex } from './search.ts'

export type DocsSiteOptions = Omit<SiteLayout, 'pages'> & { openApi: Record<string, unknown>; origin: string }

const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const MAX_QUERY_LENGTH = 200

/** The pages of /docs. Each is rendered on first request and cached: all of them take about a megabyte. */
export class DocsSite {
  readonly #layout: SiteLayout
  readonly #origin: string
  readonly #cache = new Map<string, Asset>()
  #search: DocsSearchIndex | undefined

  constructor({ openApi, origin, ...frame }: DocsSiteOptions) {
    this.#origin = origin
    this.#layout = { ...frame, pages: loadPages(renderEndpointsPage(openApi), { origin, webUrl: frame.webUrl }) }
  }

  /** The page called `name`, or as Markdown `name.md`; undefined when there is none. '' is the first. */
  page(name: string): Asset | undefined {
    const page =
      name === '' ? this.#layout.pages[0] : this.#layout.pages.find((page) => page.name === name.replace(/\.md$/, ''))
    if (!page) return undefined
    const known = this.#cache.get(name)
    if (known) return known
    const asset = name.endsWith('.md') ? createAsset(MARKDOWN, page.markdown) : createAsset(HTML, this.#render(page))
    this.#cache.set(name, asset)
    return asset
  }

  search(text: string): Asset {
    const query = text.trim().slice(0, MAX_QUERY_LENGTH)
    this.#search ??= new DocsSearchIndex(this.#layout.pages)
    const body = searchResultsHtml(query, query === '' ? [] : this.#search.find(query))
    return createAsset(HTML, pageHtml(this.#layout, { title: 'Search', body, query }))
  }

  /** Renders the 404 page. */
  notFound(): Asset {
    const body = '<h1>Page not found</h1>\n<p>It may have moved. Try searching, or browse the menu.</p>'
    return createAsset(HTML, pageHtml(this.#layout, { title: 'Page not found', body }))
  }

  /** Renders llms.txt, an index for language models: https://llmstxt.org. */
  llmsTxt(): Asset {
    const groups = Map.groupBy(this.#layout.pages, ({ group }) => group)
    const sections = Array.from(groups, ([group, pages]) => {
      const links = pages.map((page) => `- [${page.title}](/docs/${page.name}.md): ${firstSentence(page)}`)
      return `## ${group}\n\n${links.join('\n')}`
    })
    const text = `# Brickmark API

> Read-only JSON API for brick collectors and resellers: sets, minifigs, estimated USD values, monthly history, live prices at two retailers, and your own collections and sales. Each API key gets 1,000 credits per UTC day. Most requests cost 1 credit; a batch costs 1 credit per item.

OpenAPI 3.1 document: /openapi.json. All pages in one file: /llms-full.txt.

${sections.join('\n\n')}
`
    return createAsset('text/plain; charset=utf-8', text)
  }

  /** Renders llms-full.txt: every page, for language models that read all of it at once. */
  llmsFullTxt(): Asset {
    const pages = this.#layout.pages.map(({ markdown }) => markdown.trim())
    return createAsset('text/plain; charset=utf-8', `${pages.join('\n\n---\n\n')}\n`)
  }

  /** Renders the changelog as an Atom feed. */
  changelogFeed(): Asset {
    const { markdown } = this.#layout.pages.find(({ name }) => name === 'changelog')!
    return createAsset('application/atom+xml; charset=utf-8', changelogFeed(markdown, this.#origin))
  }

  #render(page: Page): string {
    return pageHtml(this.#layout, {
      title: page.title,
      body: renderMarkdown(page.markdown),
      page,
      sections: splitSections(page.markdown),
    })
  }
}

/** The first sentence of a page. */
function firstSentence(page: Page): string {
  const [first] = splitSections(page.markdown)
  return /^.*?[.:](?=\s|$)/s.exec(first?.prose.trim() ?? '')?.[0].replaceAll(/\s+/g, ' ') ?? ''
}
