import { barcodeKey } from '@brickmark/core/catalog/barcode'
import { setNumberAliases, sortByNumber } from '@brickmark/core/catalog/set-number'
import type { Condition } from '@brickmark/core/catalog/condition'
import type { ValueLine } from '@brickmark/core/market/values/value-line'
import type { MinifigRecord } from '@brickmark/core/market/values/minifig-record'
import type { SetRecord } from '@brickmark/core/market/values/set-record'
import { SearchIndex } from './search-index.ts'

export type Page<T> = { items: T[]; total: number }

/** The shared catalog in memory. Serves every read of shared data without touching the database. */
export class Catalog {
  readonly #sets = new Map<string, SetRecord>()
  readonly #byAsin = new Map<string, SetRecord>()
  readonly #byBarcode = new Map<string, SetRecord>()
  /** Keyed by lowercase number: lookups are case-insensitive. */
  readonly #minifigs = new Map<string, MinifigRecord>()
  /** Lower-case aliases. */
  readonly #minifigByAlias = new Map<string, MinifigRecord>()
  readonly #setsWithMinifig = new Map<string, Set<string>>()
  // Rebuilt lazily after a change: most changes affect prices, not names.
  #setSearch: SearchIndex | undefined
  #minifigSearch: SearchIndex | undefined
  #themes: { theme: string; set_count: number }[] | undefined

  /** Returns the set with this number, with or without the variant suffix `-1`. */
  set(number: string): SetRecord | undefined {
    const exact = this.#sets.get(number)
    if (exact) return exact
    for (const alias of setNumberAliases(number)) {
      const found = this.#sets.get(alias)
      if (found) return found
    }
    return undefined
  }

  /** Returns the number that the catalog gives to a set, or the given one if the set isn't in it. */
  canonicalNumber(number: string): string {
    return this.set(number)?.set_number ?? number
  }

  /** Returns the set with exactly this number, as lots and sales refer to it. */
  exactSet(number: string): SetRecord | undefined {
    return this.#sets.get(number)
  }

  /** Returns today's unit value in cents, or null if there is none. */
  valueOf(setNumber: string, condition: Condition): number | null {
    return this.#sets.get(setNumber)?.[condition]?.value ?? null
  }

  /** Draws a line through the known unit values: those at the ends of finalized months, and today's. */
  drawUnitValue(line: ValueLine, setNumber: string, condition: Condition, today: number): void {
    const set = this.#sets.get(setNumber)
    if (set === undefined) return
    set.months[condition].draw(line, today)
    const now = set[condition]?.value ?? null
    if (now !== null) line.lineTo(today, now)
  }

  /**
   * Returns the title, or the number if the set isn't in the catalog: account rows may reference a set that this
   * process hasn't loaded yet.
   */
  titleOf(setNumber: string): string {
    return this.#sets.get(setNumber)?.title ?? setNumber
  }

  setByAsin(asin: string): SetRecord | undefined {
    return this.#byAsin.get(asin.toUpperCase())
  }

  /** Looks up a set by UPC or EAN, with or without leading zeros. */
  setByBarcode(code: string): SetRecord | undefined {
    const key = barcodeKey(code)
    return key === undefined ? undefined : this.#byBarcode.get(key)
  }

  minifig(number: string): MinifigRecord | undefined {
    const key = number.toLowerCase()
    return this.#minifigs.get(key) ?? this.#minifigByAlias.get(key)
  }

