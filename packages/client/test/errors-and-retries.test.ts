import { afterEach, describe, expect, test } from 'vitest'
import * as kit from '../src/index.ts'
import { sendData, sendError, startFakeServer, type FakeServer } from './support/fake-server.ts'

const { Brickmark } = kit
let server: FakeServer

afterEach(() => server.stop())

async function serve(answer: Parameters<typeof startFakeServer>[0], options: Partial<kit.BrickmarkOptions> = {}) {
  server = await startFakeServer(answer)
  return new Brickmark({ apiKey: 'bmk_live_test', baseUrl: server.baseUrl, ...options })
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('It should have failed.')
    },
    (error: unknown) => error as kit.BrickmarkError,
  )

describe('error classes', () => {
  test.each([
    [400, 'BadRequest', kit.BadRequestError],
    [401, 'MissingApiKey', kit.MissingApiKeyError],
    [401, 'InvalidApiKey', kit.InvalidApiKeyError],
    [403, 'TierRequired', kit.TierRequiredError],
    [404, 'NotFound', kit.NotFoundError],
    [429, 'QuotaExceeded', kit.QuotaExceededError],
    [418, 'SomethingNew', kit.BrickmarkError],
  ])('%i %s throws its class without retrying', async (status, code, type) => {
    const brickmark = await serve((response) => sendError(response, status, code))
    const error = await failure(brickmark.getSet('1'))
    expect(error).toBeInstanceOf(type)
    expect(error).toMatchObject({ code, status, requestId: 'r-1', message: `It is ${code}.` })
    expect(server.requests).toHaveLength(1)
  })
})

describe('waits and timeouts', () => {
  test('429 with Retry-After 86,399 throws within 50 ms', async () => {
    const brickmark = await serve((response) =>
      sendError(response, 429, 'QuotaExceeded', {
        'retry-after': '86399',
        'x-ratelimit-limit': '1000',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '2026-06-28T00:00:00.000Z',
      }),
    )
    // The fastest of five, because a busy machine may delay one.
    const took: number[] = []
    let error: unknown
    for (let run = 0; run < 5; run++) {
      const started = performance.now()
      error = await failure(brickmark.getSet('1'))
      took.push(performance.now() - started)
    }
    expect(Math.min(...took)).toBeLessThan(50)
    expect(error).toBeInstanceOf(kit.QuotaExceededError)
    expect(error).toMatchObject({ retryAfter: 86_399, rateLimit: { remaining: 0, reset: new Date('2026-06-28') } })
  })

  test('429 with Retry-After 1 is retried after a second and succeeds', async () => {
    const brickmark = await serve((response, index) =>
      index === 0 ? sendError(response, 429, 'QuotaExceeded', { 'retry-after': '1' }) : sendData(response, {}),
    )
    const started = performance.now()
    await brickmark.getSet('1')
    expect(performance.now() - started).toBeGreaterThan(1000)
  })

  test('an abort ends a wait of one day before a retry', async () => {
    const brickmark = await serve((response) => sendError(response, 429, 'QuotaExceeded', { 'retry-after': '86399' }), {
      maxRetryAfterSeconds: 86_400,
    })
    const abort = new AbortController()
    const waiting = failure(brickmark.getSet('1', { signal: abort.signal }))
    await expect.poll(() => server.requests.length).toBe(1)
    const aborted = performance.now()
    abort.abort()
    expect(await waiting).toMatchObject({ name: 'AbortError' })
    expect(performance.now() - aborted).toBeLessThan(1000)
  })

  test('an abort ends a request that hangs', async () => {
    const brickmark = await serve(() => {})
    const error = await failure(brickmark.getSet('1', { signal: AbortSignal.timeout(100) }))
    expect(error).toMatchObject({ name: 'TimeoutError' })
    expect(server.requests).toHaveLength(1)
  })

  test('a hanging service times out after all retries', async () => {
    const brickmark = await serve(() => {}, { timeout: 100 })
    const error = await failure(brickmark.getSet('1'))
    expect(error).toBeInstanceOf(kit.APITimeoutError)
    expect(error).toMatchObject({ name: 'APITimeoutError', isRetryable: true, maybeCharged: true })
    expect(error.message).toContain('did not respond within 0.1 s')
    expect(server.requests).toHaveLength(3)
  })
})

