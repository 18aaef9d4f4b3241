import { endpoints, type operations } from './api.generated.ts'
import { ConnectionError, InternalError, QuotaExceededError } from './errors.ts'
import { parseResponse, type Result } from './response.ts'

export type BrickmarkOptions = {
  /** Your API key, `bmk_live_…`. */
  apiKey: string
  /** API base URL, ending in `/api/v1`. Defaults to localhost. */
  baseUrl?: string | undefined
  /** Custom `fetch` implementation, e.g. for proxies or tests. */
  fetch?: typeof fetch | undefined
  /** Longest `Retry-After` to honor, in seconds. Longer waits throw immediately. Default: 60. */
  maxRetryAfterSeconds?: number | undefined
  /**
   * How often a request is repeated that surely was not charged: a 503 that says so, a connection that could not be
   * opened, or an exceeded quota with a short `Retry-After`. Default: 2.
   */
  maxRetries?: number | undefined
  /** Timeout per attempt, in seconds. Default: 30. */
  timeoutSeconds?: number | undefined
}

export type RequestOptions = {
  /** Aborts the request and any pending retry. */
  signal?: AbortSignal | undefined
}

type Operation = keyof operations & keyof typeof endpoints
type ParamsOf<P> = [P] extends [undefined] ? object : NonNullable<P>
export type Query<O extends Operation> = ParamsOf<operations[O]['parameters']['query']>
type Input<O extends Operation> = operations[O] extends {
  requestBody: { content: { 'application/json': infer Body extends object } }
}
  ? Body
  : ParamsOf<operations[O]['parameters']['path']> & Query<O>
type Data<O extends Operation> = operations[O]['responses'][200]['content']['application/json']['data']

export type Transport = <O extends Operation>(
  operation: O,
  input: Input<O>,
  options?: RequestOptions,
) => Promise<Result<Data<O>>>

/** Default address of the demo and of a local API process. */
export const DEFAULT_BASE_URL = 'http://127.0.0.1:8080/api/v1'
const DEFAULT_MAX_RETRIES = 2
const MAX_TIMER_MS = 2 ** 31 - 1

/** Creates the function that sends every operation. It repeats only what surely was not charged. */
export function createTransport(options: BrickmarkOptions): Transport {
  const baseUrl = (options.baseUrl ?? DEFAULT_BASE_URL).replace(/\/+$/, '')
  const { fetch = globalThis.fetch, maxRetryAfterSeconds = 60, timeoutSeconds = 30 } = options
  const maxRetries = options.maxRetries ?? DEFAULT_MAX_RETRIES

  return async function send(operation, input, { signal } = {}) {
    const { url, init } = buildRequest(operation, input)
    for (let attempt = 0; ; attempt++) {
      try {
        return await sendOnce(url, init, signal)
      } catch (error) {
        const wait = attempt < maxRetries ? retryDelay(error, attempt) : undefined
        if (wait === undefined) throw error
        await sleep(wait, signal)
      }
    }
  }

  function buildRequest(operation: Operation, input: object): { url: string; init: RequestInit } {
    const { method, path } = endpoints[operation]
    const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(rest.get(name))
      rest.delete(name)
      return encodeURIComponent(value)
    })
    const headers = { authorization: `Bearer ${options.apiKey}`, accept: 'application/json' }
    if (method === 'POST') {
      const body = JSON.stringify(Object.fromEntries(rest))
      return {
        url: baseUrl + filled,
        init: { method, headers: { ...headers, 'content-type': 'application/json' }, body },
      }
    }
    const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)])).toString()
    return { url: baseUrl + filled + (query && `?${query}`), init: { method, headers } }
  }

  async function sendOnce<D>(url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Result<D>> {
    const timeout = AbortSignal.timeout(timeoutSeconds * 1000)
    let response: Response
    let text: string
    try {
      response = await fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
      text = await response.text()
    } catch (cause) {
      signal?.throwIfAborted()
      const reason = timeout.aborted
        ? `did not answer within ${timeoutSeconds} s`
        : 'could not be reached, or broke off'
      throw new ConnectionError('ConnectionError', `${baseUrl} ${reason}.`, {
        cause,
        maybeCharged: !neverConnected(cause),
      })
    }
    return parseResponse(baseUrl, response, text)
  }

  /** Milliseconds to wait before the next attempt, or undefined if the error isn't retryable. */
  function retryDelay(error: unknown, attempt: number): number | undefined {
    const isFailure = error instanceof InternalError || error instanceof ConnectionError
    if (!isFailure && !(error instanceof QuotaExceededError)) return undefined
    if (error.maybeCharged) return undefined
    if (error.retryAfter === undefined) return isFailure ? withJitter(250 * 2 ** attempt) : undefined
    return error.retryAfter > maxRetryAfterSeconds ? undefined : error.retryAfter * 1000 + withJitter(250)
  }
}

/** Whether a failed `fetch` of Node.js surely never sent the request. What other runtimes throw doesn't say. */
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
