import MiniSearch from 'minisearch'
import { escapeHtml } from './html.ts'
import { splitSections, type Section } from './markdown.ts'
import type { Page } from './pages.ts'

/** A section that was found. `excerpt` is HTML, with the words that matched marked. */
export type SearchHit = { href: string; page: string; title: string; excerpt: string }

type Entry = { id: number; weight: number; href: string; page: string; title: string; words: string; samples: string }

const MAX_HITS = 20
/** More would cost the process that answers paying callers: a hundred letters took 70 ms, ten words take 4. */
const MAX_QUERY_TERMS = 10
const EXCERPT_LENGTH = 180

/** Finds sections by the words in them, also by the beginning of a word or with a letter wrong. */
export class DocsSearchIndex {
  readonly #entries: Entry[]
  readonly #index = new MiniSearch<Entry>({
    fields: ['title', 'page', 'words', 'samples'],
    storeFields: ['weight'],
    tokenize,
    searchOptions: {
      boost: { title: 5, page: 2 },
      prefix: (term) => term.length > 1,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      weights: { prefix: 0.6, fuzzy: 0.2 },
      boostDocument: (_id, _term, stored) => stored?.['weight'] as number,
    },
  })

  constructor(pages: Page[]) {
    this.#entries = pages
      .flatMap((page) => splitSections(page.markdown).map((section) => ({ page, section })))
      .map(({ page, section }, id) => ({
        id,
        weight: boostOf(page, section),
        href: section.depth === 1 ? `/docs/${page.name}` : `/docs/${page.name}#${section.id}`,
        page: page.title,
        title: section.title,
        words: section.prose.replaceAll(/\s+/g, ' ').trim(),
        samples: section.codeText.replaceAll(/\s+/g, ' ').trim(),
      }))
    this.#index.addAll(this.#entries)
  }

  /** The best first: sections with all the words, or with some when none has all. */
  find(query: string): SearchHit[] {
    const words = [...new Set(tokenize(query))].slice(0, MAX_QUERY_TERMS).join(' ')
    const all = this.#index.search(words, { combineWith: 'AND' })
    const found = all.length > 0 ? all : this.#index.search(words)
    return found.slice(0, MAX_HITS).map(({ id, terms }) => {
      const { href, page, title, words, samples } = this.#entries[id as number]!
      const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${terms.join('|')})`, 'iu')
      const matchesCode = !pattern.test(words) && pattern.test(samples)
      return { href, page, title, excerpt: excerptOf(matchesCode ? samples : words, pattern) }
    })
  }
}

/** What explains comes before what lists, and an endpoint before the shapes it is made of. */
function boostOf(page: Page, section: Section): number {
  if (page.name === 'endpoints') return section.title.includes('/') ? 2 : 1
  return page.name === 'changelog' ? 1 : 3
}

/** `data_tier` and `QuotaExceeded` are found whole and by their parts. */
function tokenize(text: string): string[] {
  return (text.match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) => {
    const parts = word.split(/_|(?<=\p{Ll})(?=\p{Lu})/u).filter((part) => part !== '')
    return parts.length > 1 ? [word, ...parts] : parts
  })
}

/** The text around the first word that matched. */
function excerptOf(words: string, pattern: RegExp): string {
  const first = Math.max(0, words.search(pattern))
  const start = first < 60 ? 0 : words.lastIndexOf(' ', first - 40) + 1
  const end = start + EXCERPT_LENGTH < words.length ? words.lastIndexOf(' ', start + EXCERPT_LENGTH) : words.length
  // Splitting by a group gives what lies between and what matched, in turn.
  const marked = words
    .slice(start, end)
    .split(pattern)
    .map((piece, index) => (index % 2 === 1 ? `<mark>${escapeHtml(piece)}</mark>` : escapeHtml(piece)))
  return `${start > 0 ? '… ' : ''}${marked.join('')}${end < words.length ? ' …' : ''}`
}
