import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueKey, revokeApiKey } from '@brickmark/core/account/api-key-commands'
import { buildKey } from '@brickmark/core/account/api-key'
import { startTestApi, type TestResponse, type TestApi } from '@brickmark/tests/support/api'
import { PEPPER, type TestAccount } from '@brickmark/tests/support/fixtures'
import { seedForRequests, validRequests, type ValidRequest } from '@brickmark/tests/support/valid-requests'

/** What holds for every endpoint alike. Each answer is also held to openapi.json, by the client that asks. */

let api: TestApi
let reseller: TestAccount
let hobby: TestAccount
let revoked: string
let expired: string
const unknown = buildKey(randomBytes(20))

beforeAll(async () => {
  api = await startTestApi(seedForRequests)
  reseller = await api.createAccount()
  hobby = await api.createAccount({ plan: 'hobby' })
  const { accountId } = await api.createAccount()
  const ended = await issueKey(api.db, [PEPPER], { accountId, name: 'ended' })
  await revokeApiKey(api.db, { accountId, keyId: ended.id, actor: 'test' })
  revoked = ended.key
  const past = new Date(Date.now() - 1000)
  expired = (await issueKey(api.db, [PEPPER], { accountId, name: 'past', expiresAt: past })).key
})
afterAll(() => api.stop())

function ask(request: ValidRequest, key?: string | TestAccount, query = ''): Promise<TestResponse> {
  const path = request.path + (query && (request.path.includes('?') ? '&' : '?') + query)
  return request.method === 'POST' ? api.post(path, key, request.body) : api.get(path, key)
}

describe.each(validRequests.map((request) => [`${request.method} ${request.endpoint.path}`, request] as const))(
  '%s',
  (_name, request) => {
    test('200: envelope, headers and one unit charged', async () => {
      const before = await api.creditsUsed(reseller)
      const answer = await ask(request, reseller)
      expect(answer.status).toBe(200)
      expect(Object.keys(JSON.parse(answer.text) as object)).toEqual(['data', 'meta'])
      expect(answer.meta.api_version).toBe('1')
      expect(answer.meta.rate_limit.limit).toBe(1000)
      expect(answer.meta.rate_limit.remaining).toBe(1000 - before - 1)
      expect(answer.meta.rate_limit.reset).toMatch(/T00:00:00\.000Z$/)
      expect(Date.parse(answer.meta.rate_limit.reset) - Date.now()).toBeLessThanOrEqual(86_400_000)
      expect(await api.creditsUsed(reseller)).toBe(before + 1)
    })

    test('400: an unknown parameter, named, costs nothing', async () => {
      const before = await api.creditsUsed(reseller)
      const answer = await ask(request, reseller, 'bogus=1')
      expect(answer.status).toBe(400)
      expect(answer.error.code).toBe('BadRequest')
      expect(answer.error.message).toContain('`bogus`')
      expect(answer.headers['x-ratelimit-remaining']).toBe(String(1000 - before))
      expect(await api.creditsUsed(reseller)).toBe(before)
    })

    test('401: no key', async () => {
      const answer = await ask(request)
      expect([answer.status, answer.error.code]).toEqual([401, 'MissingApiKey'])
    })

    test.each([
      '',
      'x',
      'bmk_live_',
      `${unknown}0`,
      unknown.replace(/..$/, 'zz'),
      `${unknown} `,
      unknown.toUpperCase(),
    ])('401: malformed key %j', async (key) => {
      const answer = await ask(request, key)
      expect([answer.status, answer.error.code]).toEqual([401, 'InvalidApiKey'])
    })

    test('401: unknown, revoked and expired keys answer the same bytes', async () => {
      const answers = await Promise.all([unknown, revoked, expired].map((key) => ask(request, key)))
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      const names = answers.map(({ headers }) => Object.keys(headers).sort().join())
      expect(new Set(names).size).toBe(1)
    })

    test('401 comes before 400: a revoked key learns nothing about parameters', async () => {
      const answer = await ask(request, revoked, 'bogus=1')
      expect([answer.status, answer.error.code]).toEqual([401, 'InvalidApiKey'])
    })

    test('403: an account without the Reseller plan, also for a bad request', async () => {
      for (const query of ['', 'bogus=1']) {
        const answer = await ask(request, hobby, query)
        expect([answer.status, answer.error.code]).toEqual([403, 'TierRequired'])
      }
      expect(await api.creditsUsed(hobby)).toBe(0)
    })

    test('404: another method names the one allowed, and costs nothing', async () => {
      for (const method of ['PUT', 'DELETE', 'PATCH', request.method === 'GET' ? 'POST' : 'GET']) {
        const response = await fetch(`${api.origin}/api/v1${request.path}`, {
          method,
          headers: { authorization: `Bearer ${reseller.key}` },
        })
        expect(response.status).toBe(404)
        expect(response.headers.get('allow')).toBe(request.method)
        expect(response.headers.get('x-ratelimit-limit')).toBe('1000')
      }
    })

    test('429: an exhausted key, with Retry-After until the reset, costs nothing', async () => {
      const poor = await api.createAccount({ limit: 1 })
      expect((await ask(request, poor)).status).toBe(200)
      const answer = await ask(request, poor)
      expect([answer.status, answer.error.code]).toEqual([429, 'QuotaExceeded'])
      const untilReset = (Date.parse(answer.headers['x-ratelimit-reset']!) - Date.now()) / 1000
      expect(Math.abs(Number(answer.headers['retry-after']) - untilReset)).toBeLessThan(5)
      expect(answer.headers['x-ratelimit-remaining']).toBe('0')
      expect(await api.creditsUsed(poor)).toBe(1)
    })

    test('400 comes before 429: a typo is told even when nothing is left', async () => {
      const poor = await api.createAccount({ limit: 1 })
      await ask(request, poor)
      expect((await ask(request, poor, 'bogus=1')).status).toBe(400)
    })
  },
)

