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

/** How the test server handles the nth call for these products. */
type Responder = (response: ServerResponse, ids: string[], call: number) => void

let server: Server
let respond: Responder
let requestedIds: string[][]

const jsonResponder: Responder = (response, ids) => send(response, 200, JSON.stringify({ ids }))
const htmlResponder: Responder = (response) =>
  send(response, 200, '<html>maintenance</html>', { 'content-type': 'text/html' })

function send(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
}

beforeEach(async () => {
  requestedIds = []
  server = createServer((request, response) => {
    const ids = new URL(request.url ?? '', 'http://localhost').searchParams.get('ids')?.split(',') ?? []
    requestedIds.push(ids)
    respond(response, ids, requestedIds.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** A source that charges one token per product and only requires the body to be JSON. */
function source(tokens: { left: number; perMinute: number | null } | null = null): RetailSource {
  return {
    retailer: 'retailer_b',
    name: 'stand-in',
    retailerName: 'Stand-in',
    sourceId: 'stand-in',
    batchSize: 2,
    tokenCost: (products) => products,
    async poll(ids, signal) {
      const { port } = server.address() as AddressInfo
      await fetchJson(new URL(`http://127.0.0.1:${port}/?key=s3cret&ids=${ids.join(',')}`), {}, signal)
      return { rows: [], rejected: [], cost: null, tokens }
    },
    codesPerCall: 2,
    findProducts: async () => ({ products: [], tokens }),
  }
}

const PRODUCTS = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7']

/** Poll options that hand out PRODUCTS, record what is published, and advance the clock only in pauses. */
function testPoll(changes: Partial<PollOptions> & { perMinute?: number } = {}) {
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
    bucket: createTokenBucket(changes.perMinute ?? 1_000, () => now),
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
  test('polls every product once in batches, saves the cursor with each, and resets it at the end', async () => {
    respond = jsonResponder
    const { options, published } = testPoll()
    const counts = await pollAllProducts(source(), options)
    expect(requestedIds).toEqual([['p1', 'p2'], ['p3', 'p4'], ['p5', 'p6'], ['p7']])
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

  test('continues after the cursor', async () => {
    respond = jsonResponder
    await pollAllProducts(source(), testPoll({ cursor: 'p5' }).options)
    expect(requestedIds).toEqual([['p6', 'p7']])
  })

  test('sends no request and stores nothing if there are no products', async () => {
    const { options, published } = testPoll({ nextProducts: async () => [] })
    expect(await pollAllProducts(source(), options)).toMatchObject({ outcome: 'completed', calls: 0 })
    expect(published).toEqual([])
  })

  test('stops between calls when aborted and keeps the cursor of the last publish', async () => {
    const stop = new AbortController()
    respond = (response, ids, call) => {
      if (call === 2) stop.abort()
      else jsonResponder(response, ids, call)
    }
    const { options, published } = testPoll({ signal: stop.signal })
    expect(await pollAllProducts(source(), options)).toMatchObject({ outcome: 'stopped', cursor: 'p2', calls: 2 })
    expect(published).toHaveLength(1)
  })

  test('aborting ends a real pause immediately', async () => {
    respond = (response) => send(response, 503, '', { 'retry-after': '600' })
    const stop = new AbortController()
    const { sleep: _, ...options } = testPoll({ signal: stop.signal }).options
    setTimeout(() => stop.abort(), 100)
    expect(await pollAllProducts(source(), options)).toMatchObject({ outcome: 'stopped', calls: 1 })
  })
})

describe('retries after a transient failure', () => {
  const once =
    (respondWithFailure: Responder): Responder =>
    (response, ids, call) =>
      call === 1 ? respondWithFailure(response, ids, call) : jsonResponder(response, ids, call)

  test.each<[string, Responder, number]>([
    [
      '429 with Retry-After in seconds: waits that long plus the backoff',
      (r) => send(r, 429, '{}', { 'retry-after': '7' }),
      7500,
    ],
    ['429 without Retry-After: backs off', (r) => send(r, 429, '{}'), 500],
    ['500', (r) => send(r, 500, 'oops'), 500],
    ['503 with Retry-After', (r) => send(r, 503, '', { 'retry-after': '2' }), 2500],
    ['a connection closed without a response', (r) => void r.socket?.destroy(), 500],
    [
      'a connection lost in the middle of the body',
      (r) => {
        r.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
        r.write('{"ids":', () => r.socket?.destroy())
      },
      500,
    ],
    ['a response that takes too long', () => {}, 500],
    [
      'a body that takes too long',
      (r) => void r.writeHead(200, { 'content-type': 'application/json' }).write('{'),
      500,
    ],
  ])('%s', async (_, failure, pause) => {
    respond = once(failure)
    const { options, published, pauses } = testPoll({ timeoutMs: 200 })
    const counts = await pollAllProducts(source(), options)
    expect(requestedIds.slice(0, 2)).toEqual([
      ['p1', 'p2'],
      ['p1', 'p2'],
    ])
    expect(pauses).toEqual([pause])
    expect(counts).toMatchObject({ outcome: 'completed', failedCalls: 1, products: 7, rejected: 0 })
    expect(published[0]).toEqual({ cursor: 'p2', rejected: [] })
  })

  test('429 with Retry-After as a date', async () => {
    respond = once((r) => send(r, 429, '{}', { 'retry-after': new Date(Date.now() + 30_000).toUTCString() }))
    const { options, pauses } = testPoll()
    await pollAllProducts(source(), options)
    expect(pauses[0]).toBeGreaterThan(28_000)
    expect(pauses[0]).toBeLessThanOrEqual(30_500)
  })

  test('backoff grows with jitter up to one minute', async () => {
    respond = (response) => send(response, 500, '')
    const { options, pauses } = testPoll({
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
  test('down: ends the run after a few failures, stores nothing, keeps the cursor and leaks no key', async () => {
    respond = (response) => send(response, 500, 'key=s3cret')
    const { options, published } = testPoll({ cursor: 'p1', attempts: 2 })
    const counts = await pollAllProducts(source(), options)
    expect(counts).toMatchObject({ outcome: 'failing', cursor: 'p1', reason: 'HTTP 500', calls: 10, products: 0 })
    expect(published).toEqual([])
    expect(JSON.stringify(counts)).not.toContain('s3cret')
  })

  test('unreachable: reports a failed connection and leaks no key', async () => {
    const url = new URL('http://127.0.0.1:1/?key=s3cret')
    const nowhere = { ...source(), poll: (_: string[], signal: AbortSignal) => fetchJson(url, {}, signal) as never }
    const counts = await pollAllProducts(nowhere, testPoll({ attempts: 2 }).options)
    expect(counts.reason).toMatch(/^connection failed \(.+\)$/)
    expect(JSON.stringify(counts)).not.toContain('s3cret')
  })

  test.each([401, 402, 403])('%s ends the run without a retry', async (status) => {
    respond = (response, ids, call) => (call === 1 ? jsonResponder(response, ids, call) : send(response, status, '{}'))
    expect(await pollAllProducts(source(), testPoll().options)).toMatchObject({
      outcome: 'unauthorized',
      cursor: 'p2',
      calls: 2,
    })
  })

  test('throttled for longer than the maximum wait: ends the run and reports the delay', async () => {
    respond = (response) => send(response, 429, '{}', { 'retry-after': '3600' })
    const { options, pauses } = testPoll({ cursor: 'p1' })
    const counts = await pollAllProducts(source(), options)
    expect(counts).toMatchObject({ outcome: 'throttled', cursor: 'p1', calls: 1, retryAfterMs: 3_600_000 })
    expect(pauses).toEqual([])
  })
})

describe('an unusable response', () => {
  /** Fails whenever p3 is requested. */
  const poison =
    (respondWithFailure: Responder): Responder =>
    (response, ids, call) =>
      ids.includes('p3') ? respondWithFailure(response, ids, call) : jsonResponder(response, ids, call)

  test.each<[string, Responder, string]>([
    ['HTML instead of JSON', htmlResponder, 'response is not JSON'],
    ['truncated JSON', (r) => send(r, 200, '{"ids":["p'), 'response is not valid JSON'],
    ['an empty body', (r) => send(r, 200, ''), 'response is not valid JSON'],
    ['more than 5 MB', (r) => send(r, 200, `"${'x'.repeat(5_000_000)}"`), 'response is larger than 5000000 bytes'],
    ['a redirect, which is not followed', (r) => send(r, 302, '', { location: '/?ids=elsewhere' }), 'HTTP 302'],
    ['500 for one product only', (r) => send(r, 500, ''), 'HTTP 500'],
  ])('%s: finds and quarantines the faulty product and continues with the rest', async (_, failure, reason) => {
    respond = poison(failure)
    const { options, published } = testPoll({ attempts: 1 })
    const counts = await pollAllProducts(source(), options)
    expect(requestedIds).toEqual([['p1', 'p2'], ['p3', 'p4'], ['p3'], ['p4'], ['p5', 'p6'], ['p7']])
    expect(published.map(({ cursor }) => cursor)).toEqual(['p2', 'p4', 'p6', 'p7', null])
    expect(published[1]?.rejected).toEqual([{ product_id: 'p3', reason, raw: '' }])
    expect(counts).toMatchObject({ outcome: 'completed', products: 6, rejected: 1, failedCalls: 2 })
  })

  test('quarantines a faulty last product when the round ends', async () => {
    respond = (response, ids, call) => (ids.includes('p7') ? htmlResponder : jsonResponder)(response, ids, call)
    const { options, published } = testPoll()
    expect(await pollAllProducts(source(), options)).toMatchObject({ outcome: 'completed', cursor: null, rejected: 1 })
    expect(published.at(-1)).toMatchObject({ cursor: null, rejected: [{ product_id: 'p7' }] })
  })

  test('skips any number of unknown products', async () => {
    respond = (response) => send(response, 404, '{}')
    const { options, published } = testPoll()
    expect(await pollAllProducts(source(), options)).toMatchObject({ outcome: 'completed', cursor: null, rejected: 7 })
    expect(published.at(-2)).toEqual({
      cursor: 'p7',
      rejected: [{ product_id: 'p7', reason: 'HTTP 404', raw: '' }],
    })
  })

  test('blames the source and quarantines nothing if every response is HTML', async () => {
    respond = htmlResponder
    const { options, published } = testPoll()
    expect(await pollAllProducts(source(), options)).toMatchObject({ outcome: 'failing', cursor: null, calls: 5 })
    expect(published).toEqual([])
  })
})

describe('the token budget', () => {
  test('waits exactly until the refill when it is used up', async () => {
    respond = jsonResponder
    const { options, pauses } = testPoll({ perMinute: 4 })
    expect(await pollAllProducts(source(), options)).toMatchObject({ outcome: 'completed', products: 7 })
    // 4 tokens cover 2 calls, then wait for 2 tokens (30 s) and 1 token (15 s).
    expect(pauses.map((ms) => Math.round(ms / 100) / 10)).toEqual([30, 15])
  })

  test('limits a batch to one minute of tokens', async () => {
    respond = jsonResponder
    await pollAllProducts(source(), testPoll({ perMinute: 1, cursor: 'p5' }).options)
    expect(requestedIds).toEqual([['p6'], ['p7']])
  })

  test('respects the remaining tokens and the refill rate that the source reports', async () => {
    respond = jsonResponder
    const { options, pauses } = testPoll({ perMinute: 100, cursor: 'p3' })
    await pollAllProducts(source({ left: 0, perMinute: 2 }), options)
    expect(pauses.map((ms) => Math.round(ms / 1000))).toEqual([60])
  })

  test('persists across runs', async () => {
    respond = jsonResponder
    const { options, pauses } = testPoll({ perMinute: 2, cursor: 'p5' })
    await pollAllProducts(source(), options)
    expect(pauses).toEqual([])
    await pollAllProducts(source(), options)
    expect(pauses).toHaveLength(1)
  })
})
