import { endpoints, SDK_VERSION, type operations } from './api.generated.ts'
import { APIConnectionError, APITimeoutError, BrickmarkError } from './errors.ts'
import { parseResponse, type Result } from './response.ts'

export type BrickmarkOptions = {
  /** Your API key, `bmk_live_…`. Defaults to the environment variable `BRICKMARK_API_KEY`. */
  apiKey?: string | undefined
  /** API base URL, ending in `/api/v1`. Defaults to the environment variable `BRICKMARK_BASE_URL`. */
  baseUrl?: string | undefined
  /** Custom `fetch` implementation, e.g. for proxies or tests. */
  fetch?: typeof fetch | undefined
  /** Timeout per attempt, in milliseconds. Default: 30,000. */
  timeout?: number | undefined
  /** How often a request is retried after a timeout, a lost connection, a 5xx, or a 429 with a short wait. Default: 2. */
  maxRetries?: number | undefined
  /** Whether to retry requests that may have been charged, which may cost credits again. Default: true. */
  retryMaybeCharged?: boolean | undefined
  /** Longest `Retry-After` to wait for, in seconds. Longer waits throw immediately. Default: 60. */
  maxRetryAfterSeconds?: number | undefined
  /** Headers to send with every request. */
  headers?: Record<string, string> | undefined
  /** Logs every attempt to the console: method, path, status and time, never a key or a body. Default: false. */
  debug?: boolean | undefined
  /** Called before every attempt. */
  onRequest?: ((event: RequestEvent) => void) | undefined
  /** Called after every attempt, with its response or its error, also if it was aborted. */
  onResponse?: ((event: ResponseEvent) => void) | undefined
}

/** Options of a single request. They override those of the client; headers are added. */
export type RequestOptions = {
  /** Aborts the request and any pending retry. */
  signal?: AbortSignal | undefined
  headers?: Record<string, string> | undefined
  timeout?: number | undefined
  maxRetries?: number | undefined
  retryMaybeCharged?: boolean | undefined
}

/** One attempt to send a request. The first is number 1. */
export type RequestEvent = { method: string; url: string; attempt: number }

export type ResponseEvent = RequestEvent & {
  durationMs: number
  /** HTTP status; undefined if there was no response. */
  status: number | undefined
  requestId: string | undefined
  /** Of an aborted attempt, the reason of its signal. */
  error: unknown
}

const OPTION_NAMES = [
  'apiKey',
  'baseUrl',
  'fetch',
  'timeout',
  'maxRetries',
  'retryMaybeCharged',
  'maxRetryAfterSeconds',
  'headers',
  'debug',
  'onRequest',
  'onResponse',
]

type Operation = keyof operations & keyof typeof endpoints
type ParamsOf<P> = [P] extends [undefined] ? object : NonNullable<P>
export type Query<O extends Operation> = ParamsOf<operations[O]['parameters']['query']>
type Input<O extends Operation> = operations[O] extends {
  requestBody: { content: { 'application/json': infer Body extends object } }
}
  ? Body
  : ParamsOf<operations[O]['parameters']['path']> & Query<O>
type Data<O extends Operation> = operations[O]['responses'][200]['content']['application/json']['data']

export type Transport = {
  <O extends Operation>(operation: O, input: Input<O>, options?: RequestOptions): Promise<Result<Data<O>>>
  /** Sends a request to any path. */
  request<D>(method: 'GET' | 'POST', path: string, parameters: object, options?: RequestOptions): Promise<Result<D>>
}

const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_MAX_RETRIES = 2
const DEFAULT_MAX_RETRY_AFTER_SECONDS = 60
const MAX_TIMER_MS = 2 ** 31 - 1

/** Node's `process`; undefined in browsers. */
const { process } = globalThis as {
  process?: { env?: Record<string, string | undefined>; versions?: { node?: string }; platform?: string }
}

/** Checks options, which plain JavaScript may get wrong, and fills in what the environment says. */
export function resolveOptions(
  givenOptions: BrickmarkOptions = {},
): BrickmarkOptions & { apiKey: string; baseUrl: string } {
  if (typeof givenOptions !== 'object') throw new TypeError('Pass an object: new Brickmark({ apiKey: … }).')
  const unknown = Object.keys(givenOptions).find((name) => !OPTION_NAMES.includes(name))
  if (unknown !== undefined) throw new TypeError(`Unknown option "${unknown}". Options: ${OPTION_NAMES.join(', ')}.`)
  const env = process?.env
  return {
    ...givenOptions,
    apiKey: givenOptions.apiKey ?? env?.['BRICKMARK_API_KEY'] ?? '',
    baseUrl: (givenOptions.baseUrl ?? env?.['BRICKMARK_BASE_URL'] ?? '').replace(/\/+$/, ''),
  }
}