describe('paths that do not exist', () => {
  test.each(['', '/', '/sets', '/set', '/set/90001-1/', '/SET/90001-1', '/set/90001-1/x', '//set/90001-1'])(
    '404: %j, and costs nothing',
    async (path) => {
      const before = await api.creditsUsed(reseller)
      const answer = await api.get(path, reseller)
      expect([answer.status, answer.error.code]).toEqual([404, 'NotFound'])
      expect(await api.creditsUsed(reseller)).toBe(before)
    },
  )

  test('401: nobody without a key learns which paths exist', async () => {
    expect((await api.get('/sets')).status).toBe(401)
  })

  test('403 comes before 404', async () => {
    expect((await api.get('/sets', hobby)).status).toBe(403)
  })

  test('404: HEAD and OPTIONS are not served', async () => {
    for (const method of ['HEAD', 'OPTIONS']) {
      const response = await fetch(`${api.origin}/api/v1/set/90001-1`, {
        method,
        headers: { authorization: `Bearer ${reseller.key}` },
      })
      expect(response.status).toBe(404)
    }
  })
})

describe('the key header', () => {
  test.each(['Basic abc', 'Token x', 'bmk_live_x'])('401: %j is no bearer header', async (authorization) => {
    const answer = await api.get('/catalog/themes', undefined, { headers: { authorization } })
    expect(answer.error.code).toBe('MissingApiKey')
  })

  test('200: the scheme may be written in any case', async () => {
    const authorization = `bearer ${reseller.key}`
    expect((await api.get('/catalog/themes', undefined, { headers: { authorization } })).status).toBe(200)
  })
})

// For two paths only: every unknown key is a miss, and an address has fifty of them.
test.each([
  ['another method', '/set/90001-1'],
  ['a broken body', '/catalog/batch'],
])('401: %s does not tell a revoked key from one that never was, in no header', async (_, path) => {
  const ask = (key: string) =>
    fetch(`${api.origin}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: '{',
    })
  const answers = await Promise.all([unknown, revoked, expired].map(ask))
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
  const [never, ...ended] = answers.map(({ headers }) => [...headers.keys(), headers.get('connection')])
  expect(ended).toEqual([never, never])
})
