import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { seedForRequests } from '@brickmark/tests/support/valid-requests'

let api: TestApi

beforeAll(async () => {
  api = await startTestApi(seedForRequests)
})
afterAll(() => api.stop())

const scrape = async () => (await fetch(api.metricsUrl)).text()

/** The value of a series; 0 while there is none. */
async function figure(series: string): Promise<number> {
  const line = (await scrape()).split('\n').find((one) => one.startsWith(`${series} `))
  return Number(line?.slice(series.length) ?? 0)
}

test('requests are counted by endpoint and status, with how long they took', async () => {
  const account = await api.createAccount()
  const count = (endpoint: string, status: number) =>
    figure(`brickmark_request_seconds_count{endpoint="${endpoint}",status="${status}"}`)
  const before = await count('/set/{number}', 200)
  for (let n = 0; n < 3; n++) await api.get('/set/90001-1', account)
  await api.get('/set/1', account)
  await api.get('/set/90001-1?no=1', account)
  await api.get('/brickfolio')
  expect(await count('/set/{number}', 200)).toBe(before + 3)
  expect(await count('/set/{number}', 404)).toBe(1)
  expect(await count('/set/{number}', 400)).toBe(1)
  expect(await count('/brickfolio', 401)).toBe(1)
  expect(await figure('brickmark_request_seconds_bucket{le="2",endpoint="/set/{number}",status="404"}')).toBe(1)
})

test('whatever is asked for, there are no more names than endpoints', async () => {
  const account = await api.createAccount()
  for (const path of ['/nothing', '/set', '/set/1/2/3']) await api.get(path, account)
  expect(await figure('brickmark_request_seconds_count{endpoint="unknown",status="404"}')).toBe(3)
})

test('verdicts of admission are counted, and how many calls a statement charges', async () => {
  const verdicts = (kind: string) => figure(`brickmark_admission_seconds_count{verdict="${kind}"}`)
  const account = await api.createAccount({ limit: 2 })
  const before = { admitted: await verdicts('admitted'), calls: await figure('brickmark_admission_batch_calls_sum') }
  await Promise.all(Array.from({ length: 5 }, () => api.get('/set/90001-1', account)))
  expect(await verdicts('admitted')).toBe(before.admitted + 2)
  expect(await verdicts('exhausted')).toBe(3)
  expect(await figure('brickmark_admission_batch_calls_sum')).toBe(before.calls + 5)
})

test('pools, the catalog and node tell how they are', async () => {
  const account = await api.createAccount()
  await api.get('/brickfolio', account)
  expect(await figure('brickmark_catalog_fresh')).toBe(1)
  expect(await figure('brickmark_requests_under_way')).toBe(0)
  expect(await figure('brickmark_pool_connections{pool="read",state="idle"}')).toBeGreaterThan(0)
  const text = await scrape()
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes', 'process_open_fds']) {
    expect(text).toContain(`\n${name} `)
  }
})

test('no key and no account is named, and nothing but /metrics is there', async () => {
  const account = await api.createAccount()
  await api.get('/set/90001-1', account)
  await api.get(`/set/${account.key}`, account)
  expect(await scrape()).not.toContain(account.key.slice(0, 12))
  expect((await fetch(api.metricsUrl.replace('/metrics', '/'))).status).toBe(404)
})
