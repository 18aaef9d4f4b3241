import type { Json } from './oracle.ts'

const order = new Intl.Collator('en', { numeric: true })

/**
 * Implements the search defined in docs/decisions/api.md in the slow and obvious way: scans every entry, then sorts all matches.
 */
export function referenceSearch(entries: Json[], numberField: string, nameField: string, q: string): Json[] {
  const query = { exact: fold(q.trim()), text: strip(q) }
  const terms = query.text.split(' ').filter((term) => term !== '')
  if (terms.length === 0) return []
  const ranked = entries.flatMap((entry) => {
    const number = String(entry[numberField])
    const name = strip(String(entry[nameField]))
    if (!terms.every((term) => strip(number).includes(term) || name.includes(term))) return []
    return [{ entry, number: fold(number), rank: rankOf(number, name, query) }]
  })
  ranked.sort((a, b) => a.rank - b.rank || order.compare(a.number, b.number) || (a.number < b.number ? -1 : 1))
  return ranked.map(({ entry }) => entry)
}

function rankOf(number: string, name: string, query: { exact: string; text: string }): number {
  if ([query.exact, `${query.exact}-1`].includes(fold(number))) return 0
  if (strip(number).startsWith(query.text)) return 1
  return name.startsWith(query.text) ? 2 : 3
}

/** Without punctuation and extra spaces. */
function strip(text: string): string {
  return Array.from(fold(text))
    .filter((character) => /[\p{L}\p{N}\s]/u.test(character))
    .join('')
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ')
}

function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
