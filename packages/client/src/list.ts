import type { Meta } from './response.ts'

/** A part of a list, for one unit; `total` counts all of it. */
export type Page<T> = { items: T[]; total: number; hasMore: boolean; meta: Meta }

export type ListOptions = {
  /** At most so many. By default all of them. */
  max?: number | undefined
}

/** The most the service gives for one unit. */
const PAGE_SIZE = 250

/** A list that is asked for page by page while it is read: `for await`, `toArray()`, or `pages()`. */
export class List<T> implements AsyncIterable<T> {
  readonly #askForPage: (limit: number, offset: number) => Promise<Page<T>>

  constructor(fetchPage: (limit: number, offset: number) => Promise<Page<T>>) {
    this.#askForPage = fetchPage
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.items
  }

  /** All of it, or the first `max`, in as few pages as there can be. */
  async toArray(options?: ListOptions): Promise<T[]> {
    const items: T[] = []
    for await (const page of this.pages(options)) items.push(...page.items)
    return items
  }

  /** Page by page, each with its `meta`. */
  async *pages({ max = Infinity }: ListOptions = {}): AsyncGenerator<Page<T>, void, undefined> {
    for (let offset = 0; offset < max;) {
      const page = await this.#askForPage(Math.min(PAGE_SIZE, max - offset), offset)
      const items = page.items.slice(0, max - offset)
      yield { ...page, items }
      offset += items.length
      if (!page.hasMore || items.length === 0) return
    }
  }
}
