import type { Meta } from './response.ts'

/** One page of results (1 credit). `total` is the full count. */
export type Page<T> = { items: T[]; total: number; hasMore: boolean; meta: Meta; response: Response }

export type ListOptions = {
  /** Maximum number of items. Defaults to all. */
  max?: number | undefined
}

/** Maximum page size of the API. */
const PAGE_SIZE = 250

/** A lazily paginated list. Iterate with `for await`, or use `toArray()` or `pages()`. */
export class List<T> implements AsyncIterable<T> {
  readonly #askForPage: (limit: number, offset: number) => Promise<Page<T>>

  constructor(fetchPage: (limit: number, offset: number) => Promise<Page<T>>) {
    this.#askForPage = fetchPage
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.items
  }

  /** Collects all items, or the first `max`, in as few requests as possible. */
  async toArray(options?: ListOptions): Promise<T[]> {
    const items: T[] = []
    for await (const page of this.pages(options)) items.push(...page.items)
    return items
  }

  /** Iterates over pages, each with its `meta`. */
  async *pages({ max = Infinity }: ListOptions = {}): AsyncGenerator<Page<T>, void, undefined> {
    if (typeof max !== 'number' || !(max >= 0)) throw new TypeError(`max must be a number, e.g. { max: 10 }.`)
    for (let offset = 0; offset < max;) {
      const page = await this.#askForPage(Math.min(PAGE_SIZE, max - offset), offset)
      const items = page.items.slice(0, max - offset)
      yield { ...page, items }
      offset += items.length
      if (!page.hasMore || items.length === 0) return
    }
  }
}
