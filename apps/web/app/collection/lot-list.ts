/** Names of the filters of a lot list in the URL, in display order. */
export const LOT_FILTERS = ['q', 'condition', 'status', 'theme', 'year', 'retired', 'gain', 'price'] as const

/** The views every collection has: the label, and what the address asks for. */
export const COMMON_VIEWS: [label: string, query: string][] = [
  ['All', ''],
  ['Listed', 'status=listed'],
  ['Sealed and retired', 'condition=sealed&retired=yes'],
  ['Losing money', 'gain=loss'],
  ['No purchase price', 'price=unknown'],
]

/** Returns what a view of the list keeps of its address: filters, sorting and columns, always in the same order. */
export function toViewQuery(search: URLSearchParams): string {
  const query = new URLSearchParams()
  for (const name of [...LOT_FILTERS, 'by', 'order', 'column']) {
    for (const value of search.getAll(name)) if (value !== '') query.append(name, value)
  }
  return query.toString()
}
