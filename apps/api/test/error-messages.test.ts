import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildKey } from '@brickmark/core/account/api-key'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import type { TestAccount } from '@brickmark/tests/support/fixtures'
import { seedForRequests } from '@brickmark/tests/support/valid-requests'

/** Error messages: they name the mistake and how to fix it. */

let api: TestApi
let reseller: TestAccount

beforeAll(async () => {
  api = await startTestApi(seedForRequests)
  reseller = await api.createAccount()
})
afterAll(() => api.stop())

describe('400: invalid parameters', () => {
  const ALLOWED = 'Allowed: limit, offset.'
  const KEY_HINT = 'A key goes into the header `Authorization: Bearer <API_KEY>`, never into the address.'
  test.each([
    ['/salesledger?limits=5', `Unknown parameter \`limits\`. Did you mean \`limit\`? ${ALLOWED}`],
    ['/salesledger?page=2', `Unknown parameter \`page\`. Did you mean \`offset\`? ${ALLOWED}`],
    [
      '/salesledger?Limit=5&ofset=2',
      `Unknown parameters \`Limit\`, \`ofset\`. Did you mean \`limit\` and \`offset\`? ${ALLOWED}`,
    ],
    ['/salesledger?bogus=1', `Unknown parameter \`bogus\`. ${ALLOWED}`],
    ['/salesledger?api_key=x', `Unknown parameter \`api_key\`. ${KEY_HINT} ${ALLOWED}`],
    ['/catalog/themes?_=17', 'Unknown parameter `_`. This endpoint takes no parameters.'],
    ['/retail-prices?ean=1', 'Unknown parameter `ean`. Did you mean `upc`? Allowed: set, asin, upc.'],
    ['/salesledger?limit=500', 'The parameter `limit` must be a whole number from 1 to 250, not `500`.'],
    ['/salesledger?limit=-1', 'The parameter `limit` must be a whole number from 1 to 250, not `-1`.'],
    ['/salesledger?limit=', 'The parameter `limit` must be a whole number from 1 to 250.'],
    [`/salesledger?limit=${'9'.repeat(70)}`, 'The parameter `limit` must be a whole number from 1 to 250.'],
    ['/salesledger?limit=1&limit=2', 'The parameter `limit` is given 2 times; give it once.'],
    ['/set/90001/history?condition=new', 'The parameter `condition` must be `sealed` or `used`, not `new`.'],
    ['/brickfolio/analytics?period=7d', 'The parameter `period` must be `30d`, `90d` or `1y`, not `7d`.'],
    [
      '/brickfolio/retail-watch?changed_within=yesterday',
      'The parameter `changed_within` must be digits followed by `m`, `h` or `d`, like `24h`, not `yesterday`.',
    ],
    [
      '/brickfolio/retail-watch?since=2026-06-27',
      'The parameter `since` must be a date and time with a zone, like `2026-06-27T00:00:00Z`, not `2026-06-27`.',
    ],
    [
      '/catalog/sets/search',
      'The parameter `q` is required: a number or words of a name, at least 2 characters, like `q=lighthouse`.',
    ],
    ['/catalog/sets/search?q=a', 'The parameter `q` must have at least 2 characters besides spaces, not `a`.'],
    ['/catalog/sets/search?query=tide', 'Unknown parameter `query`. Did you mean `q`? Allowed: q, limit, offset.'],
    ['/retail-prices', 'Give one of the parameters `set`, `asin` or `upc`.'],
  ])('%s', async (path, message) => {
    const response = await api.get(path, reseller)
    expect([response.status, response.error.message]).toEqual([400, message])
  })
})

