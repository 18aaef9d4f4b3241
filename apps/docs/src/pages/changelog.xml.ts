import { readFileSync } from 'node:fs'
import { marked } from 'marked'
import { CONTENT } from '../site/paths.ts'

const ORIGIN = 'https://api.brickmark.example'
const ENTRY = /^### (\d{4}-\d{2}-\d{2})$\n([\s\S]*?)(?=^##|(?![\s\S]))/gm
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** The dated entries of the changelog as an Atom feed. */
export function GET(): Response {
  const markdown = readFileSync(new URL('changelog.md', CONTENT), 'utf8')
  const entries = Array.from(markdown.matchAll(ENTRY), ([, day, text]) => ({ day: day!, html: render(text!) }))
  const items = entries.map(
    ({ day, html }) => `<entry>
<id>urn:brickmark:changelog:${day}</id>
<title>${day}</title>
<updated>${day}T00:00:00Z</updated>
<link href="${ORIGIN}/docs/changelog#${day}"/>
<content type="html">${escapeXml(html)}</content>
</entry>`,
  )
  return new Response(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>urn:brickmark:changelog</id>
<title>Brickmark API changelog</title>
<author><name>Brickmark</name></author>
<updated>${entries[0]?.day ?? '1970-01-01'}T00:00:00Z</updated>
<link rel="self" href="${ORIGIN}/docs/changelog.xml"/>
<link href="${ORIGIN}/docs/changelog"/>
${items.join('\n')}
</feed>
`)
}

/** Feed readers know no base address, so links are absolute. */
function render(markdown: string): string {
  return marked.parse(markdown.replaceAll(/\]\(([\w-]+)\.mdx?/g, `](${ORIGIN}/docs/$1`), { async: false })
}

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!)
}
