import { setTimeout as wait } from 'node:timers/promises'
import type { RetailRow } from '../feeds/feed-rows.ts'

/** Someone who can be asked what products cost at a retailer just now. */
export interface RetailSource {
  readonly retailer: RetailRow['retailer']
  readonly name: string
  readonly sourceId: string
  /** The most products one call may ask for. */
  readonly batchSize: number
  /** What a call for so many products is expected to cost, in tokens of the source. */
  costOf(products: number): number
  /** One call. Throws a SourceFailure when it brought nothing. */
  poll(productIds: string[], signal: AbortSignal): Promise<PollResult>
}

/** The answer for one product that could not be used, for the quarantine. */
export type RejectedAnswer = { product_id: string; reason: string; raw: string }

export type PollResult = {
  rows: RetailRow[]
  rejected: RejectedAnswer[]
  /** What the call cost, if the source says so. */
  cost: number | null
  /** What the source says is left, and how fast it comes back. */
  tokens: { left: number; perMinute: number | null } | null
}

/**
 * Why a call brought nothing. `throttled` and `unavailable` pass; an `unusable` answer may be the fault of one product,
 * `unwanted` (another 4xx) surely is; `refused` will not change until somebody mends the key or the plan.
 */
type FailureKind = 'throttled' | 'unavailable' | 'unusable' | 'unwanted' | 'refused'

/** A call that failed. The message never holds an address, because addresses hold keys. */
export class SourceFailure extends Error {
  readonly kind: FailureKind
  readonly retryAfterMs: number | null

  constructor(kind: FailureKind, message: string, retryAfterMs: number | null = null) {
    super(message)
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }
}

/** The tokens we allow ourselves: a full minute at first, refilled steadily, never more than the source says is left. */
export type TokenBudget = {
  /** How many products may be asked for at once, at the price of a call. */
  affordable(source: RetailSource): number
  /** How long until a call may be made; a call dearer than a whole minute waits for the whole minute. */
  waitMs(cost: number): number
  spend(cost: number): void
  learn(left: number, perMinute: number | null): void
}

/** A budget to keep for as long as the process lives: a new one would be full again. */
export function tokenBudget(perMinute: number, now: () => number = Date.now): TokenBudget {
  let tokens = perMinute
  let rate = perMinute
  let at = now()
  const refill = (): void => {
    const elapsed = Math.max(0, now() - at)
    at = now()
    tokens = Math.min(perMinute, tokens + (elapsed * rate) / 60_000)
  }
  return {
    affordable(source) {
      let products = source.batchSize
      while (products > 1 && source.costOf(products) > perMinute) products--
      return products
    },
    waitMs(cost) {
      refill()
      const missing = Math.min(cost, perMinute) - tokens
      // A thousandth of a token is forgiven: sums of fractions do not come out even.
      return missing <= 0.001 ? 0 : Math.ceil((missing * 60_000) / rate)
    },
    spend(cost) {
      refill()
      tokens -= cost
    },
    learn(left, sourceRate) {
      refill()
      tokens = Math.min(tokens, left)
      if (sourceRate !== null && sourceRate > 0) rate = Math.min(perMinute, sourceRate)
    },
  }
}

export type PollOptions = {
  /** The last product of the last run, or null at the beginning of a round. */
  cursor: string | null
  /** The products after the cursor in a fixed order; none at the end of the round. */
  nextProducts(cursor: string | null, limit: number): Promise<string[]>
  /** Stores rows, rejected answers and the cursor in one transaction. */
  publish(rows: RetailRow[], cursor: string | null, rejected: RejectedAnswer[]): Promise<void>
  budget: TokenBudget
  signal: AbortSignal
  /** Calls for one batch before it counts as failed. */
  attempts?: number
  timeLimitMs?: number
  /** Failures in a row, after which the source is left alone until the next run. */
  patience?: number
  /** A source that wants to be left alone for longer than this ends the run. */
  longestWaitMs?: number
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
  random?: () => number
}

export type PollCounts = {
  /** `round`: every product was asked for. All others keep the cursor of the last publish. */
  ended: 'round' | 'stopped' | 'failing' | FailureKind
  /** Why, when it was not a whole round. */
  reason: string | null
  retryAfterMs: number | null
  cursor: string | null
  calls: number
  failedCalls: number
  products: number
  rows: number
  rejected: number
}

const BACK_OFF_MS = 1_000

const LONGEST_BACK_OFF_MS = 60_000

/**
 * Asks a source for one round of products, batch by batch after the cursor, within the budget. A call that fails is
 * repeated; a batch that keeps failing is asked for product by product, so that the one at fault is found and
 * quarantined and the rest goes on. What failed is stored with the next success: if everything fails, nothing moves.
 */
export async function pollRetail(source: RetailSource, options: PollOptions): Promise<PollCounts> {
  const { signal, budget, patience = 3 } = options
  const counts = { calls: 0, failedCalls: 0, products: 0, rows: 0, rejected: 0 }
  let cursor = options.cursor
  let reached = cursor
  let singles: string[] = []
  let failed: RejectedAnswer[] = []

  const publish = async (rows: RetailRow[], to: string | null, rejected: RejectedAnswer[]): Promise<void> => {
    await options.publish(rows, to, [...failed, ...rejected])
    counts.rows += rows.length
    counts.rejected += failed.length + rejected.length
    cursor = to
    failed = []
  }
  const end = (ended: PollCounts['ended'], failure?: SourceFailure): PollCounts => {
    return { ended, reason: failure?.message ?? null, retryAfterMs: failure?.retryAfterMs ?? null, cursor, ...counts }
  }

  while (!signal.aborted) {
    const single = singles.shift()
    const batch = single === undefined ? await options.nextProducts(reached, budget.affordable(source)) : [single]
    const last = batch.at(-1)
    if (last === undefined) {
      if (cursor !== null || failed.length > 0) await publish([], null, [])
      return end('round')
    }
    const answer = await askPatiently(source, batch, options, counts)
    if (answer === undefined) break
    if (!(answer instanceof SourceFailure)) {
      counts.products += batch.length
      await publish(answer.rows, last, answer.rejected)
    } else if (answer.kind === 'refused' || answer.kind === 'throttled') {
      return end(answer.kind, answer)
    } else if (batch.length > 1) {
      singles = batch
      continue
    } else {
      failed.push({ product_id: last, reason: answer.message, raw: '' })
      // Products that do not exist may well stand together; they are no sign of a source that is down.
      if (answer.kind === 'unwanted') await publish([], last, [])
      else if (failed.length >= patience) return end('failing', answer)
    }
    reached = last
  }
  return end('stopped')
}

