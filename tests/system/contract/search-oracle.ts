import type { Json } from './oracle.ts'

const order = new Intl.Collator('en', { numeric: true })

/**
 * Implements the search defined in docs/decisions/api.md in the slow and obvious way: scans every entry, then sorts all matches.
 */
export function referenceSearch(
  entries: Json[],
  numberField: string,
  nameField: string,
  q: string,
): Json[] | undefined {
  const query = fold(q.trim()).replace(/\s+/g, ' ')
  const terms = query.split(' ')
  // A term that consists only of accents is empty after folding; the decision record doesn't define what it matches.
  if (terms.some((term) => term === '')) return undefined
  const ranked = entries.flatMap((entry) => {
    const number = fold(String(entry[numberField]))
    const name = fold(String(entry[nameField]))
    if (!terms.every((term) => number.startsWith(term) || name.includes(term))) return []
    return [{ entry, number, rank: rankOf(number, name, query) }]
  })
  ranked.sort((a, b) => a.rank - b.rank || order.compare(a.number, b.number) || (a.number < b.number ? -1 : 1))
  return ranked.map(({ entry }) => entry)
}

function rankOf(number: string, name: string, query: string): number {
  if (number === query || number === `${query}-1`) return 0
  if (number.startsWith(query)) return 1
  return name.startsWith(query) ? 2 : 3
}

function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
