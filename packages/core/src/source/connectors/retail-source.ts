import { setTimeout as wait } from 'node:timers/promises'
import { parseRetryAfter } from '../../primitives/retry-after.ts'
import type { RetailRow } from '../feeds/feed-rows.ts'
import type { FoundProduct } from '../product-match.ts'

/** A connector that can be polled for current retail prices. */
export interface RetailSource {
  readonly retailer: RetailRow['retailer']
  readonly name: string
  /** What the retailer is called until the operator names it otherwise. */
  readonly retailerName: string
  readonly sourceId: string
  /** Maximum number of products per call. */
  readonly batchSize: number
  /** Expected cost of a call for this many products, in the source's tokens. */
  tokenCost(products: number): number
  /** Makes one call. Throws a SourceError if it fails. */
  poll(productIds: string[], signal: AbortSignal): Promise<PollResult>
  /** Maximum number of barcodes per call of `findProducts`. */
  readonly codesPerCall: number
  /** Looks up products by barcode, with one call of one token per barcode. Throws a SourceError if it fails. */
  findProducts(codes: string[], signal: AbortSignal): Promise<FindResult>
  /** The same source for the first poll of a product: with its whole history. Undefined if it has no history. */
  readonly withHistory?: RetailSource
}

type FindResult = { products: FoundProduct[]; tokens: PollResult['tokens'] }

/** A product whose data couldn't be used, for the quarantine. */
export type RejectedProduct = { product_id: string; reason: string; raw: string }

export type PollResult = {
  rows: RetailRow[]
  rejected: RejectedProduct[]
  /** Actual cost of the call, if the source reports it. */
  cost: number | null
  /** Remaining tokens and refill rate, if the source reports them. */
  tokens: { left: number; perMinute: number | null } | null
}

/**
 * Why a call failed. `throttled` and `unavailable` are transient; `invalid_response` may be caused by a single product,
 * `bad_request` (any other 4xx) certainly is; `unauthorized` persists until the operator fixes the key or the plan.
 */
type SourceErrorKind = 'throttled' | 'unavailable' | 'invalid_response' | 'bad_request' | 'unauthorized'

/** A failed call. The message never contains a URL, because URLs contain keys. */
export class SourceError extends Error {
  readonly kind: SourceErrorKind
  readonly retryAfterMs: number | null

