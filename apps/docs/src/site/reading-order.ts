import type { Page } from './pages.ts'
import { sidebar } from './sidebar.ts'

/** Groups the pages as the sidebar does. Throws if a page isn't in the sidebar. */
export function inReadingOrder(pages: Page[]): { label: string; pages: Page[] }[] {
  const missing = new Map(pages.map((page) => [page.name, page]))
  const groups = sidebar.map((group) => {
    const { label } = group as { label: string }
    const members = namesIn(group).map((name) => {
      const page = missing.get(name)
      if (!page) throw new Error(`The sidebar lists ${name}, which doesn't exist or is listed twice.`)
      missing.delete(name)
      return page
    })
    return { label, pages: members }
  })
  if (missing.size > 0) throw new Error(`Not in apps/docs/src/site/sidebar.ts: ${[...missing.keys()].join(', ')}`)
  return groups
}

function namesIn(item: unknown): string[] {
  if (typeof item === 'string') return [item]
  const { slug, items = [] } = item as { slug?: string; items?: unknown[] }
  return slug === undefined ? items.flatMap(namesIn) : [slug]
}
