import type { Json } from './oracle.ts'

const order = new Intl.Collator('en', { numeric: true })

/** The search of docs/decisions/api.md, the slow and obvious way: every entry is looked at, then all matches are sorted. */
export function referenceSearch(
  entries: Json[],
  numberField: string,
  nameField: string,
  q: string,
): Json[] | undefined {
  const whole = fold(q.trim()).replace(/\s+/g, ' ')
  const terms = whole.split(' ')
  // A term made only of accents is nothing once they are taken off; what that finds was never decided.
  if (terms.some((term) => term === '')) return undefined
  const ranked = entries.flatMap((entry) => {
    const number = fold(String(entry[numberField]))
    const name = fold(String(entry[nameField]))
    if (!terms.every((term) => number.startsWith(term) || name.includes(term))) return []
    return [{ entry, number, rank: rankOf(number, name, whole) }]
  })
  ranked.sort((a, b) => a.rank - b.rank || order.compare(a.number, b.number) || (a.number < b.number ? -1 : 1))
  return ranked.map(({ entry }) => entry)
}

function rankOf(number: string, name: string, whole: string): number {
  if (number === whole || number === `${whole}-1`) return 0
  if (number.startsWith(whole)) return 1
  return name.startsWith(whole) ? 2 : 3
}

function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
