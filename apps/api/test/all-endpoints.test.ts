import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueKey, revokeApiKey } from '@brickmark/core/account/api-key-commands'
import { buildKey } from '@brickmark/core/account/api-key'
import { startTestApi, type TestResponse, type TestApi } from '@brickmark/tests/support/api'
import { PEPPER, type TestAccount } from '@brickmark/tests/support/fixtures'
import { Client } from '@brickmark/tests/support/http-client'
import {
  extensionRequests,
  seedForRequests,
  validRequests,
  type ValidRequest,
} from '@brickmark/tests/support/valid-requests'

/** Behavior common to all endpoints. The test client also validates every response against openapi.json. */

let api: TestApi
let resellerAccount: TestAccount
let hobbyAccount: TestAccount
let revoked: string
let expired: string
const unknown = buildKey(randomBytes(20))

beforeAll(async () => {
  api = await startTestApi(seedForRequests)
  resellerAccount = await api.createAccount()
  hobbyAccount = await api.createAccount({ plan: 'hobby' })
  const { accountId } = await api.createAccount()
  const issued = await issueKey(api.db, [PEPPER], { accountId, name: 'ended' })
  await revokeApiKey(api.db, { accountId, keyId: issued.id, actor: 'test' })
  revoked = issued.key
  const past = new Date(Date.now() - 1000)
  expired = (await issueKey(api.db, [PEPPER], { accountId, name: 'past', expiresAt: past })).key
})
afterAll(() => api.stop())

function send(request: ValidRequest, key?: string | TestAccount, query = ''): Promise<TestResponse> {
  const path = request.path + (query && (request.path.includes('?') ? '&' : '?') + query)
  return request.method === 'POST' ? api.post(path, key, request.body) : api.get(path, key)
}

const requests = [...validRequests, ...extensionRequests]

describe.each(requests.map((request) => [`${request.method} ${request.path}`, request] as const))(
  '%s',
  (_name, request) => {
    test('200: returns the envelope and headers and charges its cost', async () => {
      const before = await api.creditsUsed(resellerAccount)
      const response = await send(request, resellerAccount)
      expect(response.status).toBe(200)
      expect(Object.keys(JSON.parse(response.text) as object)).toEqual(['data', 'meta'])
      expect(response.meta.api_version).toBe('1')
      expect(response.meta.rate_limit.limit).toBe(1000)
      expect(response.meta.rate_limit.remaining).toBe(1000 - before - request.cost)
      expect(response.meta.rate_limit.reset).toMatch(/T00:00:00\.000Z$/)
      expect(Date.parse(response.meta.rate_limit.reset) - Date.now()).toBeLessThanOrEqual(86_400_000)
      expect(await api.creditsUsed(resellerAccount)).toBe(before + request.cost)
    })

    test('400: names an unknown parameter and charges nothing', async () => {
      const before = await api.creditsUsed(resellerAccount)
      const response = await send(request, resellerAccount, 'bogus=1')
      expect(response.status).toBe(400)
      expect(response.error.code).toBe('BadRequest')
      expect(response.error.message).toContain('`bogus`')
      expect(response.headers['x-ratelimit-remaining']).toBe(String(1000 - before))
      expect(await api.creditsUsed(resellerAccount)).toBe(before)
    })

    test('401: rejects a request without a key', async () => {
      const response = await send(request)
      expect([response.status, response.error.code]).toEqual([401, 'MissingApiKey'])
    })

    test.each([
      '',
      'x',
      'bmk_live_',
      `${unknown}0`,
      unknown.replace(/..$/, 'zz'),
      `${unknown} `,
      unknown.toUpperCase(),
    ])('401: rejects the malformed key %j', async (key) => {
      const response = await send(request, key)
      expect([response.status, response.error.code]).toEqual([401, 'InvalidApiKey'])
    })

    test('401: returns identical bytes for unknown, revoked and expired keys', async () => {
      const responses = await Promise.all([unknown, revoked, expired].map((key) => send(request, key)))
      expect(responses.map(({ status }) => status)).toEqual([401, 401, 401])
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
      const names = responses.map(({ headers }) => Object.keys(headers).sort().join())
      expect(new Set(names).size).toBe(1)
    })

    test('401 takes precedence over 400: a revoked key learns nothing about parameters', async () => {
      const response = await send(request, revoked, 'bogus=1')
      expect([response.status, response.error.code]).toEqual([401, 'InvalidApiKey'])
    })

    test('403: rejects an account without the Reseller plan, even for a bad request', async () => {
      for (const query of ['', 'bogus=1']) {
        const response = await send(request, hobbyAccount, query)
        expect([response.status, response.error.code]).toEqual([403, 'TierRequired'])
      }
      expect(await api.creditsUsed(hobbyAccount)).toBe(0)
    })

    test('404: names the allowed method for any other method and charges nothing', async () => {
      for (const method of ['PUT', 'DELETE', 'PATCH', request.method === 'GET' ? 'POST' : 'GET']) {
        const response = await fetch(api.url(request.path), {
          method,
          headers: { authorization: `Bearer ${resellerAccount.key}` },
        })
        expect(response.status).toBe(404)
        expect(response.headers.get('allow')).toBe(request.method)
        expect(response.headers.get('x-ratelimit-limit')).toBe('1000')
      }
    })

    test.skipIf(request.cost === 0)(
      '429: rejects an exhausted key with Retry-After until the reset and charges nothing',
      async () => {
        const limited = await api.createAccount({ limit: 1 })
        expect((await send(request, limited)).status).toBe(200)
        const response = await send(request, limited)
        expect([response.status, response.error.code]).toEqual([429, 'QuotaExceeded'])
        const untilReset = (Date.parse(response.headers['x-ratelimit-reset']!) - Date.now()) / 1000
        expect(Math.abs(Number(response.headers['retry-after']) - untilReset)).toBeLessThan(5)
        expect(response.headers['x-ratelimit-remaining']).toBe('0')
        expect(await api.creditsUsed(limited)).toBe(1)
      },
    )

    test('400 takes precedence over 429: reports a typo even when the quota is exhausted', async () => {
      const limited = await api.createAccount({ limit: 1 })
      await send(request, limited)
      expect((await send(request, limited, 'bogus=1')).status).toBe(400)
    })
  },
)

