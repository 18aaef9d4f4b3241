import { normalizeForSearch, sortByNumber } from '@brickmark/core/catalog/set-number'

/** `number` and `name` folded; `id` is the number as it was loaded. */
type Entry = { id: string; number: string; name: string }

/** Positions in the list of entries, ascending. */
type Postings = readonly number[]

const MAX_NUMBER_PREFIX = 4
const NGRAM_SIZE = 2

/**
 * Finds numbers by number or name. Entries lie in the natural order of their numbers, and three indexes list the places
 * of what begins with, or contains, a few characters: a two-letter query is answered by whole lists, a longer one
 * tests only the shortest list of its pairs.
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
   * One page of the numbers that match every term, and how many match in all: the exact number first, then numbers and
   * then names that begin with the query, then the rest; ties in the natural order of numbers.
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

  /** Names that may contain the term; for one or two characters, those that do. */
  #candidates(term: string): Postings {
    let shortest: Postings = this.#byNameNgram.get(term.slice(0, NGRAM_SIZE)) ?? []
    for (let at = 1; at + NGRAM_SIZE <= term.length; at++) {
      const other = this.#byNameNgram.get(term.slice(at, at + NGRAM_SIZE)) ?? []
      if (other.length < shortest.length) shortest = other
    }
    return shortest
  }

  #withNumberPrefix(prefix: string): Postings {
    const places = this.#byNumberPrefix.get(prefix.slice(0, MAX_NUMBER_PREFIX)) ?? []
    if (prefix.length <= MAX_NUMBER_PREFIX) return places
    return places.filter((index) => this.#entries[index]!.number.startsWith(prefix))
  }

  #withNamePrefix(prefix: string): Postings {
    const places = this.#byNamePrefix.get(prefix.slice(0, NGRAM_SIZE)) ?? []
    if (prefix.length <= NGRAM_SIZE) return places
    return places.filter((index) => this.#entries[index]!.name.startsWith(prefix))
  }
}

function isExact(number: string, query: string): boolean {
  return number.length <= query.length + 2 && (number === query || number === `${query}-1`)
}

function prefixesOf(text: string, longest: number): string[] {
  return Array.from({ length: Math.min(longest, text.length) }, (_, at) => text.slice(0, at + 1))
}

function ngramsOf(text: string, longest: number): Set<string> {
  const parts = new Set<string>()
  for (let at = 0; at < text.length; at++) {
    for (const part of prefixesOf(text.slice(at, at + longest), longest)) parts.add(part)
  }
  return parts
}

function addPosting(index: Map<string, number[]>, key: string, position: number): void {
  const places = index.get(key)
  if (places) places.push(position)
  else index.set(key, [position])
}

/** Both ascending lists as one, without twins. */
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

/** The first `count` places of several lists one after another, each place once. */
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
