/**
 * Returns the numbers a set may be stored under, in lookup order: as given, then with `-1` appended if it has no
 * variant suffix, or with `-1` removed if that is its suffix.
 */
export function setNumberAliases(number: string): string[] {
  if (number.endsWith('-1')) return [number, number.slice(0, -2)]
  return /-\d+$/.test(number) ? [number] : [number, `${number}-1`]
}

/** Returns a key that sorts naturally: 90009-1 before 90010-1 before 90010-2. */
function naturalSortKey(number: string): string {
  return number.toLowerCase().replaceAll(/\d+/g, (digits) => digits.padStart(24, '0'))
}

/** Sorts items by number in natural order. The order is total, so pages never overlap. */
export function sortByNumber<T>(items: Iterable<T>, numberOf: (item: T) => string): T[] {
  return sortByKey(items, (item) => sortKey(numberOf(item)))
}

/** Like `sortByNumber`, for objects that are sorted repeatedly: the sort key is cached for each object's lifetime. */
export function createNumberSorter<T extends object>(numberOf: (item: T) => string): (items: Iterable<T>) => T[] {
  const keys = new WeakMap<T, string>()
  const keyOf = (item: T) => {
    const cached = keys.get(item)
    if (cached !== undefined) return cached
    const key = sortKey(numberOf(item))
    keys.set(item, key)
    return key
  }
  return (items) => sortByKey(items, keyOf)
}

function sortKey(number: string): string {
  return `${naturalSortKey(number)} ${number}`
}

/** Computes each key once per item: computing it per comparison took a third of the time of a watch list. */
function sortByKey<T>(items: Iterable<T>, keyOf: (item: T) => string): T[] {
  return Array.from(items, (item) => ({ item, key: keyOf(item) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ item }) => item)
}

/** Lowercases and strips accents. */
export function normalizeForSearch(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Returns a number, name or query as searches compare it: without accents, punctuation and extra spaces, in lower case. */
export function searchText(text: string): string {
  return normalizeForSearch(text)
    .replace(/[^\p{L}\p{N}\s]+/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
}
