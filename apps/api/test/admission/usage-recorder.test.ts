import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { UsageRecorder, type CompletedRequest } from '../../admission/usage-recorder.ts'
import { openPool, readAs } from '@brickmark/core/db/database'
import { findApiKeys } from '@brickmark/core/account/api-key-queries'
import { findUsage } from '@brickmark/core/account/usage-queries'
import { revokeApiKey } from '@brickmark/core/account/api-key-commands'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { asRole } from '@brickmark/tests/support/database'
import { addSet } from '@brickmark/tests/support/fixtures'

/** What an account can see of its own requests: the last one of each key, and how many of each status. */

let api: TestApi

beforeAll(async () => {
  api = await startTestApi((db) => addSet(db, { set_number: '90001-1' }))
})
afterAll(() => api.stop())

const keyOf = async (accountId: number) => (await readAs(api.db, accountId, (tx) => findApiKeys(tx, accountId)))[0]!
const usageOf = (accountId: number) => readAs(api.db, accountId, (tx) => findUsage(tx, accountId, 30))

async function until<T>(look: () => Promise<T>, good: (found: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 100; tries++) {
    const found = await look()
    if (good(found)) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('It did not come within 5 s.')
}

test('the last request, its error in full, and the count by status arrive within seconds', async () => {
  const account = await api.createAccount()
  const { accountId, key } = account
  expect(await keyOf(accountId)).toMatchObject({ last_request_at: null, request_id: null, used_today: 0 })
  const first = await api.get('/set/90001-1', key, { headers: { 'user-agent': 'test/1.0' } })
  const seen = await until(
    () => keyOf(accountId),
    (found) => found.last_request_at !== null,
  )
  expect(seen).toMatchObject({
    request_id: first.headers['x-request-id'],
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
  const refused = await api.get('/set/90001-1', key)
  const last = await until(
    () => keyOf(accountId),
    (found) => found.status === 401,
  )
  expect(last).toMatchObject({ error_code: 'InvalidApiKey', error_message: refused.error.message, state: 'revoked' })
})

test('a key that somebody put into the address is not kept', async () => {
  const { accountId, key } = await api.createAccount()
  await api.get(`/set/90001-1?api_key=${key}&${key}=1`, key, { headers: { 'user-agent': `script ${key}` } })
  const seen = await until(
    () => keyOf(accountId),
    (found) => found.last_request_at !== null,
  )
  expect(JSON.stringify(seen)).not.toContain(key.slice(0, 15))
  expect(seen.request).toBe('GET /api/v1/set/90001-1?api_key=…&bmk_live_…=1')
})

test('two nodes add up, the later request wins, and an unknown key spoils nothing', async () => {
  const { accountId, keyId } = await api.createAccount()
  const { accountId: otherId, keyId: otherKeyId } = await api.createAccount()
  const pool = openPool(asRole(api.databaseUrl, 'brickmark_api'), { size: 2 })
  const [one, two] = [new UsageRecorder(pool), new UsageRecorder(pool)]
  const ended = (url: string, status = 200): CompletedRequest => ({
    requestId: '00000000-0000-4000-8000-000000000000',
    method: 'GET',
    url,
    status,
    error: undefined,
    client: undefined,
  })
  for (let n = 0; n < 100; n++) {
    one.record({ accountId, keyId }, ended('/one', n % 2 === 0 ? 200 : 404))
    one.record({ accountId: otherId, keyId: otherKeyId }, ended('/other'))
  }
  one.record({ accountId: 999_999, keyId: 999_999 }, ended('/nobody'))
  await new Promise((resolve) => setTimeout(resolve, 5))
  for (let n = 0; n < 50; n++) two.record({ accountId, keyId }, ended('/two'))
  // The node with the earlier requests is heard last.
  await two.close()
  await one.close()
  expect(await usageOf(accountId)).toMatchObject([{ units: 0, requests: { 200: 100, 404: 50 } }])
  expect(await usageOf(otherId)).toMatchObject([{ requests: { 200: 100 } }])
  expect(await keyOf(accountId)).toMatchObject({ request: 'GET /two' })
  await pool.end()
})

test('what cannot be told is lost, and nobody is held up', async () => {
  const gone = openPool(inject('serverUrl').replace(/:\d+\//, ':1/'))
  const notes = new UsageRecorder(gone)
  const request = { requestId: '', method: 'GET', url: '/', status: 200, error: undefined, client: undefined }
  notes.record({ accountId: 1, keyId: 1 }, request)
  await notes.close()
  await gone.end()
})