describe('unknown paths', () => {
  test.each([
    '',
    '/',
    '/api/extensions/v1',
    '/api/extensions/v1/set/90001-1',
    '/sets',
    '/set',
    '/set/90001-1/',
    '/SET/90001-1',
    '/set/90001-1/x',
    '//set/90001-1',
  ])('404: %j does not exist and charges nothing', async (path) => {
    const before = await api.creditsUsed(resellerAccount)
    const response = await api.get(path, resellerAccount)
    expect([response.status, response.error.code]).toEqual([404, 'NotFound'])
    expect(await api.creditsUsed(resellerAccount)).toBe(before)
  })

  test('401: does not reveal which paths exist to a client without a key', async () => {
    expect((await api.get('/sets')).status).toBe(401)
  })

  test('403 takes precedence over 404', async () => {
    expect((await api.get('/sets', hobbyAccount)).status).toBe(403)
  })

  test('404: rejects HEAD and OPTIONS', async () => {
    for (const method of ['HEAD', 'OPTIONS']) {
      const response = await fetch(`${api.origin}/api/v1/set/90001-1`, {
        method,
        headers: { authorization: `Bearer ${resellerAccount.key}` },
      })
      expect(response.status).toBe(404)
    }
  })
})

describe('the Authorization header', () => {
  test.each(['Basic abc', 'Token x', 'bmk_live_x'])('401: %j is not a bearer header', async (authorization) => {
    const response = await api.get('/catalog/themes', undefined, { headers: { authorization } })
    expect(response.error.code).toBe('MissingApiKey')
  })

  test('200: accepts the scheme in any case', async () => {
    const authorization = `bearer ${resellerAccount.key}`
    expect((await api.get('/catalog/themes', undefined, { headers: { authorization } })).status).toBe(200)
  })
})

// Only two paths: every unknown key is a failed lookup, and an address has a limit of 50.
test.each([
  ['another method', '/set/90001-1'],
  ['a broken body', '/catalog/batch'],
])('401: %s returns the same headers for revoked and unknown keys', async (_, path) => {
  const send = (key: string) =>
    fetch(`${api.origin}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: '{',
    })
  const responses = await Promise.all([unknown, revoked, expired].map(send))
  expect(responses.map(({ status }) => status)).toEqual([401, 401, 401])
  const [forUnknown, ...forInactive] = responses.map(({ headers }) => [...headers.keys(), headers.get('connection')])
  expect(forInactive).toEqual([forUnknown, forUnknown])
})

test('403: without the Reseller plan, a body isn’t even read', async () => {
  const hobby = await api.createAccount({ plan: 'hobby' })
  expect((await api.post('/catalog/batch', hobby, { sets: ['1'] })).status).toBe(403)
  expect((await api.post('/catalog/batch', hobby, '{"not": json')).status).toBe(403)
  const client = new Client(Number(new URL(api.origin).port), 1)
  const { response } = await client.request({
    method: 'POST',
    target: '/api/v1/catalog/batch',
    headers: { authorization: `Bearer ${hobby.key}`, 'content-type': 'application/json' },
    body: '{"sets": ["1"]}',
    withholdsBody: true,
  })
  client.close()
  expect(response?.status).toBe(403)
  await api.db.updateTable('account.account').set({ plan: 'reseller' }).where('id', '=', hobby.accountId).execute()
  expect((await api.post('/catalog/batch', hobby, '{"not": json')).status).toBe(400)
  expect((await api.post('/catalog/batch', hobby, { sets: ['1'] })).status).toBe(200)
})
