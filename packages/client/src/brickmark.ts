import type { components } from './api.generated.ts'
import type { Result } from './response.ts'
import {
  createTransport,
  resolveOptions,
  type Transport,
  type BrickmarkOptions,
  type Query,
  type RequestOptions,
} from './transport.ts'
import { splitBatch, type BatchData, type BatchItems } from './batch.ts'
import { BadRequestError, BrickmarkError, MissingApiKeyError, type RateLimit } from './errors.ts'
import { List } from './list.ts'

export type Schemas = components['schemas']

type PageParams = 'limit' | 'offset'

/** Client for the Brickmark API. Methods match the operation IDs in the API reference. */
export class Brickmark {
  readonly #options: BrickmarkOptions
  readonly #transport: Transport

  constructor(options: BrickmarkOptions = {}) {
    const resolved = resolveOptions(options)
    if (!resolved.apiKey) {
      const message = 'No API key. Pass `apiKey`, or set the environment variable BRICKMARK_API_KEY.'
      throw new MissingApiKeyError('MissingApiKey', message)
    }
    // Whatever listens on this machine would get a live key if that were the default.
    if (!resolved.baseUrl)
      throw new TypeError('No base URL. Pass `baseUrl`, or set the environment variable BRICKMARK_BASE_URL.')
    this.#options = options
    this.#transport = createTransport(resolved)
  }

