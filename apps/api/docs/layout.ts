import { escapeHtml } from './html.ts'
import type { Section } from './markdown.ts'
import type { Page } from './pages.ts'

/** Parts shared by all pages. */
export type SiteLayout = {
  pages: Page[]
  /** URL of the web app, if configured. */
  webUrl: string | undefined
  css: string
  script: string
}

export type PageContent = {
  title: string
  /** HTML. */
  body: string
  /** The docs page, unless it is a search or error page. */
  page?: Page
  sections?: Section[]
  query?: string
}

/** Renders a whole page. It works without JavaScript, which adds copy buttons and highlights the current section. */
export function pageHtml(frame: SiteLayout, { title, body, page, sections = [], query = '' }: PageContent): string {
  const contents = sections.filter(({ depth }) => depth === 2 || depth === 3)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Brickmark docs</title>
${page ? `<link rel="alternate" type="text/markdown" href="/docs/${page.name}.md">` : '<meta name="robots" content="noindex">'}
<link rel="alternate" type="application/atom+xml" title="API changelog" href="/docs/changelog.xml">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${frame.css}">
<script src="${frame.script}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
${headerHtml(frame.webUrl, query)}
<div class="frame">
<nav id="menu" popover aria-label="Pages">${navHtml(frame.pages, page)}</nav>
<main id="content" tabindex="-1">
${contents.length > 1 ? '<button class="contents-button" type="button" popovertarget="contents">On this page</button>' : ''}
<article>
${body}
</article>
${page ? pagerHtml(frame.pages, page) : ''}
</main>
${contents.length > 1 ? contentsHtml(contents) : ''}
</div>
<footer class="site-foot">
<p><a href="/llms.txt">llms.txt</a> <a href="/openapi.json">openapi.json</a> <a href="/docs/changelog.xml">Changelog feed</a></p>
<p>LEGO® is a trademark of the LEGO Group of companies, which does not sponsor, authorize or endorse this site.</p>
</footer>
</body>
</html>
`
}

/** Renders the top bar, also shown above the API playground. */
export function headerHtml(webUrl: string | undefined, query = ''): string {
  return `<header class="bar">
<a class="brand" href="/docs/"><img src="/favicon.svg" width="22" height="22" alt=""><span>Brickmark <b>docs</b></span></a>
<form class="search" action="/docs/search" role="search">
<input type="search" name="q" value="${escapeHtml(query)}" placeholder="Search the docs" aria-label="Search the docs" maxlength="200">
<button type="submit">Search</button>
</form>
<p class="links"><a href="/docs/reference">Reference</a>${webUrl === undefined ? '' : ` <a href="${escapeHtml(webUrl)}">Account</a>`}</p>
<button class="menu-button" type="button" popovertarget="menu">Menu</button>
</header>`
}

function navHtml(pages: Page[], current: Page | undefined): string {
  const groups = Map.groupBy(pages, ({ group }) => group)
  return Array.from(groups, ([group, members]) => {
    const items = members.map((page) => linkHtml(`/docs/${page.name}`, page.title, page === current))
    if (group === 'Reference') items.splice(1, 0, linkHtml('/docs/reference', 'API playground', false))
    return `<h2>${group}</h2>\n<ul>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`
  }).join('\n')
}

function linkHtml(href: string, text: string, isCurrent: boolean): string {
  return `<a href="${href}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a>`
}

function contentsHtml(sections: Section[]): string {
  const items = sections.map(
    ({ id, title, depth }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(title)}</a></li>`,
  )
  return `<nav id="contents" popover aria-label="On this page"><h2>On this page</h2>\n<ul>\n${items.join('\n')}\n</ul></nav>`
}

/** Renders links to the previous and next page and to the Markdown source. */
function pagerHtml(pages: Page[], page: Page): string {
  const index = pages.indexOf(page)
  const to = (target: Page | undefined, label: string, rel: string) =>
    target ? `<a rel="${rel}" href="/docs/${target.name}"><small>${label}</small> ${escapeHtml(target.title)}</a>` : ''
  return `<nav class="around" aria-label="Previous and next page">${to(pages[index - 1], 'Previous', 'prev')}${to(pages[index + 1], 'Next', 'next')}</nav>
<p class="source"><a href="/docs/${page.name}.md">View as Markdown</a></p>`
}

export function searchResultsHtml(
  query: string,
  hits: { href: string; page: string; title: string; excerpt: string }[],
): string {
  if (query === '') return '<h1>Search</h1>\n<p>Search for a topic, field or error code.</p>'
  const count = hits.length === 0 ? 'No results' : hits.length === 1 ? '1 result' : `${hits.length} results`
  const items = hits.map(
    ({ href, page, title, excerpt }) =>
      `<li><a href="${escapeHtml(href)}">${escapeHtml(title)}</a>${page === title ? '' : ` <small>${escapeHtml(page)}</small>`}<p>${excerpt}</p></li>`,
  )
  return `<h1>Search</h1>
<p>${count} for <b>${escapeHtml(query)}</b>.${hits.length === 0 ? ' Try different words, or browse the <a href="/docs/endpoints">endpoints and fields</a>.' : ''}</p>
<ol class="hits">
${items.join('\n')}
</ol>`
}
