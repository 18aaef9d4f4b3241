import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { UsageRecorder, type CompletedRequest } from '../../admission/usage-recorder.ts'
import { openPool, readAs } from '@brickmark/core/db/database'
import { findApiKeys } from '@brickmark/core/account/api-key-queries'
import { findUsage } from '@brickmark/core/account/usage-queries'
import { revokeApiKey } from '@brickmark/core/account/api-key-commands'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { asRole } from '@brickmark/tests/support/database'
import { addSet } from '@brickmark/tests/support/fixtures'

/** What an account sees of its own requests: the last one per key, and the counts by status. */

const log = pino({ level: 'silent' })
let api: TestApi

beforeAll(async () => {
  api = await startTestApi((db) => addSet(db, { set_number: '90001-1' }))
})
afterAll(() => api.stop())

const keyOf = async (accountId: number) => (await readAs(api.db, accountId, (tx) => findApiKeys(tx, accountId)))[0]!
const usageOf = (accountId: number) => readAs(api.db, accountId, (tx) => findUsage(tx, accountId, 30))

async function until<T>(read: () => Promise<T>, matches: (found: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 400; tries++) {
    const found = await read()
    if (matches(found)) return found
    await sleep(50)
  }
  throw new Error('Condition not met within 20 s.')
}

test('stores the last request, its full error and the counts by status within seconds', async () => {
  const account = await api.createAccount()
  const { accountId, key } = account
  expect(await keyOf(accountId)).toMatchObject({ last_request_at: null, request_id: null, used_today: 0 })
  const response = await api.get('/set/90001-1', key, { headers: { 'user-agent': 'test/1.0' } })
  const seen = await until(
    () => keyOf(accountId),
    (found) => found.last_request_at !== null,
  )
  expect(seen).toMatchObject({
    request_id: response.headers['x-request-id'],
    request: 'GET /api/v1/set/90001-1',
    status: 200,
    error_code: null,
    client: 'test/1.0',
    used_today: 1,
    daily_limit: 1000,
  })
  await api.get('/set/90001-1', key)
  const missing = await api.get('/set/1-1', key)
  const bad = await api.get('/set/90001-1?bogus=1', key)
  expect([missing.status, bad.status]).toEqual([404, 400])
  const failed = await until(
    () => keyOf(accountId),
    (found) => found.status === 400,
  )
  expect(failed).toMatchObject({ error_code: 'BadRequest', error_message: bad.error.message, used_today: 3 })
  expect(await usageOf(accountId)).toMatchObject([{ units: 3, requests: { 200: 2, 400: 1, 404: 1 } }])

  await revokeApiKey(api.db, { accountId, keyId: account.keyId, actor: 'test' })
  const rejected = await api.get('/set/90001-1', key)
  const last = await until(
    () => keyOf(accountId),
    (found) => found.status === 401,
  )
  expect(last).toMatchObject({ error_code: 'InvalidApiKey', error_message: rejected.error.message, state: 'revoked' })
})

test('redacts keys that were sent in the URL', async () => {
  const { accountId, key } = await api.createAccount()
  await api.get(`/set/90001-1?api_key=${key}&${key}=1`, key, { headers: { 'user-agent': `script ${key}` } })
  const seen = await until(
    () => keyOf(accountId),
    (found) => found.last_request_at !== null,
  )
  expect(JSON.stringify(seen)).not.toContain(key.slice(0, 15))
  expect(seen.request).toBe('GET /api/v1/set/90001-1?api_key=…&bmk_live_…=1')
})

test.each([
  ['NUL in the query', '/api/v1/set/90001-1?%00=1', undefined],
  ['NUL in the body', '/api/v1/catalog/batch', '{"\\u0000":1}'],
  ['half of a character', '/api/v1/catalog/batch', '{"\\ud800":1}'],
])('a request with %s is recorded like those of others at the same time', async (_, path, body) => {
  const [odd, other] = [await api.createAccount(), await api.createAccount()]
  const response = await fetch(api.origin + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${odd.key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  })
  expect([response.status, typeof (await response.text())]).toEqual([400, 'string'])
  await api.get('/set/90001-1', other)
  for (const [{ accountId }, status] of [
    [odd, 400],
    [other, 200],
  ] as const)
    await until(
      () => keyOf(accountId),
      (found) => found.status === status,
    )
})

test('an entry that can’t be saved doesn’t take others with it', async () => {
  const [bad, good] = [await api.createAccount(), await api.createAccount()]
  const pool = openPool(asRole(api.databaseUrl, 'brickmark_api'), { size: 1 })
  const recorder = new UsageRecorder(pool, log)
  const request = { endpoint: '/', method: 'GET', url: '/', status: 200, error: undefined, client: undefined }
  recorder.record(bad, { ...request, requestId: 'not a uuid' })
  recorder.record(good, { ...request, requestId: '00000000-0000-4000-8000-000000000000' })
  await recorder.close()
  expect(await usageOf(good.accountId)).toMatchObject([{ requests: { 200: 1 } }])
  expect(await usageOf(bad.accountId)).toEqual([])
  await pool.end()
})

test('adds up the counts of two nodes, keeps the later request and skips unknown keys', async () => {
  const { accountId, keyId } = await api.createAccount()
  const { accountId: otherId, keyId: otherKeyId } = await api.createAccount()
  const pool = openPool(asRole(api.databaseUrl, 'brickmark_api'), { size: 2 })
  const [first, second] = [new UsageRecorder(pool, log), new UsageRecorder(pool, log)]
  const completed = (url: string, status = 200): CompletedRequest => ({
    requestId: '00000000-0000-4000-8000-000000000000',
    endpoint: url,
    method: 'GET',
    url,
    status,
    error: undefined,
    client: undefined,
  })
  for (let n = 0; n < 100; n++) {
    first.record({ accountId, keyId }, completed('/one', n % 2 === 0 ? 200 : 404))
    first.record({ accountId: otherId, keyId: otherKeyId }, completed('/other'))
  }
  first.record({ accountId: 999_999, keyId: 999_999 }, completed('/nobody'))
  await sleep(5)
  for (let n = 0; n < 50; n++) second.record({ accountId, keyId }, completed('/two'))
  // The node with the earlier requests flushes last.
  await second.close()
  await first.close()
  expect(await usageOf(accountId)).toMatchObject([{ units: 0, requests: { 200: 100, 404: 50 } }])
  expect(await usageOf(otherId)).toMatchObject([{ requests: { 200: 100 } }])
  expect(await keyOf(accountId)).toMatchObject({ request: 'GET /two' })
  await pool.end()
})

test('drops entries without blocking when the database is unreachable', async () => {
  const unreachable = openPool(inject('serverUrl').replace(/:\d+\//, ':1/'))
  const recorder = new UsageRecorder(unreachable, log)
  const request = {
    requestId: '',
    endpoint: '/',
    method: 'GET',
    url: '/',
    status: 200,
    error: undefined,
    client: undefined,
  }
  recorder.record({ accountId: 1, keyId: 1 }, request)
  await recorder.close()
  await unreachable.end()
})
