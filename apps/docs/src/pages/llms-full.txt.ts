import { loadPages } from '../site/pages.ts'
import { inReadingOrder } from '../site/reading-order.ts'

/** llms-full.txt: every page, for language models that read all of it at once. */
export function GET(): Response {
  const pages = inReadingOrder(loadPages()).flatMap((group) => group.pages)
  return new Response(`${pages.map(({ markdown }) => markdown.trim()).join('\n\n---\n\n')}\n`)
}
