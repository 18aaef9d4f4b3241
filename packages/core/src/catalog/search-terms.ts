import { normalizeForSearch, searchText } from './set-number.ts'

/** Longer than any title, so a longer query can't match. */
const MAX_QUERY_LENGTH = 300
const MAX_TERMS = 20

export type ParsedQuery = {
  /** Compared with whole numbers, in which a hyphen means something. */
  number: string
  /** As `searchText` returns it. */
  text: string
  terms: string[]
}

/**
 * Splits a search query into terms. Returns undefined if it can't match anything: without a letter or digit, or too
 * long. Every term is compared with every title, so an unlimited query would block the database. Beyond 20 terms, the
 * rest is ignored.
 */
export function parseSearchQuery(query: string): ParsedQuery | undefined {
  if (query.length > MAX_QUERY_LENGTH) return undefined
  const text = searchText(query)
  if (text === '') return undefined
  return { number: normalizeForSearch(query.trim()), text, terms: text.split(' ').slice(0, MAX_TERMS) }
}
