import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildKey } from '@brickmark/core/account/api-key'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import type { TestAccount } from '@brickmark/tests/support/fixtures'
import { seedForRequests } from '@brickmark/tests/support/valid-requests'

/** Error messages: they name the mistake and how to fix it. */

let api: TestApi
let resellerAccount: TestAccount

beforeAll(async () => {
  api = await startTestApi(seedForRequests)
  resellerAccount = await api.createAccount()
})
afterAll(() => api.stop())

describe('400: invalid parameters', () => {
  const ALLOWED = 'Allowed: limit, offset.'
  const KEY_HINT = 'Pass your API key in the `Authorization: Bearer <API_KEY>` header, never in the URL.'
  test.each([
    ['/salesledger?limits=5', `Unknown parameter \`limits\`. Did you mean \`limit\`? ${ALLOWED}`],
    ['/salesledger?page=2', `Unknown parameter \`page\`. Did you mean \`offset\`? ${ALLOWED}`],
    [
      '/salesledger?Limit=5&ofset=2',
      `Unknown parameters \`Limit\`, \`ofset\`. Did you mean \`limit\` and \`offset\`? ${ALLOWED}`,
    ],
    ['/salesledger?bogus=1', `Unknown parameter \`bogus\`. ${ALLOWED}`],
    ['/salesledger?api_key=x', `Unknown parameter \`api_key\`. ${KEY_HINT} ${ALLOWED}`],
    ['/catalog/themes?_=17', 'Unknown parameter `_`. This endpoint does not accept parameters.'],
    ['/retail-prices?ean=1', 'Unknown parameter `ean`. Did you mean `upc`? Allowed: set, asin, upc.'],
    ['/salesledger?limit=500', 'The parameter `limit` must be an integer between 1 and 250 (got `500`).'],
    ['/salesledger?limit=-1', 'The parameter `limit` must be an integer between 1 and 250 (got `-1`).'],
    ['/salesledger?limit=', 'The parameter `limit` must be an integer between 1 and 250.'],
    [`/salesledger?limit=${'9'.repeat(70)}`, 'The parameter `limit` must be an integer between 1 and 250.'],
    ['/salesledger?limit=1&limit=2', 'The parameter `limit` was provided 2 times. Provide it once.'],
    ['/set/90001/history?condition=new', 'The parameter `condition` must be `sealed` or `used` (got `new`).'],
    ['/brickfolio/analytics?period=7d', 'The parameter `period` must be `30d`, `90d` or `1y` (got `7d`).'],
    [
      '/brickfolio/retail-watch?changed_within=yesterday',
      'The parameter `changed_within` must be a number followed by `m`, `h` or `d`, e.g. `24h` (got `yesterday`).',
    ],
    [
      '/brickfolio/retail-watch?since=2026-06-27',
      'The parameter `since` must be an ISO 8601 timestamp with a time zone, e.g. `2026-06-27T00:00:00Z` (got `2026-06-27`).',
    ],
    ['/catalog/sets/search', 'The parameter `q` is required (at least 2 characters, e.g. `q=lighthouse`).'],
    ['/catalog/sets/search?q=a', 'The parameter `q` must contain at least 2 non-space characters (got `a`).'],
    ['/catalog/sets/search?query=tide', 'Unknown parameter `query`. Did you mean `q`? Allowed: q, limit, offset.'],
    ['/retail-prices', 'Provide at least one of `set`, `asin` or `upc`.'],
  ])('%s', async (path, message) => {
    const response = await api.get(path, resellerAccount)
    expect([response.status, response.error.message]).toEqual([400, message])
  })
})

describe('400: invalid bodies', () => {
  test.each([
    [{ set: ['1'] }, 'Unknown field `set`. Did you mean `sets`? Allowed: sets, minifigs.'],
    [
      Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`f${index}`, 1])),
      'Unknown fields `f0`, `f1`, `f2`, `f3`, `f4` and more. Allowed: sets, minifigs.',
    ],
    [{ sets: '1' }, 'The field `sets` must be an array of strings (got `1`).'],
    [{ sets: ['1', 2] }, 'The field `sets[1]` must be a string (got `2`).'],
    [['1'], 'Request body must be a JSON object with `sets`, `minifigs` or both.'],
    [{}, 'Provide at least one number in `sets` or `minifigs`.'],
    [
      { sets: Array.from({ length: 101 }, (_, index) => `${index}-2`) },
      'Too many items: 101. A batch can contain up to 100 unique numbers.',
    ],
  ])('%#', async (body, message) => {
    const response = await api.post('/catalog/batch', resellerAccount, body)
    expect([response.status, response.error.message]).toEqual([400, message])
  })
})

