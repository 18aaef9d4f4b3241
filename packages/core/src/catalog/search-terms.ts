import { normalizeForSearch } from './set-number.ts'

/** Longer than any title, so a longer query can't match. */
const MAX_QUERY_LENGTH = 300
const MAX_TERMS = 20

/**
 * Normalizes a search query and splits it into terms. Returns undefined if it is too long to match anything: every term
 * is compared with every title, so an unlimited query would block the database. Beyond 20 terms, the rest is ignored.
 */
export function parseSearchQuery(query: string): { normalized: string; terms: string[] } | undefined {
  if (query.length > MAX_QUERY_LENGTH) return undefined
  const normalized = normalizeForSearch(query.trim()).replaceAll(/\s+/g, ' ')
  return { normalized, terms: normalized.split(' ').slice(0, MAX_TERMS) }
}
