import type { components } from './api.generated.ts'
import type { Meta, Result } from './response.ts'
import { createTransport, type Transport, type BrickmarkOptions, type Query, type RequestOptions } from './transport.ts'
import { splitBatch, type BatchData, type BatchItems } from './batch.ts'
import { BadRequestError, BrickmarkError, MissingApiKeyError, type RateLimit } from './errors.ts'
import { List } from './list.ts'

export type Schemas = components['schemas']

type PageParams = 'limit' | 'offset'

/** A Brickmark service, as the owner of a key sees it. A method is named as its operation in the reference. */
export class Brickmark {
  readonly #ask: Transport

  constructor(options: BrickmarkOptions) {
    if (!options.apiKey) throw new MissingApiKeyError('MissingApiKey', 'Give your API key as `apiKey`.')
    this.#ask = createTransport(options)
  }

  /** A set with its values. 1 unit. */
  getSet(number: string, options?: RequestOptions): Promise<Result<Schemas['Set']>> {
    return this.#ask('getSet', { number }, options)
  }

  /** A minifig with its value. 1 unit. */
  getMinifig(number: string, options?: RequestOptions): Promise<Result<Schemas['Minifig']>> {
    return this.#ask('getMinifig', { number }, options)
  }

  /** Sets by number or name, without values. 1 unit for each 250. */
  searchSets(q: string, options?: RequestOptions): List<Schemas['SetSearchResult']> {
    return paginated((page) => this.#ask('searchSets', { q, ...page }, options), 'results')
  }

  /** Minifigs by number or name, without values. 1 unit for each 250. */
  searchMinifigs(q: string, options?: RequestOptions): List<Schemas['MinifigSearchResult']> {
    return paginated((page) => this.#ask('searchMinifigs', { q, ...page }, options), 'results')
  }

  /** Every theme and how many sets it has. 1 unit. */
  listThemes(options?: RequestOptions): List<Schemas['Theme']> {
    return unpaginated(async () => {
      const { data, meta } = await this.#ask('listThemes', {}, options)
      return { data: data.themes, meta }
    })
  }

  /**
   * Any number of sets and minifigs; 1 unit for each different one, found or not. If it may end halfway (a quota, an
   * abort), read `getBatches`, which gives what is paid for as it comes.
   */
  async getBatch(items: BatchItems, options?: RequestOptions): Promise<Result<BatchData>> {
    const data: BatchData = { sets: [], minifigs: [], summary: { requested: 0, found: 0 } }
    let meta: Meta | undefined
    for await (const batch of this.getBatches(items, options)) {
      data.sets.push(...batch.data.sets)
      data.minifigs.push(...batch.data.minifigs)
      data.summary.requested += batch.data.summary.requested
      data.summary.found += batch.data.summary.found
      meta = batch.meta
    }
    if (!meta) throw new BadRequestError('BadRequest', 'Name at least one number in `sets` or `minifigs`.')
    return { data, meta }
  }

  /** The same in parts of 100. */
  async *getBatches(items: BatchItems, options?: RequestOptions): AsyncGenerator<Result<BatchData>, void, undefined> {
    for (const batch of splitBatch(items)) yield await this.#ask('getBatch', batch, options)
  }

  /** Value of a set month by month, finalized months only. 1 unit. */
  getSetHistory(
    number: string,
    query: Query<'getSetHistory'> & RequestOptions = {},
  ): Promise<Result<Schemas['SetHistory']>> {
    const { signal, ...rest } = query
    return this.#ask('getSetHistory', { number, ...rest }, { signal })
  }

  /** What the retailers ask for a set now; null if none is known to sell it. 1 unit. */
  getSetRetailPrices(number: string, options?: RequestOptions): Promise<Result<Schemas['RetailWatchRow'] | null>> {
    return this.#ask('getSetRetailPrices', { number }, options)
  }

  /** The same for a set number, an ASIN or a barcode. 1 unit. */
  findRetailPrices(
    query: Query<'findRetailPrices'> & RequestOptions,
  ): Promise<Result<Schemas['RetailWatchRow'] | null>> {
    const { signal, ...rest } = query
    return this.#ask('findRetailPrices', rest, { signal })
  }

  /** Retailer prices of everything you hold, or of what changed lately. 1 unit, however many. */
  watchRetailPrices(query: Query<'watchRetailPrices'> & RequestOptions = {}): List<Schemas['RetailWatchRow']> {
    const { signal, ...rest } = query
    return unpaginated(() => this.#ask('watchRetailPrices', rest, { signal }))
  }

  /** Your collections with their totals, and what you bought month by month. 1 unit. */
  listBrickfolios(options?: RequestOptions): Promise<Result<Schemas['BrickfoliosData']>> {
    return this.#ask('listBrickfolios', {}, options)
  }

  /** Your portfolio's value over a period. 1 unit. */
  getAnalytics(query: Query<'getAnalytics'> & RequestOptions = {}): Promise<Result<Schemas['Analytics']>> {
    const { signal, ...rest } = query
    return this.#ask('getAnalytics', rest, { signal })
  }

  /** Your holdings with their values: the cheapest way to value a collection. 1 unit for each 250. */
  listEntries(query: Omit<Query<'listEntries'>, PageParams> & RequestOptions = {}): List<Schemas['Holding']> {
    const { signal, ...rest } = query
    return paginated((page) => this.#ask('listEntries', { ...rest, ...page }, { signal }), 'entries')
  }

  /** Your sales, newest first. 1 unit for each 250. */
  listSales(options?: RequestOptions): List<Schemas['Sale']> {
    return paginated((page) => this.#ask('listSales', page, options), 'sales')
  }

  /** What is left of the day. Free: it asks what is sure to be refused, and a refusal says it too. */
  async getRateLimit(options?: RequestOptions): Promise<RateLimit> {
    try {
      return (await this.#ask('searchSets', { q: '' }, options)).meta.rateLimit
    } catch (error) {
      if (error instanceof BrickmarkError && error.code === 'BadRequest' && error.rateLimit) return error.rateLimit
      throw error
    }
  }
}

/** A list that the service gives in pages. */
function paginated<K extends string, T>(
  ask: (page: {
    limit: number
    offset: number
  }) => Promise<Result<Record<K, T[]> & { pagination: Schemas['Pagination'] }>>,
  name: K,
): List<T> {
  return new List(async (limit, offset) => {
    const { data, meta } = await ask({ limit, offset })
    return { items: data[name], total: data.pagination.total, hasMore: data.pagination.has_more, meta }
  })
}

/** A list that the service gives at once. */
function unpaginated<T>(ask: () => Promise<Result<T[]>>): List<T> {
  return new List(async () => {
    const { data, meta } = await ask()
    return { items: data, total: data.length, hasMore: false, meta }
  })
}
