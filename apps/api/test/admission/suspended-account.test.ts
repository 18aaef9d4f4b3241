import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi } from '@brickmark/api/server'
import { setSuspended } from '@brickmark/core/account/account-commands'
import { issueKey, revokeApiKey } from '@brickmark/core/account/api-key-commands'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { asRole } from '@brickmark/tests/support/database'
import { addSet, PEPPER } from '@brickmark/tests/support/fixtures'

/** What the API does with the keys of a suspended account: the same as with revoked ones, until it is restored. */

let api: TestApi
/** Another process would share no more with the first than this does: the database. */
let other: Awaited<ReturnType<typeof startApi>>

beforeAll(async () => {
  api = await startTestApi((db) => addSet(db, { set_number: '90001-1' }))
  other = await startApi(
    {
      databaseUrl: asRole(api.databaseUrl, 'brickmark_api'),
      peppers: [PEPPER],
      host: '127.0.0.1',
      port: 0,
      metricsPort: 0,
      publicUrl: undefined,
      docsUrl: undefined,
    },
    pino({ level: 'silent' }),
  )
  await other.ready
})
afterAll(async () => {
  await other.stop()
  await api.stop()
})

const suspend = ({ accountId }: { accountId: number }) =>
  setSuspended(api.db, { accountId, suspend: true, reason: 'Chargeback' })
const restore = ({ accountId }: { accountId: number }) =>
  setSuspended(api.db, { accountId, suspend: false, reason: 'Settled' })

const send = (baseUrl: string, key: string, path = '/set/90001-1') =>
  fetch(baseUrl + path, { headers: { authorization: `Bearer ${key}` } })
const bodyOf = async (response: Response) => [response.status, await response.json()] as const

test('refuses every key like a revoked one, charges nothing, and restores the same quota', async () => {
  const account = await api.createAccount()
  const second = (await issueKey(api.db, [PEPPER], { accountId: account.accountId, name: 'second' })).key
  const revoked = await api.createAccount()
  for (let request = 0; request < 3; request++) expect((await api.get('/set/90001-1', account)).status).toBe(200)
  expect((await api.get('/set/90001-1', second)).status).toBe(200)
  await revokeApiKey(api.db, { ...revoked, actor: 'operator' })
  const refused = await bodyOf(await send(api.url(''), revoked.key))
  expect(refused).toMatchObject([401, { error: { code: 'InvalidApiKey' } }])

  await suspend(account)
  for (const key of [account.key, second]) {
    for (const path of ['/set/90001-1', '/set/1-1', '/set/90001-1?bogus=1', '/brickfolio', '/catalog/themes']) {
      const expected = await bodyOf(await send(api.url(''), revoked.key, path))
      expect(await bodyOf(await send(api.url(''), key, path)), path).toEqual(expected)
      expect(await bodyOf(await send(other.baseUrl, key, path)), path).toEqual(expected)
      expect(expected[0]).toBe(401)
    }
  }
  expect(await api.creditsUsed(account)).toBe(3)

  await restore(account)
  const { status, meta } = await api.get('/set/90001-1', account)
  expect([status, meta.rate_limit.remaining]).toEqual([200, 996])
  expect((await api.get('/set/90001-1', second)).meta.rate_limit.remaining).toBe(998)
})

test('under load: no request that starts after a suspension succeeds, and none is charged', async () => {
  const account = await api.createAccount()
  for (let round = 0; round < 10; round++) {
    let [stopped, suspendedAt] = [false, Number.POSITIVE_INFINITY]
    const late: number[] = []
    let served = 0
    const client = async (baseUrl: string) => {
      while (!stopped) {
        const startedAt = performance.now()
        const { status } = await send(baseUrl, account.key)
        if (status === 200) served++
        if (startedAt > suspendedAt) late.push(status)
      }
    }
    const before = await api.creditsUsed(account)
    const clients = [api.url(''), other.baseUrl, api.url(''), other.baseUrl].map(client)
    await sleep(100)
    expect(await suspend(account)).toBe('done')
    suspendedAt = performance.now()
    await sleep(50)
    const used = await api.creditsUsed(account)
    await sleep(100)
    stopped = true
    await Promise.all(clients)
    expect(late.length).toBeGreaterThan(0)
    expect(late.filter((status) => status !== 401)).toEqual([])
    expect(await api.creditsUsed(account)).toBe(used)
    expect(used - before).toBe(served)
    expect(await restore(account)).toBe('done')
    expect((await api.get('/set/90001-1', account)).meta.rate_limit.remaining).toBe(1000 - used - 1)
  }
})

test('requests from before and during a suspension are recorded', async () => {
  const account = await api.createAccount()
  const recorded = async () => {
    const rows = await api.db
      .selectFrom('account.api_key_usage')
      .select(['status', 'requests'])
      .where('account_id', '=', account.accountId)
      .orderBy('status')
      .execute()
    return rows.map(({ status, requests }) => [status, requests])
  }
  expect((await api.get('/set/90001-1', account)).status).toBe(200)
  await suspend(account)
  expect((await api.get('/set/90001-1', account)).status).toBe(401)
  await expect.poll(recorded, { timeout: 20_000 }).toEqual([
    [200, 1],
    [401, 1],
  ])
})
