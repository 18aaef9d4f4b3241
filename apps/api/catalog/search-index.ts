import { normalizeForSearch, sortByNumber } from '@brickmark/core/catalog/set-number'

/** `number` and `name` are normalized; `id` is the number as loaded. */
type Entry = { id: string; number: string; name: string }

/** Indexes into the list of entries, ascending. */
type Postings = readonly number[]

const MAX_NUMBER_PREFIX = 4
const NGRAM_SIZE = 2

/**
 * Finds items by number or name. Entries are sorted in the natural order of their numbers, and three inverted indexes
 * map prefixes and n-grams to entries: a two-letter query is served from complete posting lists, a longer one tests
 * only the entries in the shortest list of its bigrams.
 */
export class SearchIndex {
  readonly #entries: Entry[]
  readonly #byNumberPrefix = new Map<string, number[]>()
  readonly #byNamePrefix = new Map<string, number[]>()
  readonly #byNameNgram = new Map<string, number[]>()

  constructor(items: Iterable<{ number: string; name: string }>) {
    this.#entries = sortByNumber(
      Array.from(items, ({ number, name }) => ({
        id: number,
        number: normalizeForSearch(number),
        name: normalizeForSearch(name),
      })),
      ({ id }) => id,
    )
    for (const [index, { number, name }] of this.#entries.entries()) {
      for (const prefix of prefixesOf(number, MAX_NUMBER_PREFIX)) addPosting(this.#byNumberPrefix, prefix, index)
      for (const prefix of prefixesOf(name, NGRAM_SIZE)) addPosting(this.#byNamePrefix, prefix, index)
      for (const part of ngramsOf(name, NGRAM_SIZE)) addPosting(this.#byNameNgram, part, index)
    }
  }

  /**
   * Returns one page of the numbers that match every term, and the total number of matches. The exact number comes
   * first, then numbers and then names that begin with the query, then the rest; ties are in the natural order of
   * numbers.
   */
  search(query: string, offset: number, limit: number): { numbers: string[]; total: number } {
    const normalized = normalizeForSearch(query.trim()).replace(/\s+/g, ' ')
    const matches = this.#match(normalized.split(' '))
    const numbered = this.#withNumberPrefix(normalized)
    const exact = numbered.filter((index) => isExact(this.#entries[index]!.number, normalized))
    const ordered = takeUnique(offset + limit, [exact, numbered, this.#withNamePrefix(normalized), matches])
    const numbers = ordered.slice(offset).map((index) => this.#entries[index]!.id)
    return { numbers, total: matches.length }
  }

  #match(terms: string[]): Postings {
    const lists = terms.map((term) => union(this.#candidates(term), this.#withNumberPrefix(term)))
    const smallest = lists.reduce((a, b) => (a.length <= b.length ? a : b))
    if (terms.length === 1 && terms[0]!.length <= NGRAM_SIZE) return smallest
    return smallest.filter((index) => {
      const { number, name } = this.#entries[index]!
      return terms.every((term) => name.includes(term) || number.startsWith(term))
    })
  }

  /** Returns entries whose name may contain the term; for one or two characters, exactly those that do. */
  #candidates(term: string): Postings {
    let shortest: Postings = this.#byNameNgram.get(term.slice(0, NGRAM_SIZE)) ?? []
    for (let offset = 1; offset + NGRAM_SIZE <= term.length; offset++) {
      const other = this.#byNameNgram.get(term.slice(offset, offset + NGRAM_SIZE)) ?? []
      if (other.length < shortest.length) shortest = other
    }
    return shortest
  }

  #withNumberPrefix(prefix: string): Postings {
    const postings = this.#byNumberPrefix.get(prefix.slice(0, MAX_NUMBER_PREFIX)) ?? []
    if (prefix.length <= MAX_NUMBER_PREFIX) return postings
    return postings.filter((index) => this.#entries[index]!.number.startsWith(prefix))
  }

  #withNamePrefix(prefix: string): Postings {
    const postings = this.#byNamePrefix.get(prefix.slice(0, NGRAM_SIZE)) ?? []
    if (prefix.length <= NGRAM_SIZE) return postings
    return postings.filter((index) => this.#entries[index]!.name.startsWith(prefix))
  }
}

function isExact(number: string, query: string): boolean {
  return number.length <= query.length + 2 && (number === query || number === `${query}-1`)
}

function prefixesOf(text: string, maxLength: number): string[] {
  return Array.from({ length: Math.min(maxLength, text.length) }, (_, index) => text.slice(0, index + 1))
}

function ngramsOf(text: string, maxLength: number): Set<string> {
  const parts = new Set<string>()
  for (let offset = 0; offset < text.length; offset++) {
    for (const part of prefixesOf(text.slice(offset, offset + maxLength), maxLength)) parts.add(part)
  }
  return parts
}

function addPosting(index: Map<string, number[]>, key: string, position: number): void {
  const postings = index.get(key)
  if (postings) postings.push(position)
  else index.set(key, [position])
}

/** Merges two ascending lists, without duplicates. */
function union(a: Postings, b: Postings): Postings {
  if (a.length === 0) return b
  if (b.length === 0) return a
  const merged: number[] = []
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const left = a[i] ?? Infinity
    const right = b[j] ?? Infinity
    merged.push(Math.min(left, right))
    if (left <= right) i++
    if (right <= left) j++
  }
  return merged
}

/** Returns the first `count` distinct indexes of the concatenated lists. */
function takeUnique(count: number, lists: Postings[]): number[] {
  const result = new Set<number>()
  for (const list of lists) {
    for (const index of list) {
      if (result.size === count) return [...result]
      result.add(index)
    }
  }
  return [...result]
}
