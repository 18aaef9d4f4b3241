import { fold, sortedByNumber } from '@brickmark/core/catalog/set-number'

/** `number` and `name` folded; `id` is the number as it was loaded. */
type Entry = { id: string; number: string; name: string }

/** Positions in the list of entries, ascending. */
type Places = readonly number[]

const NUMBER_PREFIX = 4
const NAME_PART = 2

/**
 * Finds numbers by number or name. Entries lie in the natural order of their numbers, and three indexes list the places
 * of what begins with, or contains, a few characters: a two-letter query is answered by whole lists, a longer one
 * tests only the shortest list of its pairs.
 */
export class SearchIndex {
  readonly #entries: Entry[]
  readonly #numberPrefixes = new Map<string, number[]>()
  readonly #namePrefixes = new Map<string, number[]>()
  readonly #nameParts = new Map<string, number[]>()

  constructor(items: Iterable<{ number: string; name: string }>) {
    this.#entries = sortedByNumber(
      Array.from(items, ({ number, name }) => ({ id: number, number: fold(number), name: fold(name) })),
      ({ id }) => id,
    )
    for (const [place, { number, name }] of this.#entries.entries()) {
      for (const prefix of prefixesOf(number, NUMBER_PREFIX)) add(this.#numberPrefixes, prefix, place)
      for (const prefix of prefixesOf(name, NAME_PART)) add(this.#namePrefixes, prefix, place)
      for (const part of partsOf(name, NAME_PART)) add(this.#nameParts, part, place)
    }
  }

  /**
   * One page of the numbers that match every term, and how many match in all: the exact number first, then numbers and
   * then names that begin with the query, then the rest; ties in the natural order of numbers.
   */
  search(query: string, offset: number, limit: number): { numbers: string[]; total: number } {
    const whole = fold(query.trim()).replace(/\s+/g, ' ')
    const matches = this.#matching(whole.split(' '))
    const numbered = this.#numberedFrom(whole)
    const exact = numbered.filter((place) => isExact(this.#entries[place]!.number, whole))
    const ordered = firstOf(offset + limit, [exact, numbered, this.#namedFrom(whole), matches])
    const numbers = ordered.slice(offset).map((place) => this.#entries[place]!.id)
    return { numbers, total: matches.length }
  }

  #matching(terms: string[]): Places {
    const lists = terms.map((term) => union(this.#mayContain(term), this.#numberedFrom(term)))
    const narrowest = lists.reduce((a, b) => (a.length <= b.length ? a : b))
    if (terms.length === 1 && terms[0]!.length <= NAME_PART) return narrowest
    return narrowest.filter((place) => {
      const { number, name } = this.#entries[place]!
      return terms.every((term) => name.includes(term) || number.startsWith(term))
    })
  }

  /** Names that may contain the term; for one or two characters, those that do. */
  #mayContain(term: string): Places {
    let shortest: Places = this.#nameParts.get(term.slice(0, NAME_PART)) ?? []
    for (let at = 1; at + NAME_PART <= term.length; at++) {
      const other = this.#nameParts.get(term.slice(at, at + NAME_PART)) ?? []
      if (other.length < shortest.length) shortest = other
    }
    return shortest
  }

  #numberedFrom(prefix: string): Places {
    const places = this.#numberPrefixes.get(prefix.slice(0, NUMBER_PREFIX)) ?? []
    if (prefix.length <= NUMBER_PREFIX) return places
    return places.filter((place) => this.#entries[place]!.number.startsWith(prefix))
  }

  #namedFrom(prefix: string): Places {
    const places = this.#namePrefixes.get(prefix.slice(0, NAME_PART)) ?? []
    if (prefix.length <= NAME_PART) return places
    return places.filter((place) => this.#entries[place]!.name.startsWith(prefix))
  }
}

function isExact(number: string, query: string): boolean {
  return number.length <= query.length + 2 && (number === query || number === `${query}-1`)
}

function prefixesOf(text: string, longest: number): string[] {
  return Array.from({ length: Math.min(longest, text.length) }, (_, at) => text.slice(0, at + 1))
}

function partsOf(text: string, longest: number): Set<string> {
  const parts = new Set<string>()
  for (let at = 0; at < text.length; at++) {
    for (const part of prefixesOf(text.slice(at, at + longest), longest)) parts.add(part)
  }
  return parts
}

function add(index: Map<string, number[]>, key: string, place: number): void {
  const places = index.get(key)
  if (places) places.push(place)
  else index.set(key, [place])
}

/** Both ascending lists as one, without twins. */
function union(a: Places, b: Places): Places {
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
function firstOf(count: number, lists: Places[]): number[] {
  const taken = new Set<number>()
  for (const list of lists) {
    for (const place of list) {
      if (taken.size === count) return [...taken]
      taken.add(place)
    }
  }
  return [...taken]
}
