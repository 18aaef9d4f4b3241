import { Agent, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { seedForRequests } from '@brickmark/tests/support/valid-requests'

/** A whole day's requests of one key at once, as `Promise.all` over a list of sets sends them. */

let api: TestApi
beforeAll(async () => {
  api = await startTestApi(seedForRequests)
})
afterAll(() => api.stop())

// Again after a stall of the machine, during which the service rightly rejects requests.
test('1,000 requests at once on one key are all served, in order of arrival', { retry: 2 }, async () => {
  const account = await api.createAccount()
  const agent = new Agent({ keepAlive: true })
  const remaining: number[] = []
  const send = () =>
    new Promise<number>((resolve, reject) => {
      const sent = request(`${api.origin}/api/v1/set/90001-1`, {
        agent,
        headers: { authorization: `Bearer ${account.key}` },
      })
      sent.on('response', (response) => {
        response.resume()
        remaining.push(Number(response.headers['x-ratelimit-remaining']))
        response.on('end', () => resolve(response.statusCode ?? 0))
      })
      sent.on('error', reject)
      sent.end()
    })
  const start = performance.now()
  const statuses = await Promise.all(Array.from({ length: 1000 }, () => send()))
  console.log(`1,000 requests at once: ${(performance.now() - start).toFixed(0)} ms`)
  agent.destroy()
  const counts = Object.entries(Object.groupBy(statuses, (status) => status)).map(([status, all]) => [
    status,
    all!.length,
  ])
  expect(counts).toEqual([['200', 1000]])
  expect(await api.creditsUsed(account)).toBe(1000)
  // Responses come in the order of their charges, up to the ten that run at a time.
  const displaced = remaining.filter((left, index) => Math.abs(999 - index - left) > 20)
  expect(displaced).toEqual([])
})
