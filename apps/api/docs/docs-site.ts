import { type Asset, makeAsset } from './asset.ts'
import { describeEndpoints } from './endpoints-page.ts'
import { pageHtml, searchHtml, type Frame } from './layout.ts'
import { renderMarkdown, sectionsOf } from './markdown.ts'
import { loadPages, type Page } from './pages.ts'
import { Search } from './search.ts'

export type PortalOptions = Omit<Frame, 'pages'> & { openApi: Record<string, unknown>; origin: string }

const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const LONGEST_QUERY = 200

/** The pages of /docs. Each is made when it is first asked for, and kept: all of them take about a megabyte. */
export class Portal {
  readonly #frame: Frame
  readonly #made = new Map<string, Asset>()
  #search: Search | undefined

  constructor({ openApi, origin, ...frame }: PortalOptions) {
    this.#frame = { ...frame, pages: loadPages(describeEndpoints(openApi), { origin, webUrl: frame.webUrl }) }
  }

  /** The page called `name`, or as Markdown `name.md`; undefined when there is none. '' is the first. */
  page(name: string): Asset | undefined {
    const page =
      name === '' ? this.#frame.pages[0] : this.#frame.pages.find((one) => one.name === name.replace(/\.md$/, ''))
    if (!page) return undefined
    const known = this.#made.get(name)
    if (known) return known
    const asset = name.endsWith('.md') ? makeAsset(MARKDOWN, page.markdown) : makeAsset(HTML, this.#render(page))
    this.#made.set(name, asset)
    return asset
  }

  search(text: string): Asset {
    const query = text.trim().slice(0, LONGEST_QUERY)
    this.#search ??= new Search(this.#frame.pages)
    const body = searchHtml(query, query === '' ? [] : this.#search.find(query))
    return makeAsset(HTML, pageHtml(this.#frame, { title: 'Search', body, query }))
  }

  /** What there is instead of a page that there is not. */
  missing(): Asset {
    const body = '<h1>There is no such page</h1>\n<p>It may have moved: search above, or look through the pages.</p>'
    return makeAsset(HTML, pageHtml(this.#frame, { title: 'No such page', body }))
  }

  /** The portal for language models: https://llmstxt.org. */
  llms(): Asset {
    const groups = Map.groupBy(this.#frame.pages, ({ group }) => group)
    const chapters = Array.from(groups, ([group, pages]) => {
      const links = pages.map((page) => `- [${page.title}](/docs/${page.name}.md): ${summaryOf(page)}`)
      return `## ${group}\n\n${links.join('\n')}`
    })
    const text = `# Brickmark API

> Read-only JSON API for brick collectors and resellers: sets, minifigs, computed USD values, monthly history, live prices at two retailers, and the caller's own collections and sales. A key has 1,000 units a UTC day; an answer costs 1 unit, a batch 1 unit an item.

The whole API as OpenAPI 3.1: /openapi.json

${chapters.join('\n\n')}
`
    return makeAsset('text/plain; charset=utf-8', text)
  }

  #render(page: Page): string {
    return pageHtml(this.#frame, {
      title: page.title,
      body: renderMarkdown(page.markdown),
      page,
      sections: sectionsOf(page.markdown),
    })
  }
}

/** The first sentence of a page. */
function summaryOf(page: Page): string {
  const [first] = sectionsOf(page.markdown)
  return /^.*?[.:](?=\s|$)/s.exec(first?.words.trim() ?? '')?.[0].replaceAll(/\s+/g, ' ') ?? ''
}
