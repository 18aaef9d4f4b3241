import { escapeHtml } from './html.ts'
import { renderMarkdown } from './markdown.ts'

const ENTRY = /^### (\d{4}-\d{2}-\d{2})$\n([\s\S]*?)(?=^##|(?![\s\S]))/gm

/** Renders the dated entries of the changelog as an Atom feed. */
export function changelogFeed(markdown: string, origin: string): string {
  const entries = Array.from(markdown.matchAll(ENTRY), ([, day, text]) => ({ day: day!, html: renderMarkdown(text!) }))
  const items = entries.map(
    ({ day, html }) => `<entry>
<id>urn:brickmark:changelog:${day}</id>
<title>${day}</title>
<updated>${day}T00:00:00Z</updated>
<link href="${escapeHtml(origin)}/docs/changelog#${day}"/>
<content type="html">${escapeHtml(html)}</content>
</entry>`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>urn:brickmark:changelog</id>
<title>Brickmark API changelog</title>
<author><name>Brickmark</name></author>
<updated>${entries[0]?.day ?? '1970-01-01'}T00:00:00Z</updated>
<link rel="self" href="${escapeHtml(origin)}/docs/changelog.xml"/>
<link href="${escapeHtml(origin)}/docs/changelog"/>
${items.join('\n')}
</feed>
`
}
