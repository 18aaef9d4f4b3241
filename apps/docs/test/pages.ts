import { loadPages } from '../src/site/pages.ts'

/** Names of all pages. */
export const PAGES = loadPages().map(({ name }) => name)

/** Returns where a page is served. */
export function pathOf(name: string): string {
  return `/docs/${name === 'index' ? '' : name}`
}