describe('retries', () => {
  const busy = { 'retry-after': '0' }

  test('503, 503, 200 succeeds', async () => {
    const brickmark = await serve((response, index) =>
      index < 2 ? sendError(response, 503, 'InternalError', busy) : sendData(response, { title: 'Here' }),
    )
    expect((await brickmark.getSet('1')).data.title).toBe('Here')
    expect(server.requests).toHaveLength(3)
  })

  test.each([
    [undefined, 3],
    [0, 1],
    [4, 5],
  ])('a permanent 503 with maxRetries %s fails after %i attempts', async (maxRetries, attempts) => {
    const brickmark = await serve((response) => sendError(response, 503, 'InternalError', busy), { maxRetries })
    expect(await failure(brickmark.getSet('1'))).toMatchObject({ code: 'InternalError', maybeCharged: false })
    expect(server.requests).toHaveLength(attempts)
  })

  test.each<[string, number, Record<string, string>]>([
    ['a 503 that says so', 503, { ...busy, 'x-charged': 'maybe' }],
    ['a 504 of a proxy', 504, busy],
  ])('retries what may have been charged, unless the caller says otherwise: %s', async (_, status, headers) => {
    const brickmark = await serve((response) => sendError(response, status, 'InternalError', headers))
    const sendBatch = (options?: kit.RequestOptions) => failure(brickmark.getBatch({ sets: ['1'] }, options))
    expect(await sendBatch()).toMatchObject({ status, maybeCharged: true })
    expect(server.requests).toHaveLength(3)
    expect(await sendBatch({ retryMaybeCharged: false })).toMatchObject({ status, maybeCharged: true })
    expect(server.requests).toHaveLength(4)
  })

  test("a proxy's 502 in HTML throws InternalError", async () => {
    const brickmark = await serve((response) => response.writeHead(502).end('<h1>Bad gateway</h1>'))
    expect(await failure(brickmark.getSet('1'))).toMatchObject({ code: 'InternalError', status: 502 })
    expect(server.requests).toHaveLength(3)
  })

  test.each([
    ['with a length', { 'content-length': '1000' }],
    ['in chunks', {}],
  ])('a connection lost in the middle of a body (%s) throws APIConnectionError', async (_, headers) => {
    const brickmark = await serve((response) => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers })
      response.write('{"data":{"set_number":"900')
      setTimeout(() => response.destroy(), 20)
    })
    const error = await failure(brickmark.getSet('1'))
    expect(error).toBeInstanceOf(kit.APIConnectionError)
    expect(error.cause).toBeInstanceOf(Error)
    expect(error).toMatchObject({ maybeCharged: true })
    expect(server.requests).toHaveLength(3)
  })

  test('a refused connection throws APIConnectionError', async () => {
    const brickmark = await serve(() => {})
    await server.stop()
    const error = await failure(brickmark.getSet('1'))
    expect(error).toBeInstanceOf(kit.APIConnectionError)
    expect(error).toMatchObject({ maybeCharged: false })
    server = await startFakeServer(() => {})
  })

  test('a response of another service throws UnexpectedResponseError with a hint about the base URL', async () => {
    const brickmark = await serve((response) => response.writeHead(200).end('<h1>Welcome</h1>'))
    const error = await failure(brickmark.getSet('1'))
    expect(error).toBeInstanceOf(kit.UnexpectedResponseError)
    expect(error.message).toContain('/api/v1')
    expect(server.requests).toHaveLength(1)
  })
})

describe('batch', () => {
  test('3,000 items with duplicates take at most 30 requests and are each requested once', async () => {
    const brickmark = await serve((response, _place, body) => {
      const { sets, minifigs } = JSON.parse(body) as { sets: string[]; minifigs: string[] }
      const requested = sets.length + minifigs.length
      sendData(response, {
        sets: sets.map((set_number) => ({ set_number, found: false })),
        minifigs: minifigs.map((minifig_number) => ({ minifig_number, found: false })),
        summary: { requested, found: 0 },
      })
    })
    const sets = Array.from({ length: 2000 }, (_, index) => `${90_000 + (index % 1500)}${index % 2 ? '-1' : ''}`)
    const minifigs = Array.from({ length: 1000 }, (_, index) => `${index % 2 ? 'HBR' : 'hbr'}${index % 800}`)
    const { data } = await brickmark.getBatch({ sets, minifigs })
    expect(data.summary.requested).toBe(2300)
    expect(kit.batchCost({ sets, minifigs })).toBe(2300)
    expect(server.requests).toHaveLength(23)
    expect(new Set(data.sets.map(({ set_number }) => set_number.replace(/-1$/, ''))).size).toBe(1500)
  })

  test('getBatches yields the chunks that were charged before the quota ran out', async () => {
    const brickmark = await serve((response, index) =>
      index === 1
        ? sendError(response, 429, 'QuotaExceeded', { 'retry-after': '5000' })
        : sendData(response, { sets: [], minifigs: [], summary: { requested: 100, found: 0 } }),
    )
    const sets = Array.from({ length: 300 }, (_, index) => `${90_000 + index}`)
    const seen: number[] = []
    const reading = (async () => {
      for await (const { data } of brickmark.getBatches({ sets })) seen.push(data.summary.requested)
    })()
    expect(await failure(reading)).toBeInstanceOf(kit.QuotaExceededError)
    expect(seen).toEqual([100])
  })

  test('an empty batch throws BadRequestError without sending a request', async () => {
    const brickmark = await serve(() => {})
    expect(await failure(brickmark.getBatch({ sets: [' '] }))).toBeInstanceOf(kit.BadRequestError)
    expect(server.requests).toHaveLength(0)
  })
})

test('a list ends at an empty page even if has_more is true', async () => {
  const brickmark = await serve((response) =>
    sendData(response, { entries: [], pagination: { total: 9, limit: 250, offset: 0, has_more: true } }),
  )
  expect(await brickmark.listEntries().toArray()).toEqual([])
  expect(server.requests).toHaveLength(1)
})

test('the constructor throws MissingApiKeyError without a key', async () => {
  server = await startFakeServer(() => {})
  expect(() => new Brickmark({ apiKey: '' })).toThrow(kit.MissingApiKeyError)
})
