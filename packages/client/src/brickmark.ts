import type { components } from './api.generated.ts'
import type { Meta, Result } from './response.ts'
import { createTransport, type Transport, type BrickmarkOptions, type Query, type RequestOptions } from './transport.ts'
import { splitBatch, type BatchData, type BatchItems } from './batch.ts'
import { BadRequestError, BrickmarkError, MissingApiKeyError, type RateLimit } from './errors.ts'
import { List } from './list.ts'

export type Schemas = components['schemas']

type PageParams = 'limit' | 'offset'

/** Client for the Brickmark API. Methods match the operation IDs in the API reference. */
export class Brickmark {
  readonly #ask: Transport

  constructor(options: BrickmarkOptions) {
    if (!options.apiKey) throw new MissingApiKeyError('MissingApiKey', 'Give your API key as `apiKey`.')
    this.#ask = createTransport(options)
  }

  /** Get a set and its values. Costs 1 credit. */
  getSet(number: string, options?: RequestOptions): Promise<Result<Schemas['Set']>> {
    return this.#ask('getSet', { number }, options)
  }

  /** Get a minifig and its value. Costs 1 credit. */
  getMinifig(number: string, options?: RequestOptions): Promise<Result<Schemas['Minifig']>> {
    return this.#ask('getMinifig', { number }, options)
  }

  /** Search sets by number or name. Results have no values. Costs 1 credit per 250 results. */
  searchSets(q: string, options?: RequestOptions): List<Schemas['SetSearchResult']> {
    return paginated((page) => this.#ask('searchSets', { q, ...page }, options), 'results')
  }

  /** Search minifigs by number or name. Results have no values. Costs 1 credit per 250 results. */
  searchMinifigs(q: string, options?: RequestOptions): List<Schemas['MinifigSearchResult']> {
    return paginated((page) => this.#ask('searchMinifigs', { q, ...page }, options), 'results')
  }

  /** List all themes with their set counts. Costs 1 credit. */
  listThemes(options?: RequestOptions): List<Schemas['Theme']> {
    return unpaginated(async () => {
      const { data, meta } = await this.#ask('listThemes', {}, options)
      return { data: data.themes, meta }
    })
  }

  /**
   * Get any number of sets and minifigs. Costs 1 credit per unique item, found or not. Use `getBatches` to receive
   * results as they arrive, so that nothing is lost if you hit your quota or abort.
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

  /** Like `getBatch`, but yields results in chunks of 100. */
  async *getBatches(items: BatchItems, options?: RequestOptions): AsyncGenerator<Result<BatchData>, void, undefined> {
    for (const batch of splitBatch(items)) yield await this.#ask('getBatch', batch, options)
  }

  /** Monthly value history of a set (finalized months only). Costs 1 credit. */
  getSetHistory(
    number: string,
    query: Query<'getSetHistory'> & RequestOptions = {},
  ): Promise<Result<Schemas['SetHistory']>> {
    const { signal, ...rest } = query
    return this.#ask('getSetHistory', { number, ...rest }, { signal })
  }

  /** Live retailer prices for a set, or null if none are tracked. Costs 1 credit. */
  getSetRetailPrices(number: string, options?: RequestOptions): Promise<Result<Schemas['RetailWatchRow'] | null>> {
    return this.#ask('getSetRetailPrices', { number }, options)
  }

  /** Live retailer prices by set number, ASIN or barcode. Costs 1 credit. */
  findRetailPrices(
    query: Query<'findRetailPrices'> & RequestOptions,
  ): Promise<Result<Schemas['RetailWatchRow'] | null>> {
    const { signal, ...rest } = query
    return this.#ask('findRetailPrices', rest, { signal })
  }

  /** Live retailer prices for the sets you own, optionally only recent changes. Costs 1 credit. */
  watchRetailPrices(query: Query<'watchRetailPrices'> & RequestOptions = {}): List<Schemas['RetailWatchRow']> {
    const { signal, ...rest } = query
    return unpaginated(() => this.#ask('watchRetailPrices', rest, { signal }))
  }

  /** Your collections with totals, and purchases by month. Costs 1 credit. */
  listBrickfolios(options?: RequestOptions): Promise<Result<Schemas['BrickfoliosData']>> {
    return this.#ask('listBrickfolios', {}, options)
  }

  /** Portfolio value over time. Costs 1 credit. */
  getAnalytics(query: Query<'getAnalytics'> & RequestOptions = {}): Promise<Result<Schemas['Analytics']>> {
    const { signal, ...rest } = query
    return this.#ask('getAnalytics', rest, { signal })
  }

  /** Your lots with current values: the cheapest way to value a collection. Costs 1 credit per 250. */
  listEntries(query: Omit<Query<'listEntries'>, PageParams> & RequestOptions = {}): List<Schemas['Holding']> {
    const { signal, ...rest } = query
    return paginated((page) => this.#ask('listEntries', { ...rest, ...page }, { signal }), 'entries')
  }

  /** Your sales, newest first. Costs 1 credit per 250. */
  listSales(options?: RequestOptions): List<Schemas['Sale']> {
    return paginated((page) => this.#ask('listSales', page, options), 'sales')
  }

  /** Remaining quota. Free: sends a request that fails validation and reads the rate-limit headers. */
  async getRateLimit(options?: RequestOptions): Promise<RateLimit> {
    try {
      return (await this.#ask('searchSets', { q: '' }, options)).meta.rateLimit
    } catch (error) {
      if (error instanceof BrickmarkError && error.code === 'BadRequest' && error.rateLimit) return error.rateLimit
      throw error
    }
  }
}

/** Wraps an operation that the API paginates. */
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

/** Wraps an operation that returns all items in one response. */
function unpaginated<T>(ask: () => Promise<Result<T[]>>): List<T> {
  return new List(async () => {
    const { data, meta } = await ask()
    return { items: data, total: data.length, hasMore: false, meta }
  })
}
