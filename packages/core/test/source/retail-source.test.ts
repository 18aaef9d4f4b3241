import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  fetchJson,
  pollAllProducts,
  createTokenBucket,
  type PollOptions,
  type RejectedProduct,
  type RetailSource,
} from '@brickmark/core/source/connectors/retail-source'

/** What a stand-in source does with the nth call for these products. */
type Answer = (response: ServerResponse, ids: string[], call: number) => void

let server: Server
let answer: Answer
let asked: string[][]

const json: Answer = (response, ids) => send(response, 200, JSON.stringify({ ids }))
const html: Answer = (response) => send(response, 200, '<html>maintenance</html>', { 'content-type': 'text/html' })

function send(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
}

beforeEach(async () => {
  asked = []
  server = createServer((request, response) => {
    const ids = new URL(request.url ?? '', 'http://localhost').searchParams.get('ids')?.split(',') ?? []
    asked.push(ids)
    answer(response, ids, asked.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** A source whose every product costs one token and whose body only has to be JSON. */
function source(tokens: { left: number; perMinute: number | null } | null = null): RetailSource {
  return {
    retailer: 'retailer_b',
    name: 'stand-in',
    sourceId: 'stand-in',
    batchSize: 2,
    tokenCost: (products) => products,
    async poll(ids, signal) {
      const { port } = server.address() as AddressInfo
      await fetchJson(new URL(`http://127.0.0.1:${port}/?key=s3cret&ids=${ids.join(',')}`), {}, signal)
      return { rows: [], rejected: [], cost: null, tokens }
    },
  }
}

const PRODUCTS = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7']

/** A desk that hands out PRODUCTS, takes what is published and lets time pass only in pauses. */
function desk(changes: Partial<PollOptions> & { perMinute?: number } = {}) {
  let now = 1_000_000
  const published: { cursor: string | null; rejected: RejectedProduct[] }[] = []
  const pauses: number[] = []
  const options: PollOptions = {
    cursor: null,
    async nextProducts(cursor, limit) {
      const start = cursor === null ? 0 : PRODUCTS.indexOf(cursor) + 1
      return PRODUCTS.slice(start, start + limit)
    },
    async publish(_rows, cursor, rejected) {
      published.push({ cursor, rejected })
    },
    budget: createTokenBucket(changes.perMinute ?? 1_000, () => now),
    signal: new AbortController().signal,
    timeoutMs: 2_000,
    async sleep(ms) {
      pauses.push(ms)
      now += ms
    },
    random: () => 0,
    ...changes,
  }
  return { options, published, pauses }
}

describe('a round', () => {
  test('every product once, in batches, the cursor with each; at the end it starts anew', async () => {
    answer = json
    const { options, published } = desk()
    const counts = await pollAllProducts(source(), options)
    expect(asked).toEqual([['p1', 'p2'], ['p3', 'p4'], ['p5', 'p6'], ['p7']])
    expect(published.map(({ cursor }) => cursor)).toEqual(['p2', 'p4', 'p6', 'p7', null])
    expect(counts).toMatchObject({
      outcome: 'completed',
      cursor: null,
      calls: 4,
      failedCalls: 0,
      products: 7,
      rejected: 0,
    })
  })

  test('goes on after the cursor', async () => {
    answer = json
    await pollAllProducts(source(), desk({ cursor: 'p5' }).options)
    expect(asked).toEqual([['p6', 'p7']])
  })

  test('without products nothing is asked and nothing stored', async () => {
    const { options, published } = desk({ nextProducts: async () => [] })
    expect(await pollAllProducts(source(), options)).toMatchObject({ outcome: 'completed', calls: 0 })
    expect(published).toEqual([])
  })

  test('stops between two calls when told to, with the cursor of what is stored', async () => {
    const stop = new AbortController()
    answer = (response, ids, call) => {
      if (call === 2) stop.abort()
      else json(response, ids, call)
    }
    const { options, published } = desk({ signal: stop.signal })
    expect(await pollAllProducts(source(), options)).toMatchObject({ outcome: 'stopped', cursor: 'p2', calls: 2 })
    expect(published).toHaveLength(1)
  })

  test('a real pause ends at once when told to stop', async () => {
    answer = (response) => send(response, 503, '', { 'retry-after': '600' })
    const stop = new AbortController()
    const { sleep: _, ...options } = desk({ signal: stop.signal }).options
    setTimeout(() => stop.abort(), 100)
    expect(await pollAllProducts(source(), options)).toMatchObject({ outcome: 'stopped', calls: 1 })
  })
})

describe('a call that fails is repeated', () => {
  const once =
    (failure: Answer): Answer =>
    (response, ids, call) =>
      call === 1 ? failure(response, ids, call) : json(response, ids, call)

  test.each<[string, Answer, number]>([
    [
      '429 with Retry-After in seconds: waits that long and a little',
      (r) => send(r, 429, '{}', { 'retry-after': '7' }),
      7500,
    ],
    ['429 without: backs off', (r) => send(r, 429, '{}'), 500],
    ['500', (r) => send(r, 500, 'oops'), 500],
    ['503 with Retry-After', (r) => send(r, 503, '', { 'retry-after': '2' }), 2500],
    ['a connection closed without an answer', (r) => void r.socket?.destroy(), 500],
    [
      'a connection cut in the middle of the body',
      (r) => {
        r.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
        r.write('{"ids":', () => r.socket?.destroy())
      },
      500,
    ],
    ['an answer that takes too long', () => {}, 500],
    [
      'a body that takes too long',
      (r) => void r.writeHead(200, { 'content-type': 'application/json' }).write('{'),
      500,
    ],
  ])('%s', async (_, failure, pause) => {
    answer = once(failure)
    const { options, published, pauses } = desk({ timeoutMs: 200 })
    const counts = await pollAllProducts(source(), options)
    expect(asked.slice(0, 2)).toEqual([
      ['p1', 'p2'],
      ['p1', 'p2'],
    ])
    expect(pauses).toEqual([pause])
    expect(counts).toMatchObject({ outcome: 'completed', failedCalls: 1, products: 7, rejected: 0 })
    expect(published[0]).toEqual({ cursor: 'p2', rejected: [] })
  })

  test('429 with Retry-After as a date', async () => {
    answer = once((r) => send(r, 429, '{}', { 'retry-after': new Date(Date.now() + 30_000).toUTCString() }))
    const { options, pauses } = desk()
    await pollAllProducts(source(), options)
    expect(pauses[0]).toBeGreaterThan(28_000)
    expect(pauses[0]).toBeLessThanOrEqual(30_500)
  })

  test('pauses grow, with jitter, up to a minute', async () => {
    answer = (response) => send(response, 500, '')
    const { options, pauses } = desk({
      attempts: 9,
      maxConsecutiveFailures: 1,
      random: () => 1,
      nextProducts: async () => ['p1'],
    })
    expect(await pollAllProducts(source(), options)).toMatchObject({ outcome: 'failing', calls: 9 })
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  })
})

describe('a source that keeps failing', () => {
  test('down: left alone after a few products, nothing stored, the cursor kept, no key in the reason', async () => {
    answer = (response) => send(response, 500, 'key=s3cret')
    const { options, published } = desk({ cursor: 'p1', attempts: 2 })
    const counts = await pollAllProducts(source(), options)
    expect(counts).toMatchObject({ outcome: 'failing', cursor: 'p1', reason: 'answered 500', calls: 10, products: 0 })
    expect(published).toEqual([])
    expect(JSON.stringify(counts)).not.toContain('s3cret')
  })

  test('unreachable: the same', async () => {
    const url = new URL('http://127.0.0.1:1/?key=s3cret')
    const nowhere = { ...source(), poll: (_: string[], signal: AbortSignal) => fetchJson(url, {}, signal) as never }
    const counts = await pollAllProducts(nowhere, desk({ attempts: 2 }).options)
    expect(counts.reason).toMatch(/^could not be heard out \(.+\)$/)
    expect(JSON.stringify(counts)).not.toContain('s3cret')
  })

  test.each([401, 402, 403])('%s is not asked twice', async (status) => {
    answer = (response, ids, call) => (call === 1 ? json(response, ids, call) : send(response, status, '{}'))
    expect(await pollAllProducts(source(), desk().options)).toMatchObject({
      outcome: 'unauthorized',
      cursor: 'p2',
      calls: 2,
    })
  })

  test('throttled for good, or for longer than we wait: ends, and says when to come back', async () => {
    answer = (response) => send(response, 429, '{}', { 'retry-after': '3600' })
    const { options, pauses } = desk({ cursor: 'p1' })
    const counts = await pollAllProducts(source(), options)
    expect(counts).toMatchObject({ outcome: 'throttled', cursor: 'p1', calls: 1, retryAfterMs: 3_600_000 })
    expect(pauses).toEqual([])
  })
})

describe('an answer that cannot be used', () => {
  /** Broken whenever p3 is among the products. */
  const poison =
    (failure: Answer): Answer =>
    (response, ids, call) =>
      ids.includes('p3') ? failure(response, ids, call) : json(response, ids, call)

  test.each<[string, Answer, string]>([
    ['HTML instead of JSON', html, 'answered no JSON'],
    ['truncated JSON', (r) => send(r, 200, '{"ids":["p'), 'answered broken JSON'],
    ['an empty body', (r) => send(r, 200, ''), 'answered broken JSON'],
    ['more than 5 MB', (r) => send(r, 200, `"${'x'.repeat(5_000_000)}"`), 'answered more than 5000000 bytes'],
    ['a redirect, which is not followed', (r) => send(r, 302, '', { location: '/?ids=elsewhere' }), 'answered 302'],
    ['500 for one product only', (r) => send(r, 500, ''), 'answered 500'],
  ])('%s: the product at fault is found and quarantined, the rest goes on', async (_, failure, reason) => {
    answer = poison(failure)
    const { options, published } = desk({ attempts: 1 })
    const counts = await pollAllProducts(source(), options)
    expect(asked).toEqual([['p1', 'p2'], ['p3', 'p4'], ['p3'], ['p4'], ['p5', 'p6'], ['p7']])
    expect(published.map(({ cursor }) => cursor)).toEqual(['p2', 'p4', 'p6', 'p7', null])
    expect(published[1]?.rejected).toEqual([{ product_id: 'p3', reason, raw: '' }])
    expect(counts).toMatchObject({ outcome: 'completed', products: 6, rejected: 1, failedCalls: 2 })
  })

  test('the last product of a round at fault is quarantined with the end of the round', async () => {
    answer = (response, ids, call) => (ids.includes('p7') ? html : json)(response, ids, call)
    const { options, published } = desk()
    expect(await pollAllProducts(source(), options)).toMatchObject({ outcome: 'completed', cursor: null, rejected: 1 })
    expect(published.at(-1)).toMatchObject({ cursor: null, rejected: [{ product_id: 'p7' }] })
  })

  test('any number of products that do not exist are passed over', async () => {
    answer = (response) => send(response, 404, '{}')
    const { options, published } = desk()
    expect(await pollAllProducts(source(), options)).toMatchObject({ outcome: 'completed', cursor: null, rejected: 7 })
    expect(published.at(-2)).toEqual({
      cursor: 'p7',
      rejected: [{ product_id: 'p7', reason: 'answered 404', raw: '' }],
    })
  })

  test('nothing but HTML: the source is at fault, nothing is quarantined', async () => {
    answer = html
    const { options, published } = desk()
    expect(await pollAllProducts(source(), options)).toMatchObject({ outcome: 'failing', cursor: null, calls: 5 })
    expect(published).toEqual([])
  })
})

describe('the token budget', () => {
  test('spent: waits for the refill, and no longer', async () => {
    answer = json
    const { options, pauses } = desk({ perMinute: 4 })
    expect(await pollAllProducts(source(), options)).toMatchObject({ outcome: 'completed', products: 7 })
    // 4 tokens for 2 calls, then 2 tokens (30 s) and 1 token (15 s).
    expect(pauses.map((ms) => Math.round(ms / 100) / 10)).toEqual([30, 15])
  })

  test('a batch is never larger than a minute of tokens', async () => {
    answer = json
    await pollAllProducts(source(), desk({ perMinute: 1, cursor: 'p5' }).options)
    expect(asked).toEqual([['p6'], ['p7']])
  })

  test('what the source says is left counts, and its own rate of refill', async () => {
    answer = json
    const { options, pauses } = desk({ perMinute: 100, cursor: 'p3' })
    await pollAllProducts(source({ left: 0, perMinute: 2 }), options)
    expect(pauses.map((ms) => Math.round(ms / 1000))).toEqual([60])
  })

  test('outlives a run', async () => {
    answer = json
    const { options, pauses } = desk({ perMinute: 2, cursor: 'p5' })
    await pollAllProducts(source(), options)
    expect(pauses).toEqual([])
    await pollAllProducts(source(), options)
    expect(pauses).toHaveLength(1)
  })
})
