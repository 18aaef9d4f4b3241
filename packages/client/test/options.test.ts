import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  Brickmark,
  MissingApiKeyError,
  type BrickmarkOptions,
  type RequestEvent,
  type ResponseEvent,
} from '../src/index.ts'
import { sendData, sendError, startFakeServer, type FakeServer } from './support/fake-server.ts'

let server: FakeServer
let headers: Record<string, unknown>[]

beforeEach(async () => {
  headers = []
  server = await startFakeServer((response) => {
    headers.push({ ...response.req.headers })
    if (response.req.url?.includes('/busy')) return sendError(response, 503, 'InternalError', { 'retry-after': '0' })
    sendData(response, { title: 'Lighthouse' })
  })
})
afterEach(() => {
  vi.unstubAllEnvs()
  return server.stop()
})

describe('the environment', () => {
  test('key and base URL come from BRICKMARK_API_KEY and BRICKMARK_BASE_URL', async () => {
    vi.stubEnv('BRICKMARK_API_KEY', 'bmk_live_env')
    vi.stubEnv('BRICKMARK_BASE_URL', `${server.baseUrl}/`)
    expect((await new Brickmark().getSet('1')).data.title).toBe('Lighthouse')
    expect(headers[0]).toMatchObject({ authorization: 'Bearer bmk_live_env' })
    await new Brickmark({ apiKey: 'bmk_live_given' }).getSet('1')
    expect(headers[1]).toMatchObject({ authorization: 'Bearer bmk_live_given' })
  })

  test('without a base URL, no key is sent anywhere', () => {
    vi.stubEnv('BRICKMARK_BASE_URL', '')
    expect(() => new Brickmark({ apiKey: 'bmk_live_test' })).toThrow('BRICKMARK_BASE_URL')
  })

  test('without a key, the error says what to do', () => {
    vi.stubEnv('BRICKMARK_API_KEY', '')
    vi.stubEnv('BRICKMARK_BASE_URL', server.baseUrl)
    expect(() => new Brickmark()).toThrow(MissingApiKeyError)
    expect(() => new Brickmark()).toThrow('BRICKMARK_API_KEY')
  })
})

describe('calls that plain JavaScript gets wrong', () => {
  const brickmark = new Brickmark({ apiKey: 'bmk_live_test', baseUrl: 'http://127.0.0.1:9/api/v1' })
  test.each([
    ['a key instead of options', () => new Brickmark('bmk_live_test' as BrickmarkOptions), 'Pass an object'],
    [
      'a misspelled option',
      () => new Brickmark({ api_key: 'bmk_live_test' } as BrickmarkOptions),
      'Unknown option "api_key". Options: apiKey, ',
    ],
    ['no search term', () => brickmark.searchSets(undefined as never), "searchSets('lighthouse'), but got undefined"],
  ])('%s', (_name, call, message) => expect(call).toThrow(message))

  test.each([
    ['no number', () => brickmark.getSet(undefined as never), "getSet needs a string, e.g. getSet('90341-1')"],
    ['a number', () => brickmark.getSet(90341 as never), 'but got number'],
    ['an empty number', () => brickmark.getSetHistory(''), 'but got an empty string'],
    ['a batch of one string', () => brickmark.getBatch({ sets: '90341-1' as never }), 'needs arrays of numbers'],
    ['no identifier', () => brickmark.findRetailPrices(undefined as never), 'findRetailPrices needs an identifier'],
    ['a path without a slash', async () => brickmark.request('GET', 'set/1'), 'request needs a path'],
    ['an array', () => brickmark.getBatch(['90341-1'] as never), 'Pass at least one number in `sets`'],
    ['a maximum that is text', () => brickmark.listSales().toArray({ max: '10' as never }), 'max must be a number'],
  ])('%s', async (_name, call, message) => expect(call()).rejects.toThrow(message))
})

