import { afterAll, beforeAll, expect, test } from 'vitest'
import { findMigrations, MIGRATIONS } from '@brickmark/core/db/migration-queries'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { seedForRequests } from '@brickmark/tests/support/valid-requests'

let api: TestApi

beforeAll(async () => {
  api = await startTestApi(seedForRequests)
})
afterAll(() => api.stop())

const scrape = async () => (await fetch(api.metricsUrl)).text()

/** Returns the value of a series, or 0 if it doesn't exist. */
async function metric(series: string): Promise<number> {
  const line = (await scrape()).split('\n').find((text) => text.startsWith(`${series} `))
  return Number(line?.slice(series.length) ?? 0)
}

test('counts requests and their durations by endpoint and status', async () => {
  const account = await api.createAccount()
  const count = (endpoint: string, status: number) =>
    metric(`brickmark_request_seconds_count{endpoint="${endpoint}",status="${status}"}`)
  const before = await count('/set/{number}', 200)
  for (let n = 0; n < 3; n++) await api.get('/set/90001-1', account)
  await api.get('/set/1', account)
  await api.get('/set/90001-1?no=1', account)
  await api.get('/brickfolio')
  expect(await count('/set/{number}', 200)).toBe(before + 3)
  expect(await count('/set/{number}', 404)).toBe(1)
  expect(await count('/set/{number}', 400)).toBe(1)
  expect(await count('/brickfolio', 401)).toBe(1)
  expect(await metric('brickmark_request_seconds_bucket{le="2",endpoint="/set/{number}",status="404"}')).toBe(1)
})

test('counts all unknown paths under one label', async () => {
  const account = await api.createAccount()
  for (const path of ['/nothing', '/set', '/set/1/2/3']) await api.get(path, account)
  expect(await metric('brickmark_request_seconds_count{endpoint="unknown",status="404"}')).toBe(3)
})

test('counts admission verdicts and the requests per charge statement', async () => {
  const verdicts = (kind: string) => metric(`brickmark_admission_seconds_count{verdict="${kind}"}`)
  const account = await api.createAccount({ limit: 2 })
  const before = { admitted: await verdicts('admitted'), calls: await metric('brickmark_admission_batch_size_sum') }
  await Promise.all(Array.from({ length: 5 }, () => api.get('/set/90001-1', account)))
  expect(await verdicts('admitted')).toBe(before.admitted + 2)
  expect(await verdicts('exhausted')).toBe(3)
  expect(await metric('brickmark_admission_batch_size_sum')).toBe(before.calls + 5)
})

test('publishes metrics of the pools, the catalog and Node', async () => {
  const account = await api.createAccount()
  await api.get('/brickfolio', account)
  expect(await metric('brickmark_catalog_fresh')).toBe(1)
  expect(await metric('brickmark_requests_in_flight')).toBe(0)
  // The connection is returned to the pool just after the response.
  await expect.poll(() => metric('brickmark_pool_connections{pool="read",state="idle"}')).toBeGreaterThan(0)
  const text = await scrape()
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes', 'process_open_fds']) {
    expect(text).toContain(`\n${name}{component="api"} `)
  }
})

test('says which code runs', async () => {
  const [newest] = (await findMigrations(MIGRATIONS)).toSorted().toReversed()
  expect(
    await metric(`brickmark_build_info{component="api",version="unknown",revision="unknown",migration="${newest}"}`),
  ).toBe(1)
})

test('exposes no keys and serves only /metrics', async () => {
  const account = await api.createAccount()
  await api.get('/set/90001-1', account)
  await api.get(`/set/${account.key}`, account)
  expect(await scrape()).not.toContain(account.key.slice(0, 12))
  expect((await fetch(api.metricsUrl.replace('/metrics', '/'))).status).toBe(404)
})