  /** Returns a client with other options; those that you don't pass stay as they are. */
  withOptions(options: BrickmarkOptions): Brickmark {
    return new Brickmark({ ...this.#options, ...options })
  }

  /** Sends a request that this version of the SDK has no method for, e.g. `request('GET', '/set/90341-1')`. */
  request<D = unknown>(
    method: 'GET' | 'POST',
    path: string,
    { query = {}, body = {}, ...options }: { query?: object; body?: object } & RequestOptions = {},
  ): Promise<Result<D>> {
    if (typeof path !== 'string' || !path.startsWith('/'))
      throw new TypeError("request needs a path, e.g. request('GET', '/set/90341-1').")
    return this.#transport.request(method, path, method === 'POST' ? body : query, options)
  }

  /** Get a set and its values. Costs 1 credit. */
  async getSet(number: string, options?: RequestOptions): Promise<Result<Schemas['Set']>> {
    requireText('getSet', number, "'90341-1'")
    return this.#transport('getSet', { number }, options)
  }

  /** Get a minifig and its value. Costs 1 credit. */
  async getMinifig(number: string, options?: RequestOptions): Promise<Result<Schemas['Minifig']>> {
    requireText('getMinifig', number, "'hbr001'")
    return this.#transport('getMinifig', { number }, options)
  }

  /** Search sets by number or name. Results have no values. Costs 1 credit per 250 results. */
  searchSets(q: string, options?: RequestOptions): List<Schemas['SetSearchResult']> {
    requireText('searchSets', q, "'lighthouse'")
    return paginated((page) => this.#transport('searchSets', { q, ...page }, options), 'results')
  }

  /** Search minifigs by number or name. Results have no values. Costs 1 credit per 250 results. */
  searchMinifigs(q: string, options?: RequestOptions): List<Schemas['MinifigSearchResult']> {
    requireText('searchMinifigs', q, "'lighthouse'")
    return paginated((page) => this.#transport('searchMinifigs', { q, ...page }, options), 'results')
  }

  /** List all themes with their set counts. Costs 1 credit. */
  listThemes(options?: RequestOptions): List<Schemas['Theme']> {
    return unpaginated(async () => {
      const { data, ...rest } = await this.#transport('listThemes', {}, options)
      return { data: data.themes, ...rest }
    })
  }

  /**
   * Get any number of sets and minifigs. Costs 1 credit per unique item, found or not. Use `getBatches` to receive
   * results as they arrive, so that nothing is lost if you hit your quota or abort.
   */
  async getBatch(items: BatchItems, options?: RequestOptions): Promise<Result<BatchData>> {
    const data: BatchData = { sets: [], minifigs: [], summary: { requested: 0, found: 0 } }
    let last: Pick<Result<BatchData>, 'meta' | 'response'> | undefined
    for await (const batch of this.getBatches(items, options)) {
      data.sets.push(...batch.data.sets)
      data.minifigs.push(...batch.data.minifigs)
      data.summary.requested += batch.data.summary.requested
      data.summary.found += batch.data.summary.found
      last = { meta: batch.meta, response: batch.response }
    }
    if (!last) throw new BadRequestError('BadRequest', 'Pass at least one number in `sets` or `minifigs`.')
    return { data, ...last }
  }

  /** Like `getBatch`, but yields results in chunks of 100. */
  async *getBatches(items: BatchItems, options?: RequestOptions): AsyncGenerator<Result<BatchData>, void, undefined> {
    if (!isBatch(items)) throw new TypeError("getBatch needs arrays of numbers, e.g. getBatch({ sets: ['90341-1'] }).")
    for (const batch of splitBatch(items)) yield await this.#transport('getBatch', batch, options)
  }

  /** Monthly value history of a set (finalized months only). Costs 1 credit. */
  async getSetHistory(
    number: string,
    query: Query<'getSetHistory'> & RequestOptions = {},
  ): Promise<Result<Schemas['SetHistory']>> {
    requireText('getSetHistory', number, "'90341-1'")
    const [rest, options] = splitOptions(query)
    return this.#transport('getSetHistory', { number, ...rest }, options)
  }

  /** Live retailer prices for a set, or null if none are tracked. Costs 1 credit. */
  async getSetRetailPrices(
    number: string,
    options?: RequestOptions,
  ): Promise<Result<Schemas['RetailWatchRow'] | null>> {
    requireText('getSetRetailPrices', number, "'90341-1'")
    return this.#transport('getSetRetailPrices', { number }, options)
  }

  /** Live retailer prices by set number, ASIN or barcode. Costs 1 credit. */
  async findRetailPrices(
    query: Query<'findRetailPrices'> & RequestOptions,
  ): Promise<Result<Schemas['RetailWatchRow'] | null>> {
    if (typeof query !== 'object' || query === null)
      throw new TypeError("findRetailPrices needs an identifier, e.g. findRetailPrices({ set: '90341-1' }).")
    return this.#transport('findRetailPrices', ...splitOptions(query))
  }

  /** Live retailer prices for the sets you own, optionally only recent changes. Costs 1 credit. */
  watchRetailPrices(query: Query<'watchRetailPrices'> & RequestOptions = {}): List<Schemas['RetailWatchRow']> {
    return unpaginated(() => this.#transport('watchRetailPrices', ...splitOptions(query)))
  }

  /** Your collections with totals, and purchases by month. Costs 1 credit. */
  listBrickfolios(options?: RequestOptions): Promise<Result<Schemas['BrickfoliosData']>> {
    return this.#transport('listBrickfolios', {}, options)
  }

  /** Portfolio value over time. Costs 1 credit. */
  getAnalytics(query: Query<'getAnalytics'> & RequestOptions = {}): Promise<Result<Schemas['Analytics']>> {
    return this.#transport('getAnalytics', ...splitOptions(query))
  }

  /** Your lots with current values: the cheapest way to value a collection. Costs 1 credit per 250. */
  listEntries(query: Omit<Query<'listEntries'>, PageParams> & RequestOptions = {}): List<Schemas['Holding']> {
    const [rest, options] = splitOptions(query)
    return paginated((page) => this.#transport('listEntries', { ...rest, ...page }, options), 'entries')
  }

  /** Your sales, newest first. Costs 1 credit per 250. */
  listSales(options?: RequestOptions): List<Schemas['Sale']> {
    return paginated((page) => this.#transport('listSales', page, options), 'sales')
  }

  /** Sets by theme, year and status, in the order of their numbers. Results have no values. Costs 1 credit per 250. */
  listSets(query: Omit<Query<'listSets'>, PageParams> & RequestOptions = {}): List<Schemas['SetSearchResult']> {
    const [rest, options] = splitOptions(query)
    return paginated((page) => this.#transport('listSets', { ...rest, ...page }, options), 'sets')
  }

  /** Your lots with IDs and notes, in the order they were added. Costs 1 credit per 250. */
  listLots(query: Omit<Query<'listLots'>, PageParams> & RequestOptions = {}): List<Schemas['Lot']> {
    const [rest, options] = splitOptions(query)
    return paginated((page) => this.#transport('listLots', { ...rest, ...page }, options), 'lots')
  }

  /** Your sales by date, set and platform, newest first. Costs 1 credit per 250. */
  findSales(query: Omit<Query<'findSales'>, PageParams> & RequestOptions = {}): List<Schemas['Sale']> {
    const [rest, options] = splitOptions(query)
    return paginated((page) => this.#transport('findSales', { ...rest, ...page }, options), 'sales')
  }

  /**
   * Which sets and minifigs changed since an earlier call: pass the `next` of that call as `after`. Without it, you get the
   * current position. Costs 1 credit per 1,000 changes.
   */
  listChanges(query: Query<'listChanges'> & RequestOptions = {}): Promise<Result<Schemas['ChangesData']>> {
    return this.#transport('listChanges', ...splitOptions(query))
  }

  /** Your alerts, latest first. Costs 1 credit per 250. */
  listAlerts(options?: RequestOptions): List<Schemas['Alert']> {
    return paginated((page) => this.#transport('listAlerts', page, options), 'alerts')
  }

  /** Files with all sets, minifigs and histories, for `brickmark/exports`. Costs 1 credit. */
  listExports(options?: RequestOptions): Promise<Result<Schemas['ExportsData']>> {
    return this.#transport('listExports', {}, options)
  }

  /** What your key has used, by day and endpoint. Free. */
  getUsage(query: Query<'getUsage'> & RequestOptions = {}): Promise<Result<Schemas['UsageData']>> {
    return this.#transport('getUsage', ...splitOptions(query))
  }

  /** Remaining quota. Free. A server without extensions is sent a request that fails validation. */
  async getRateLimit(options?: RequestOptions): Promise<RateLimit> {
    try {
      return (await this.#transport('getUsage', { days: 1 }, options)).meta.rateLimit
    } catch (error) {
      if (!(error instanceof BrickmarkError && error.code === 'NotFound')) throw error
    }
    try {
      return (await this.#transport('searchSets', { q: '' }, options)).meta.rateLimit
    } catch (error) {
      if (error instanceof BrickmarkError && error.code === 'BadRequest' && error.rateLimit) return error.rateLimit
      throw error
    }
  }
}

/** Catches calls of plain JavaScript that would ask for the set "undefined". */
function requireText(method: string, value: unknown, example: string): void {
  if (typeof value === 'string' && value.trim() !== '') return
  const got = value === '' ? 'an empty string' : value === null ? 'null' : typeof value
  throw new TypeError(`${method} needs a string, e.g. ${method}(${example}), but got ${got}.`)
}

function isBatch(items: unknown): boolean {
  if (typeof items !== 'object' || items === null) return false
  const { sets = [], minifigs = [] } = items as Record<string, unknown>
  return [sets, minifigs].every((list) => Array.isArray(list) && list.every((number) => typeof number === 'string'))
}

/** Separates the parameters of the API from the options of the request. */
function splitOptions<Q extends RequestOptions>(query: Q): [Omit<Q, keyof RequestOptions>, RequestOptions] {
  const { signal, headers, timeout, maxRetries, retryMaybeCharged, ...rest } = query
  return [rest, { signal, headers, timeout, maxRetries, retryMaybeCharged }]
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
    const { data, ...rest } = await ask({ limit, offset })
    return { items: data[name], total: data.pagination.total, hasMore: data.pagination.has_more, ...rest }
  })
}

/** Wraps an operation that returns all items in one response. */
function unpaginated<T>(ask: () => Promise<Result<T[]>>): List<T> {
  return new List(async () => {
    const { data, ...rest } = await ask()
    return { items: data, total: data.length, hasMore: false, ...rest }
  })
}
