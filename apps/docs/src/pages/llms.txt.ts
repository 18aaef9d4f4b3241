import { loadPages } from '../site/pages.ts'
import { inReadingOrder } from '../site/reading-order.ts'

/** llms.txt, an index for language models: https://llmstxt.org. */
export function GET(): Response {
  const sections = inReadingOrder(loadPages()).map(({ label, pages }) => {
    const links = pages.map(({ name, title, description }) => `- [${title}](/docs/${name}.md): ${description}`)
    return `## ${label}\n\n${links.join('\n')}`
  })
  return new Response(`# Brickmark API

> Read-only JSON API for brick collectors and resellers: sets, minifigs, estimated USD values, monthly history, live prices at two retailers, and your own collections and sales. Each API key gets 1,000 credits per UTC day. Most requests cost 1 credit; a batch costs 1 credit per item.

OpenAPI 3.1 documents: /openapi.json, and /extensions.openapi.json for what v1 leaves out. All pages in one file: /llms-full.txt.

${sections.join('\n\n')}
`)
}