  constructor(kind: SourceErrorKind, message: string, retryAfterMs: number | null = null) {
    super(message)
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * Our own token budget: starts with a full minute, refills steadily, and never exceeds what the source reports as
 * remaining.
 */
export type TokenBucket = {
  /** Maximum number of products per call within the budget. */
  maxBatchSize(source: RetailSource): number
  /** Time until a call may be made. A call that costs more than a minute's tokens waits for a full bucket. */
  waitMs(cost: number): number
  spend(cost: number): void
  sync(left: number, perMinute: number | null): void
}

/** Creates a token bucket. Keep it for the lifetime of the process: a new one starts full. */
export function createTokenBucket(perMinute: number, now: () => number = Date.now): TokenBucket {
  let tokens = perMinute
  let rate = perMinute
  let at = now()
  const refill = (): void => {
    const elapsed = Math.max(0, now() - at)
    at = now()
    tokens = Math.min(perMinute, tokens + (elapsed * rate) / 60_000)
  }
  return {
    maxBatchSize(source) {
      let products = source.batchSize
      while (products > 1 && source.tokenCost(products) > perMinute) products--
      return products
    },
    waitMs(cost) {
      refill()
      const missing = Math.min(cost, perMinute) - tokens
      // Tolerate a thousandth of a token, because sums of fractions are inexact.
      return missing <= 0.001 ? 0 : Math.ceil((missing * 60_000) / rate)
    },
    spend(cost) {
      refill()
      tokens -= cost
    },
    sync(left, sourceRate) {
      refill()
      tokens = Math.min(tokens, left)
      if (sourceRate !== null && sourceRate > 0) rate = Math.min(perMinute, sourceRate)
    },
  }
}

export type PollOptions = {
  /** Last product of the previous run, or null at the start of a round. */
  cursor: string | null
  /** Returns the products after the cursor in a fixed order; empty at the end of the round. */
  nextProducts(cursor: string | null, limit: number): Promise<string[]>
  /** Stores rows, rejected products and the cursor in one transaction. */
  publish(rows: RetailRow[], cursor: string | null, rejected: RejectedProduct[]): Promise<void>
  bucket: TokenBucket
  signal: AbortSignal
  /** Attempts per batch before it counts as failed. */
  attempts?: number
  timeoutMs?: number
  /** Consecutive failures after which the run ends. */
  maxConsecutiveFailures?: number
  /** A longer `Retry-After` than this ends the run. */
  maxRetryAfterMs?: number
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
  random?: () => number
}

export type PollCounts = {
  /** `completed`: every product was polled. All other outcomes keep the cursor of the last publish. */
  outcome: 'completed' | 'stopped' | 'failing' | SourceErrorKind
  /** Why the round wasn't completed. */
  reason: string | null
  retryAfterMs: number | null
  cursor: string | null
  calls: number
  failedCalls: number
  products: number
  rows: number
  rejected: number
}

const BACKOFF_BASE_MS = 1_000

const BACKOFF_MAX_MS = 60_000

/**
 * Polls one round of products in batches after the cursor, within the token budget. Failed calls are retried; a batch
 * that keeps failing is polled product by product, so that the faulty product is found and quarantined and the rest
 * continues. Failures are stored with the next success: if everything fails, nothing is stored and the cursor stays.
 */
export async function pollAllProducts(source: RetailSource, options: PollOptions): Promise<PollCounts> {
  const { signal, bucket, maxConsecutiveFailures = 3 } = options
  const counts = { calls: 0, failedCalls: 0, products: 0, rows: 0, rejected: 0 }
  let cursor = options.cursor
  let position = cursor
  let individually: string[] = []
  let failed: RejectedProduct[] = []

  const publish = async (rows: RetailRow[], to: string | null, rejected: RejectedProduct[]): Promise<void> => {
    await options.publish(rows, to, [...failed, ...rejected])
    counts.rows += rows.length
    counts.rejected += failed.length + rejected.length
    cursor = to
    failed = []
  }
  const end = (outcome: PollCounts['outcome'], sourceError?: SourceError): PollCounts => {
    return {
      outcome,
      reason: sourceError?.message ?? null,
      retryAfterMs: sourceError?.retryAfterMs ?? null,
      cursor,
      ...counts,
    }
  }

  while (!signal.aborted) {
    const single = individually.shift()
    const batch = single === undefined ? await options.nextProducts(position, bucket.maxBatchSize(source)) : [single]
    const last = batch.at(-1)
    if (last === undefined) {
      if (cursor !== null || failed.length > 0) await publish([], null, [])
      return end('completed')
    }
    const result = await pollWithRetry(source, batch, options, counts)
    if (result === undefined) break
    if (!(result instanceof SourceError)) {
      counts.products += batch.length
      await publish(result.rows, last, result.rejected)
    } else if (result.kind === 'unauthorized' || result.kind === 'throttled') {
      return end(result.kind, result)
    } else if (batch.length > 1) {
      individually = batch
      continue
    } else {
      failed.push({ product_id: last, reason: result.message, raw: '' })
      // Unknown products may be adjacent; they don't mean that the source is down.
      if (result.kind === 'bad_request') await publish([], last, [])
      else if (failed.length >= maxConsecutiveFailures) return end('failing', result)
    }
    position = last
  }
  return end('stopped')
}

/** Polls one batch, with backoff while the error is transient. Returns undefined if aborted. */
async function pollWithRetry(
  source: RetailSource,
  batch: string[],
  options: PollOptions,
  counts: { calls: number; failedCalls: number },
): Promise<PollResult | SourceError | undefined> {
  const { bucket, signal, attempts = 4, timeoutMs = 30_000, maxRetryAfterMs = 15 * 60_000 } = options
  const { sleep = (ms, signal) => wait(ms, undefined, { signal }), random = Math.random } = options
  // Aborting ends the pause; the loop checks the signal.
  const pause = async (ms: number): Promise<unknown> => sleep(ms, signal).catch(() => undefined)
  const cost = source.tokenCost(batch.length)
  for (let attempt = 1; ; attempt++) {
    for (let ms = bucket.waitMs(cost); ms > 0 && !signal.aborted; ms = bucket.waitMs(cost)) await pause(ms)
    if (signal.aborted) return undefined
    counts.calls++
    const result = await pollOnce(source, batch, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
    if (signal.aborted && result instanceof SourceError) return undefined
    // A failed call may have been charged by the source, so it counts here too.
    bucket.spend(result instanceof SourceError ? cost : (result.cost ?? cost))
    if (!(result instanceof SourceError)) {
      if (result.tokens !== null) bucket.sync(result.tokens.left, result.tokens.perMinute)
      return result
    }
    counts.failedCalls++
    const isTransient = result.kind === 'throttled' || result.kind === 'unavailable'
    const retryAfterMs = result.retryAfterMs ?? 0
    if (!isTransient || attempt >= attempts || retryAfterMs > maxRetryAfterMs) return result
    const backOff = Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * 2 ** (attempt - 1))
    await pause(retryAfterMs + backOff * (0.5 + random() / 2))
  }
}

async function pollOnce(source: RetailSource, batch: string[], signal: AbortSignal): Promise<PollResult | SourceError> {
  try {
    return await source.poll(batch, signal)
  } catch (error) {
    if (error instanceof SourceError) return error
    throw error
  }
}

const MAX_BODY_BYTES = 5_000_000

/** Fetches JSON, or throws a SourceError. `parseRetryAfterBody` extracts a delay from the body of a 429. */
export async function fetchJson(
  url: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
  parseRetryAfterBody: (body: unknown) => number | null = () => null,
): Promise<unknown> {
  const response = await fetchText(url, headers, signal)
  const { status, retryAfterMs } = response
  const statusMessage = `HTTP ${status}`
  if (status === 429)
    throw new SourceError('throttled', statusMessage, retryAfterMs ?? parseRetryAfterBody(tryParseJson(response.text)))
  if (status >= 500 || status === 408) throw new SourceError('unavailable', statusMessage, retryAfterMs)
  if (status === 401 || status === 402 || status === 403) throw new SourceError('unauthorized', statusMessage)
  if (status >= 400) throw new SourceError('bad_request', statusMessage)
  if (status !== 200) throw new SourceError('invalid_response', statusMessage)
  if (!/^application\/([\w.-]+\+)?json\b/i.test(response.type))
    throw new SourceError('invalid_response', 'response is not JSON')
  const body = tryParseJson(response.text)
  if (body === undefined) throw new SourceError('invalid_response', 'response is not valid JSON')
  return body
}

type TextResponse = { status: number; type: string; retryAfterMs: number | null; text: string }

async function fetchText(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<TextResponse> {
  try {
    // Don't follow redirects: they would carry the key elsewhere.
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...headers },
      signal,
      redirect: 'manual',
    })
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > MAX_BODY_BYTES)
        throw new SourceError('invalid_response', `response is larger than ${MAX_BODY_BYTES} bytes`)
      chunks.push(chunk)
    }
    const type = response.headers.get('content-type') ?? ''
    const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'))
    return { status: response.status, type, retryAfterMs, text: Buffer.concat(chunks).toString('utf8') }
  } catch (error) {
    if (error instanceof SourceError) throw error
    if (signal.aborted) throw new SourceError('unavailable', 'request timed out')
    const { cause } = error as { cause?: { code?: string } }
    throw new SourceError('unavailable', `connection failed (${cause?.code ?? 'connection lost'})`)
  }
}

/** Formats the first schema issue of a response in one line. */
export function formatSchemaIssue({ issues: [first] }: { issues: { path: PropertyKey[]; message: string }[] }): string {
  return `${first?.path.map(String).join('.')}: ${first?.message}`.slice(0, 200)
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An enabled connector with its token budget. */
export type Connector = { source: RetailSource; bucket: TokenBucket; licenseId: string; licenseTerms: string }
