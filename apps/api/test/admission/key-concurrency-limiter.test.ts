import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  OverloadedError,
  KeyConcurrencyLimiter,
  ConcurrencyLimitError,
} from '../../admission/key-concurrency-limiter.ts'
import { ActiveKey } from '../../admission/active-key.ts'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { seedForRequests } from '@brickmark/tests/support/valid-requests'

const WAIT_MS = 15_000
const keys = new Map<number, ActiveKey>()

describe('KeyConcurrencyLimiter', () => {
  beforeEach(() => keys.clear())

  function key(keyId: number): ActiveKey {
    const known = keys.get(keyId) ?? new ActiveKey({ accountId: 1, keyId })
    keys.set(keyId, known)
    return known
  }

  test('runs 10 requests per key concurrently and queues the rest in FIFO order', async () => {
    const limiter = new KeyConcurrencyLimiter()
    const order: number[] = []
    for (let n = 0; n < 10; n++) expect(limiter.acquire(key(1), false, WAIT_MS)).toBeUndefined()
    const waiting = [1, 2, 3].map((n) => limiter.acquire(key(1), false, WAIT_MS)!.then(() => order.push(n)))
    expect(limiter.acquire(key(2), false, WAIT_MS)).toBeUndefined()
    expect(limiter.inFlight).toBe(11)
    for (let n = 0; n < 3; n++) limiter.release(key(1))
    await Promise.all(waiting)
    expect(order).toEqual([1, 2, 3])
    expect(limiter.inFlight).toBe(11)
  })

  test('rejects a request that waits too long and frees its place', async () => {
    vi.useFakeTimers()
    try {
      const limiter = new KeyConcurrencyLimiter()
      for (let n = 0; n < 10; n++) void limiter.acquire(key(1), false, WAIT_MS)
      const timedOut = limiter.acquire(key(1), false, WAIT_MS)!
      const rejected = expect(timedOut).rejects.toBeInstanceOf(ConcurrencyLimitError)
      await vi.advanceTimersByTimeAsync(WAIT_MS - 1)
      const next = limiter.acquire(key(1), false, WAIT_MS)!
      await vi.advanceTimersByTimeAsync(1)
      await rejected
      limiter.release(key(1))
      await next
      for (let n = 0; n < 10; n++) limiter.release(key(1))
      expect(limiter.inFlight).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  test('limits each key to one request under overload', () => {
    const limiter = new KeyConcurrencyLimiter()
    expect(limiter.acquire(key(1), true, WAIT_MS)).toBeUndefined()
    expect(() => limiter.acquire(key(1), true, WAIT_MS)).toThrow(OverloadedError)
    expect(limiter.acquire(key(2), true, WAIT_MS)).toBeUndefined()
    limiter.release(key(1))
    expect(limiter.acquire(key(1), true, WAIT_MS)).toBeUndefined()
  })

  test('rejects the 1,011th request of a key immediately, and serves the others in order', async () => {
    const limiter = new KeyConcurrencyLimiter()
    const order: number[] = []
    const waiting = Array.from({ length: 1010 }, async (_, n) => {
      await limiter.acquire(key(1), false, WAIT_MS)
      order.push(n)
    })
    await expect(limiter.acquire(key(1), false, WAIT_MS)).rejects.toBeInstanceOf(ConcurrencyLimitError)
    for (let n = 0; n < 1010; n++) limiter.release(key(1))
    await Promise.all(waiting)
    expect(order).toEqual(Array.from({ length: 1010 }, (_, n) => n))
  })

  test('bounds what all keys together have queued, also after requests were served or gave up', async () => {
    vi.useFakeTimers()
    try {
      const limiter = new KeyConcurrencyLimiter()
      const rejected: unknown[] = []
      const fill = (keyIds: number[]) => {
        for (const keyId of keyIds)
          for (let n = 0; n < 1010; n++)
            void limiter.acquire(key(keyId), false, WAIT_MS)?.catch((error: unknown) => rejected.push(error))
      }
      fill([1, 2, 3, 4, 5])
      fill([6])
      await vi.advanceTimersByTimeAsync(0)
      expect(rejected).toHaveLength(1000)
      for (let n = 0; n < 400; n++) limiter.release(key(1))
      await vi.advanceTimersByTimeAsync(WAIT_MS)
      expect(rejected).toHaveLength(1000 + 4600)
      fill([7, 8, 9, 10, 11])
      await vi.advanceTimersByTimeAsync(0)
      expect(rejected).toHaveLength(5600)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('in the API', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await startTestApi(seedForRequests)
  })
  afterAll(() => api.stop())

  test('503: rejects what is beyond 1,010 concurrent requests of a key without charging it', async () => {
    const account = await api.createAccount()
    expect((await api.get('/catalog/themes', account)).status).toBe(200)
    // While the quota table is locked, nothing is charged, so requests in flight stay in flight.
    const locked = await api.db.startTransaction().execute()
    await sql`lock table account.api_key_quota in exclusive mode`.execute(locked)
    const responses = Array.from({ length: 1020 }, () => api.get('/catalog/themes', account))
    const first = await Promise.race(responses)
    await locked.rollback().execute()
    const all = await Promise.all(responses)
    const served = all.filter(({ status }) => status === 200)
    expect(first.status).toBe(503)
    // Either limit may apply: per key, or overload, because this test runs in the same process.
    expect(first.error.message).toMatch(/Too many concurrent requests|temporarily unavailable/)
    expect(first.headers['retry-after']).toMatch(/^[1-5]$/)
    const rejected = all.filter(({ status }) => status === 503)
    // The first request used one of the day's 1,000.
    const exceeded = all.filter(({ status }) => status === 429)
    expect(rejected.length + exceeded.length).toBe(1020 - served.length)
    // If a verdict takes 2 s on a busy machine, a request whose charge was in flight is rejected and may have been
    // charged.
    const overloaded = rejected.filter(({ error }) => /temporarily unavailable/.test(error.message)).length
    const used = (await api.creditsUsed(account)) - 1
    expect(used).toBeGreaterThanOrEqual(served.length)
    expect(used).toBeLessThanOrEqual(served.length + overloaded)
  })
})