/** Creates the function that sends every operation, with retries. */
export function createTransport(options: ReturnType<typeof resolveOptions>): Transport {
  const { baseUrl, fetch = globalThis.fetch } = options
  const maxRetryAfter = options.maxRetryAfterSeconds ?? DEFAULT_MAX_RETRY_AFTER_SECONDS
  const headers = {
    authorization: `Bearer ${options.apiKey}`,
    accept: 'application/json',
    // Browsers send their own.
    ...(process?.versions?.node !== undefined && {
      'user-agent': `brickmark-js/${SDK_VERSION} node/${process.versions.node} ${process.platform}`,
    }),
    ...options.headers,
  }

  const send: Transport = async (operation, input, request) => {
    const { method, path } = endpoints[operation]
    const rest = new Map(Object.entries(input))
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(rest.get(name))
      rest.delete(name)
      return encodeURIComponent(value)
    })
    return sendWithRetries(method, filled, Object.fromEntries(rest), request)
  }
  send.request = sendWithRetries
  return send

  async function sendWithRetries<D>(
    method: 'GET' | 'POST',
    path: string,
    parameters: object,
    request: RequestOptions = {},
  ): Promise<Result<D>> {
    const { url, init } = buildRequest(method, path, parameters, request)
    const maxRetries = request.maxRetries ?? options.maxRetries ?? DEFAULT_MAX_RETRIES
    const retryMaybeCharged = request.retryMaybeCharged ?? options.retryMaybeCharged ?? true
    let maybeCharged = false
    for (let attempt = 1; ; attempt++) {
      try {
        return await sendOnce<D>(url, init, request, attempt)
      } catch (error) {
        if (!(error instanceof BrickmarkError)) throw error
        maybeCharged = error.maybeCharged ||= maybeCharged
        const wait = attempt <= maxRetries ? retryDelay(error, attempt) : undefined
        if (wait === undefined || (maybeCharged && !retryMaybeCharged)) throw error
        await sleep(wait, request.signal)
      }
    }
  }

  /**
   * Parameters go into the body of a POST, and into the query of a GET. A path that starts with `/api/` is one of the service,
   * any other one of this API version.
   */
  function buildRequest(method: 'GET' | 'POST', path: string, parameters: object, request: RequestOptions) {
    const url = (path.startsWith('/api/') ? baseUrl.replace(/\/api\/v1$/, '') : baseUrl) + path
    const allHeaders = { ...headers, ...request.headers }
    if (method === 'POST') {
      const body = JSON.stringify(parameters)
      return { url, init: { method, headers: { ...allHeaders, 'content-type': 'application/json' }, body } }
    }
    const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
    return { url: url + (query && `?${query}`), init: { method, headers: allHeaders } }
  }

  /** Sends one attempt, between the hooks. */
  async function sendOnce<D>(
    url: string,
    init: RequestInit & { method: string },
    request: RequestOptions,
    attempt: number,
  ): Promise<Result<D>> {
    const event = { method: init.method, url, attempt }
    const startedAt = Date.now()
    const report = (status?: number, requestId?: string, error?: unknown) => {
      const durationMs = Date.now() - startedAt
      if (options.debug) {
        const { pathname, search } = new URL(url)
        console.debug(`brickmark: ${init.method} ${pathname}${search} → ${status ?? String(error)} in ${durationMs} ms`)
      }
      options.onResponse?.({ ...event, durationMs, status, requestId, error })
    }
    options.onRequest?.(event)
    try {
      const result = await fetchResult<D>(url, init, request)
      report(result.response.status, result.meta.requestId)
      return result
    } catch (error) {
      const { status, requestId } = error instanceof BrickmarkError ? error : {}
      report(status, requestId, error)
      throw error
    }
  }

  async function fetchResult<D>(url: string, init: RequestInit, request: RequestOptions): Promise<Result<D>> {
    const { signal } = request
    const timeoutMs = request.timeout ?? options.timeout ?? DEFAULT_TIMEOUT_MS
    const timeout = AbortSignal.timeout(timeoutMs)
    let response: Response
    let body: string | Uint8Array
    try {
      response = await fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
      const isFile = response.status === 206
      body = isFile ? new Uint8Array(await response.arrayBuffer()) : await response.text()
    } catch (cause) {
      signal?.throwIfAborted()
      const details = { cause, maybeCharged: !neverConnected(cause) }
      if (timeout.aborted) {
        const message = `${baseUrl} did not respond within ${timeoutMs / 1000} s.`
        throw new APITimeoutError('APITimeoutError', message, details)
      }
      const message = `${baseUrl} could not be reached, or the connection was lost.`
      throw new APIConnectionError('APIConnectionError', message, details)
    }
    return parseResponse(baseUrl, response, body)
  }

  /** Milliseconds to wait before the next attempt, or undefined if the error isn't retryable. */
  function retryDelay({ isRetryable, retryAfter }: BrickmarkError, attempt: number): number | undefined {
    if (!isRetryable) return undefined
    if (retryAfter === undefined) return withJitter(250 * 2 ** (attempt - 1))
    return retryAfter > maxRetryAfter ? undefined : retryAfter * 1000 + withJitter(250)
  }
}

/** Whether a failed `fetch` of Node.js definitely never sent the request. What other runtimes throw doesn't say. */
function neverConnected(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } }
  return /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT/.test(cause?.code ?? '')
}

/** Returns 50–100 % of a delay, so that clients that failed together don't retry together. */
function withJitter(milliseconds: number): number {
  return milliseconds * (0.5 + Math.random() / 2)
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason as Error)
      else resolve()
    }
    const timer = setTimeout(end, Math.min(milliseconds, MAX_TIMER_MS))
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
  })
}