describe('hooks, headers and the raw response', () => {
  test('options of a request override those of the client; headers are added', async () => {
    const events: (RequestEvent | ResponseEvent)[] = []
    const brickmark = new Brickmark({
      apiKey: 'bmk_live_test',
      baseUrl: server.baseUrl,
      maxRetries: 5,
      headers: { 'x-team': 'pricing', 'x-job': 'default' },
      onRequest: (event) => events.push(event),
      onResponse: (event) => events.push(event),
    })
    const { response } = await brickmark.getSet('1', { headers: { 'x-job': 'nightly' } })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(headers[0]).toMatchObject({ 'x-team': 'pricing', 'x-job': 'nightly' })
    await expect(brickmark.getSet('busy', { maxRetries: 1 })).rejects.toMatchObject({ status: 503 })
    const url = (number: string) => `${server.baseUrl}/set/${number}`
    expect(events).toMatchObject([
      { method: 'GET', url: url('1'), attempt: 1 },
      { attempt: 1, status: 200, requestId: 'r-1', error: undefined },
      { url: url('busy'), attempt: 1 },
      { attempt: 1, status: 503, error: { code: 'InternalError' } },
      { attempt: 2 },
      { attempt: 2, status: 503 },
    ])
    const durations = events.flatMap((event) => ('durationMs' in event ? [event.durationMs] : []))
    expect(durations.every((ms) => ms >= 0 && ms < 60_000)).toBe(true)
  })

  test('an aborted attempt is reported, too', async () => {
    const slow = await startFakeServer(() => {})
    const events: ResponseEvent[] = []
    const options = { apiKey: 'bmk_live_test', baseUrl: slow.baseUrl }
    const brickmark = new Brickmark({ ...options, onResponse: (event) => events.push(event) })
    const reason = new Error('enough')
    const aborted = new AbortController()
    const pending = brickmark.getSet('1', { signal: aborted.signal })
    aborted.abort(reason)
    await expect(pending).rejects.toBe(reason)
    expect(events).toMatchObject([{ attempt: 1, status: undefined, error: reason }])
    await slow.stop()
  })

  test('withOptions keeps what isn’t given', async () => {
    const options = { apiKey: 'bmk_live_test', baseUrl: server.baseUrl, headers: { 'x-team': 'pricing' } }
    const attempts: number[] = []
    const brickmark = new Brickmark(options).withOptions({
      maxRetries: 0,
      onRequest: ({ attempt }) => attempts.push(attempt),
    })
    await expect(brickmark.getSet('busy')).rejects.toMatchObject({ status: 503 })
    expect(attempts).toEqual([1])
    expect(headers.at(-1)).toMatchObject({ 'x-team': 'pricing' })
  })

  test('request sends anything, with the same retries and errors', async () => {
    const brickmark = new Brickmark({ apiKey: 'bmk_live_test', baseUrl: server.baseUrl, maxRetries: 0 })
    const { response, meta } = await brickmark.request('GET', '/set/1', { query: { new: 'a b', none: undefined } })
    expect(new URL(response.url).search).toBe('?new=a+b')
    expect(meta.requestId).toBe('r-1')
    await expect(brickmark.request('GET', '/set/busy')).rejects.toMatchObject({ code: 'InternalError', status: 503 })
  })

  test('debug logs every attempt, without key and headers', async () => {
    const log = vi.spyOn(console, 'debug').mockImplementation(() => {})
    const options = { apiKey: 'bmk_live_test', baseUrl: server.baseUrl, maxRetries: 1, debug: true }
    const brickmark = new Brickmark({ ...options, headers: { 'x-secret': 'swordfish' } })
    await brickmark.getSet('1')
    await brickmark.getSet('busy').catch(() => {})
    const lines = log.mock.calls.map(([line]) => String(line).replace(/\d+ ms$/, 'N ms'))
    log.mockRestore()
    const base = new URL(server.baseUrl).pathname
    expect(lines).toEqual([
      `brickmark: GET ${base}/set/1 → 200 in N ms`,
      `brickmark: GET ${base}/set/busy → 503 in N ms`,
      `brickmark: GET ${base}/set/busy → 503 in N ms`,
    ])
  })

  test('the timeout of a request overrides that of the client', async () => {
    const slow = await startFakeServer(() => {})
    const brickmark = new Brickmark({ apiKey: 'bmk_live_test', baseUrl: slow.baseUrl })
    await expect(brickmark.getAnalytics({ timeout: 50 })).rejects.toThrow('did not respond within 0.05 s')
    await slow.stop()
  })
})