describe('400: invalid bodies', () => {
  test.each([
    [{ set: ['1'] }, 'Unknown field `set`. Did you mean `sets`? Allowed: sets, minifigs.'],
    [{ sets: '1' }, 'The field `sets` must be a list of numbers, not `1`.'],
    [{ sets: ['1', 2] }, 'The field `sets` at place 2 must hold only texts, not `2`.'],
    [['1'], 'The body must be a JSON object with `sets`, `minifigs` or both.'],
    [{}, 'The body must name at least one number in `sets` or `minifigs`.'],
    [
      { sets: Array.from({ length: 101 }, (_, index) => `${index}-2`) },
      'The body names 101 different numbers; at most 100 are allowed.',
    ],
  ])('%j', async (body, message) => {
    const response = await api.post('/catalog/batch', reseller, body)
    expect([response.status, response.error.message]).toEqual([400, message])
  })
})

describe('401: missing and invalid keys', () => {
  const EXPECTED_HEADER = '`Authorization: Bearer <API_KEY>`'
  test.each<[Record<string, string>, string]>([
    [{}, `Send your API key in the header ${EXPECTED_HEADER}.`],
    [{ 'x-api-key': 'bmk_live_1' }, `Send your API key in the header ${EXPECTED_HEADER}, not in \`x-api-key\`.`],
    [{ authorization: 'bmk_live_1' }, `The word \`Bearer\` is missing before the key: send ${EXPECTED_HEADER}.`],
    [{ authorization: 'Basic eDp5' }, `The header is \`Authorization: Basic …\`; it must be ${EXPECTED_HEADER}.`],
  ])('%j', async (headers, message) => {
    const response = await api.get('/catalog/themes', undefined, { headers })
    expect([response.error.code, response.error.message]).toEqual(['MissingApiKey', message])
  })

  test('describes the key format with the same message for every key that does not work', async () => {
    const unknown = buildKey(randomBytes(20))
    const keys = [unknown, unknown.slice(0, -1), `${unknown}a`, 'YOUR_KEY', '$BRICKMARK_API_KEY']
    const responses = await Promise.all(keys.map((key) => api.get('/catalog/themes', key)))
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    expect(responses[0]!.error.message).toContain('`bmk_live_` and 48 characters of 0-9 and a-f, 57 in all')
    expect(unknown).toHaveLength(57)
  })
})

describe('404: unknown paths and numbers', () => {
  test.each([
    ['/sets/90001-1', 'There is no GET /api/v1/sets/90001-1. Did you mean `/api/v1/set/{number}`?'],
    ['/set/90001-1/', 'There is no GET /api/v1/set/90001-1/. Did you mean `/api/v1/set/{number}`?'],
    ['/set', 'There is no GET /api/v1/set. Every path is listed at /docs/endpoints.'],
    ['/brickfolios', 'There is no GET /api/v1/brickfolios. Did you mean `/api/v1/brickfolio`?'],
    ['/set/90001/histroy', 'There is no GET /api/v1/set/90001/histroy. Did you mean `/api/v1/set/{number}/history`?'],
    ['/catalog/batch', 'There is no GET /api/v1/catalog/batch: use POST.'],
    ['/users', 'There is no GET /api/v1/users. Every path is listed at /docs/endpoints.'],
    ['/set/1', 'There is no set 1. `GET /catalog/sets/search?q=…` finds numbers by name.'],
    ['/set/1/history', 'There is no set 1. `GET /catalog/sets/search?q=…` finds numbers by name.'],
    ['/minifig/x', 'There is no minifig x. `GET /catalog/minifigs/search?q=…` finds numbers by name.'],
    ['/brickfolio/entries?brickfolio_id=9', 'You have no collection 9. `GET /brickfolio` lists yours.'],
  ])('%s', async (path, message) => {
    const response = await api.get(path, reseller)
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
    `This request costs 3 units, and this key has used 1 of its 3 today: 2 left. The allowance resets at ${reset}, in ${wait}. The Usage page of your account shows where the units went.`,
  )
})

test('404: a path without /api/v1 says where it is', async () => {
  const response = await fetch(`${api.origin}/set/90001-1`)
  expect(response.status).toBe(404)
  expect(await response.text()).toContain('There is no GET /set/90001-1. Did you mean `/api/v1/set/90001-1`?')
})
