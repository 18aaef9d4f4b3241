import { normalizeForSearch, searchText, sortByNumber } from '@brickmark/core/catalog/set-number'

/** `number` and `name` are as `searchText` returns them, `exact` keeps the hyphen; `id` is the number as loaded. */
type Entry = { id: string; exact: string; number: string; name: string }

/** Indexes into the list of entries, ascending. */
type Postings = readonly number[]

const MAX_NUMBER_PREFIX = 4
const NGRAM_SIZE = 2

/**
 * Finds items by number or name, ignoring case, accents and punctuation. Entries are sorted in the natural order of
 * their numbers, and three inverted indexes map prefixes and n-grams to entries: a two-letter query is served from
 * complete posting lists, a longer one tests only the entries in the shortest list of its bigrams.
 */
export class SearchIndex {
  readonly #entries: Entry[]
  readonly #byNumberPrefix = new Map<string, number[]>()
  readonly #byNamePrefix = new Map<string, number[]>()
  readonly #byNgram = new Map<string, number[]>()

  constructor(items: Iterable<{ number: string; name: string }>) {
    this.#entries = sortByNumber(
      Array.from(items, ({ number, name }) => ({
        id: number,
        exact: normalizeForSearch(number),
        number: searchText(number),
        name: searchText(name),
      })),
      ({ id }) => id,
    )
    for (const [index, { number, name }] of this.#entries.entries()) {
      for (const prefix of prefixesOf(number, MAX_NUMBER_PREFIX)) addPosting(this.#byNumberPrefix, prefix, index)
      for (const prefix of prefixesOf(name, NGRAM_SIZE)) addPosting(this.#byNamePrefix, prefix, index)
      const parts = new Set([...ngramsOf(number, NGRAM_SIZE), ...ngramsOf(name, NGRAM_SIZE)])
      for (const part of parts) addPosting(this.#byNgram, part, index)
    }
  }

  /**
   * Returns one page of the numbers that match every term, and the total number of matches. The exact number comes
   * first, then numbers and then names that begin with the query, then the rest; ties are in the natural order of
   * numbers.
   */
  search(query: string, offset: number, limit: number): { numbers: string[]; total: number } {
    const text = searchText(query)
    if (text === '') return { numbers: [], total: 0 }
    const matches = this.#match(text.split(' '))
    const numbered = this.#withNumberPrefix(text)
    const number = normalizeForSearch(query.trim())
    const exact = numbered.filter((index) => isExact(this.#entries[index]!.exact, number))
    const ordered = takeUnique(offset + limit, [exact, numbered, this.#withNamePrefix(text), matches])
    const numbers = ordered.slice(offset).map((index) => this.#entries[index]!.id)
    return { numbers, total: matches.length }
  }

  /** Returns all numbers in their natural order. */
  *numbers(): Generator<string> {
    for (const { id } of this.#entries) yield id
  }

  #match(terms: string[]): Postings {
    const lists = terms.map((term) => this.#candidates(term))
    const smallest = lists.reduce((a, b) => (a.length <= b.length ? a : b))
    if (terms.length === 1 && terms[0]!.length <= NGRAM_SIZE) return smallest
    return smallest.filter((index) => {
      const { number, name } = this.#entries[index]!
      return terms.every((term) => name.includes(term) || number.includes(term))
    })
  }

  /** Returns entries whose number or name may contain the term; for one or two characters, exactly those that do. */
  #candidates(term: string): Postings {
    let shortestPostings: Postings = this.#byNgram.get(term.slice(0, NGRAM_SIZE)) ?? []
    for (let offset = 1; offset + NGRAM_SIZE <= term.length; offset++) {
      const other = this.#byNgram.get(term.slice(offset, offset + NGRAM_SIZE)) ?? []
      if (other.length < shortestPostings.length) shortestPostings = other
    }
    return shortestPostings
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