/** One batch, repeated with growing pauses while that may help; undefined when told to stop. */
async function askPatiently(
  source: RetailSource,
  batch: string[],
  options: PollOptions,
  counts: { calls: number; failedCalls: number },
): Promise<PollResult | SourceFailure | undefined> {
  const { budget, signal, attempts = 4, timeLimitMs = 30_000, longestWaitMs = 15 * 60_000 } = options
  const { sleep = (ms, signal) => wait(ms, undefined, { signal }), random = Math.random } = options
  // Being told to stop ends the pause; the loop sees the signal.
  const pause = async (ms: number): Promise<unknown> => sleep(ms, signal).catch(() => undefined)
  const cost = source.costOf(batch.length)
  for (let attempt = 1; ; attempt++) {
    for (let ms = budget.waitMs(cost); ms > 0 && !signal.aborted; ms = budget.waitMs(cost)) await pause(ms)
    if (signal.aborted) return undefined
    counts.calls++
    const answer = await askOnce(source, batch, AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)]))
    if (signal.aborted && answer instanceof SourceFailure) return undefined
    // A call that failed may have been counted over there, so it counts here too.
    budget.spend(answer instanceof SourceFailure ? cost : (answer.cost ?? cost))
    if (!(answer instanceof SourceFailure)) {
      if (answer.tokens !== null) budget.learn(answer.tokens.left, answer.tokens.perMinute)
      return answer
    }
    counts.failedCalls++
    const passes = answer.kind === 'throttled' || answer.kind === 'unavailable'
    const retryAfterMs = answer.retryAfterMs ?? 0
    if (!passes || attempt >= attempts || retryAfterMs > longestWaitMs) return answer
    const backOff = Math.min(LONGEST_BACK_OFF_MS, BACK_OFF_MS * 2 ** (attempt - 1))
    await pause(retryAfterMs + backOff * (0.5 + random() / 2))
  }
}

async function askOnce(
  source: RetailSource,
  batch: string[],
  signal: AbortSignal,
): Promise<PollResult | SourceFailure> {
  try {
    return await source.poll(batch, signal)
  } catch (error) {
    if (error instanceof SourceFailure) return error
    throw error
  }
}

const LARGEST_BODY = 5_000_000

/** The JSON behind an address, or a SourceFailure. `retryAfterIn` finds a pause in the body of a 429. */
export async function askJson(
  url: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
  retryAfterIn: (body: unknown) => number | null = () => null,
): Promise<unknown> {
  const response = await fetchText(url, headers, signal)
  const { status, retryAfterMs } = response
  const said = `answered ${status}`
  if (status === 429) throw new SourceFailure('throttled', said, retryAfterMs ?? retryAfterIn(parsed(response.text)))
  if (status >= 500 || status === 408) throw new SourceFailure('unavailable', said, retryAfterMs)
  if (status === 401 || status === 402 || status === 403) throw new SourceFailure('refused', said)
  if (status >= 400) throw new SourceFailure('unwanted', said)
  if (status !== 200) throw new SourceFailure('unusable', said)
  if (!/^application\/([\w.-]+\+)?json\b/i.test(response.type)) throw new SourceFailure('unusable', 'answered no JSON')
  const body = parsed(response.text)
  if (body === undefined) throw new SourceFailure('unusable', 'answered broken JSON')
  return body
}

type TextResponse = { status: number; type: string; retryAfterMs: number | null; text: string }

async function fetchText(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<TextResponse> {
  try {
    // A redirect is not followed: it would carry the key elsewhere.
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...headers },
      signal,
      redirect: 'manual',
    })
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > LARGEST_BODY) throw new SourceFailure('unusable', `answered more than ${LARGEST_BODY} bytes`)
      chunks.push(chunk)
    }
    const type = response.headers.get('content-type') ?? ''
    const retryAfterMs = pauseOf(response.headers.get('retry-after'))
    return { status: response.status, type, retryAfterMs, text: Buffer.concat(chunks).toString('utf8') }
  } catch (error) {
    if (error instanceof SourceFailure) throw error
    if (signal.aborted) throw new SourceFailure('unavailable', 'gave no answer in time')
    const { cause } = error as { cause?: { code?: string } }
    throw new SourceFailure('unavailable', `could not be heard out (${cause?.code ?? 'connection lost'})`)
  }
}

/** Where an answer departs from its format, in one line. */
export function complaint({ issues: [first] }: { issues: { path: PropertyKey[]; message: string }[] }): string {
  return `${first?.path.map(String).join('.')}: ${first?.message}`.slice(0, 200)
}

// Seconds, or a date.
function pauseOf(header: string | null): number | null {
  if (header === null) return null
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A connector that is switched on, with the tokens it may spend. */
export type Connector = { source: RetailSource; budget: TokenBudget; licenceId: string; licenceTerms: string }