describe('401: missing and invalid keys', () => {
  const EXPECTED_HEADER = '`Authorization: Bearer <API_KEY>`'
  test.each<[Record<string, string>, string]>([
    [{}, `Missing API key. Pass it as ${EXPECTED_HEADER}.`],
    [{ 'x-api-key': 'bmk_live_1' }, `Pass your API key as ${EXPECTED_HEADER}, not in \`x-api-key\`.`],
    [{ authorization: 'bmk_live_1' }, `Missing \`Bearer\` before the API key. Use ${EXPECTED_HEADER}.`],
    [{ authorization: 'Basic eDp5' }, `Unsupported authorization scheme \`Basic\`. Use ${EXPECTED_HEADER}.`],
  ])('%j', async (headers, message) => {
    const response = await api.get('/catalog/themes', undefined, { headers })
    expect([response.error.code, response.error.message]).toEqual(['MissingApiKey', message])
  })

  test('describes the key format with the same message for every key that does not work', async () => {
    const unknown = buildKey(randomBytes(20))
    const keys = [unknown, unknown.slice(0, -1), `${unknown}a`, 'YOUR_KEY', '$BRICKMARK_API_KEY']
    const responses = await Promise.all(keys.map((key) => api.get('/catalog/themes', key)))
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    expect(responses[0]!.error.message).toContain('Keys start with `bmk_live_` and are 57 characters long.')
    expect(unknown).toHaveLength(57)
  })
})

describe('404: unknown paths and numbers', () => {
  test.each([
    ['/sets/90001-1', 'Unknown endpoint: GET /api/v1/sets/90001-1. Did you mean `/api/v1/set/{number}`?'],
    ['/set/90001-1/', 'Unknown endpoint: GET /api/v1/set/90001-1/. Did you mean `/api/v1/set/{number}`?'],
    ['/set', 'Unknown endpoint: GET /api/v1/set. See /docs/endpoints for all endpoints.'],
    ['/brickfolios', 'Unknown endpoint: GET /api/v1/brickfolios. Did you mean `/api/v1/brickfolio`?'],
    [
      '/set/90001/histroy',
      'Unknown endpoint: GET /api/v1/set/90001/histroy. Did you mean `/api/v1/set/{number}/history`?',
    ],
    ['/catalog/batch', 'GET is not supported for /api/v1/catalog/batch. Use POST.'],
    ['/users', 'Unknown endpoint: GET /api/v1/users. See /docs/endpoints for all endpoints.'],
    ['/set/1', 'No set found with number 1. Use `GET /catalog/sets/search?q=…` to search by name.'],
    ['/set/1/history', 'No set found with number 1. Use `GET /catalog/sets/search?q=…` to search by name.'],
    ['/minifig/x', 'No minifig found with number x. Use `GET /catalog/minifigs/search?q=…` to search by name.'],
    ['/brickfolio/entries?brickfolio_id=9', 'Collection 9 not found. Use `GET /brickfolio` to list your collections.'],
  ])('%s', async (path, message) => {
    const response = await api.get(path, resellerAccount)
    expect([response.status, response.error.message]).toEqual([404, message])
  })
})

test('429: reports cost, usage and when the quota resets', async () => {
  const limited = await api.createAccount({ limit: 3 })
  await api.get('/catalog/themes', limited)
  const response = await api.post('/catalog/batch', limited, { sets: ['1', '2', '3'] })
  const { 'x-ratelimit-reset': reset, 'retry-after': retryAfter } = response.headers
  const minutes = Math.ceil(Number(retryAfter) / 60)
  const wait = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  expect(response.error.message).toBe(
    `Daily quota exceeded. This request costs 3 credits, but this API key has 2 of 3 credits remaining. Your quota resets at ${reset} (in ${wait}). See the Usage page in your account for details.`,
  )
})

test('404: a path without /api/v1 says where it is', async () => {
  const response = await fetch(`${api.origin}/set/90001-1`)
  expect(response.status).toBe(404)
  expect(await response.text()).toContain('Unknown endpoint: GET /set/90001-1. Did you mean `/api/v1/set/90001-1`?')
})