  /** Returns the numbers of the sets that contain a minifig, in natural order. */
  setNumbersWithMinifig(minifigNumber: string): string[] {
    return sortByNumber(this.#setsWithMinifig.get(minifigNumber) ?? [], (number) => number)
  }

  /** Returns every theme with its number of sets, sorted A–Z. */
  themes(): { theme: string; set_count: number }[] {
    if (!this.#themes) {
      const counts = new Map<string, number>()
      for (const { theme } of this.#sets.values()) counts.set(theme, (counts.get(theme) ?? 0) + 1)
      this.#themes = Array.from(counts, ([theme, set_count]) => ({ theme, set_count }))
      this.#themes.sort((a, b) => a.theme.localeCompare(b.theme, 'en') || (a.theme < b.theme ? -1 : 1))
    }
    return this.#themes
  }

  searchSets(query: string, offset: number, limit: number): Page<SetRecord> {
    const { numbers, total } = this.#setIndex().search(query, offset, limit)
    return { items: numbers.flatMap((number) => this.#sets.get(number) ?? []), total }
  }

  /** Returns the sets that match a search, best match first, or all sets in the order of their numbers. */
  *#candidates(text: string | undefined): Generator<SetRecord> {
    const index = this.#setIndex()
    const numbers = text === undefined ? index.numbers() : index.search(text, 0, Infinity).numbers
    for (const number of numbers) {
      const set = this.#sets.get(number)
      if (set) yield set
    }
  }

  /** Returns one page of the sets that match a search, if there is one, and for which `matches` holds. */
  filterSets(
    text: string | undefined,
    matches: (set: SetRecord) => boolean,
    { offset, limit }: { offset: number; limit: number },
  ): Page<SetRecord> {
    const items: SetRecord[] = []
    let total = 0
    for (const set of this.#candidates(text)) {
      if (!matches(set)) continue
      if (total >= offset && items.length < limit) items.push(set)
      total++
    }
    return { items, total }
  }

  searchMinifigs(query: string, offset: number, limit: number): Page<MinifigRecord> {
    this.#minifigSearch ??= new SearchIndex(
      this.#minifigs.values().map((minifig) => ({ number: minifig.minifig_number, name: minifig.name })),
    )
    const { numbers, total } = this.#minifigSearch.search(query, offset, limit)
    return { items: numbers.flatMap((number) => this.minifig(number) ?? []), total }
  }

  /** Replaces the sets with these numbers; numbers without a record are removed. */
  replaceSets(numbers: string[], records: SetRecord[]): void {
    const previous = numbers.map((number) => this.#sets.get(number))
    // Most changes affect prices only: reuse unchanged month series, so that records keep sharing one array.
    for (const { set_number, months } of records) {
      const existing = this.#sets.get(set_number)?.months
      if (!existing) continue
      months.sealed = months.sealed.reuseIfEqual(existing.sealed)
      months.used = months.used.reuseIfEqual(existing.used)
    }
    for (const old of previous) if (old) this.#removeSet(old)
    for (const record of records) this.#addSet(record)
    const renamed = numbers.some((number, index) => {
      const current = this.#sets.get(number)
      return previous[index]?.title !== current?.title || previous[index]?.theme !== current?.theme
    })
    if (renamed) this.#invalidateSetIndexes()
  }

  /** Same for minifigs. */
  replaceMinifigs(numbers: string[], records: MinifigRecord[]): void {
    const previous = numbers.map((number) => this.minifig(number)?.name)
    for (const number of numbers) {
      const former = this.#minifigs.get(number.toLowerCase())
      for (const alias of former?.aliases ?? []) this.#minifigByAlias.delete(alias.toLowerCase())
      this.#minifigs.delete(number.toLowerCase())
    }
    for (const record of records) {
      this.#minifigs.set(record.minifig_number.toLowerCase(), record)
      for (const alias of record.aliases) this.#minifigByAlias.set(alias.toLowerCase(), record)
    }
    if (numbers.some((number, index) => previous[index] !== this.minifig(number)?.name)) this.#minifigSearch = undefined
  }

  /** Numbers of all loaded sets and minifigs. */
  get numbers(): { sets: string[]; minifigs: string[] } {
    return {
      sets: [...this.#sets.keys()],
      minifigs: Array.from(this.#minifigs.values(), (minifig) => minifig.minifig_number),
    }
  }

  #setIndex(): SearchIndex {
    this.#setSearch ??= new SearchIndex(this.#sets.values().map((set) => ({ number: set.set_number, name: set.title })))
    return this.#setSearch
  }

  #invalidateSetIndexes(): void {
    this.#setSearch = undefined
    this.#themes = undefined
  }

  #addSet(set: SetRecord): void {
    this.#sets.set(set.set_number, set)
    if (set.asin !== null) this.#byAsin.set(set.asin, set)
    for (const key of barcodeKeys(set)) this.#byBarcode.set(key, set)
    for (const minifig of set.minifigs) {
      const sets = this.#setsWithMinifig.get(minifig)
      if (sets) sets.add(set.set_number)
      else this.#setsWithMinifig.set(minifig, new Set([set.set_number]))
    }
  }

  #removeSet(set: SetRecord): void {
    this.#sets.delete(set.set_number)
    // The code may already belong to another set whose change was applied first.
    if (set.asin !== null && this.#byAsin.get(set.asin) === set) this.#byAsin.delete(set.asin)
    for (const key of barcodeKeys(set)) if (this.#byBarcode.get(key) === set) this.#byBarcode.delete(key)
    for (const minifig of set.minifigs) this.#setsWithMinifig.get(minifig)?.delete(set.set_number)
  }
}

function barcodeKeys(set: SetRecord): string[] {
  return [set.upc, set.ean].flatMap((code) => (code === null ? [] : (barcodeKey(code) ?? [])))
}
