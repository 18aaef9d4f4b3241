import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  OverloadedError,
  KeyConcurrencyLimiter,
  ConcurrencyLimitError,
} from '../../admission/key-concurrency-limiter.ts'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { seedForRequests } from '@brickmark/tests/support/valid-requests'

describe('turns of a key', () => {
  test('ten go on at once, the others one by one in the order they came', async () => {
    const turns = new KeyConcurrencyLimiter()
    const order: number[] = []
    for (let n = 0; n < 10; n++) expect(turns.acquire(1, false)).toBeUndefined()
    const waiting = [1, 2, 3].map((n) => turns.acquire(1, false)!.then(() => order.push(n)))
    expect(turns.acquire(2, false)).toBeUndefined()
    expect(turns.inFlight).toBe(11)
    for (let n = 0; n < 3; n++) turns.release(1)
    await Promise.all(waiting)
    expect(order).toEqual([1, 2, 3])
    expect(turns.inFlight).toBe(11)
  })

  test('who waits longer than a second is refused, and leaves its place to the next', async () => {
    vi.useFakeTimers()
    try {
      const turns = new KeyConcurrencyLimiter()
      for (let n = 0; n < 10; n++) void turns.acquire(1, false)
      const late = turns.acquire(1, false)!
      const refused = expect(late).rejects.toBeInstanceOf(ConcurrencyLimitError)
      await vi.advanceTimersByTimeAsync(999)
      const next = turns.acquire(1, false)!
      await vi.advanceTimersByTimeAsync(1)
      await refused
      turns.release(1)
      await next
      for (let n = 0; n < 10; n++) turns.release(1)
      expect(turns.inFlight).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  test('in a crowd a key has one turn, and is refused the next at once', () => {
    const turns = new KeyConcurrencyLimiter()
    expect(turns.acquire(1, true)).toBeUndefined()
    expect(() => turns.acquire(1, true)).toThrow(OverloadedError)
    expect(turns.acquire(2, true)).toBeUndefined()
    turns.release(1)
    expect(turns.acquire(1, true)).toBeUndefined()
  })

  test('the hundred and first is refused at once', async () => {
    const turns = new KeyConcurrencyLimiter()
    const waiting = Array.from({ length: 100 }, async () => turns.acquire(1, false))
    await expect(turns.acquire(1, false)).rejects.toBeInstanceOf(ConcurrencyLimitError)
    for (let n = 0; n < 100; n++) turns.release(1)
    await Promise.all(waiting)
  })
})

describe('in the api', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await startTestApi(seedForRequests)
  })
  afterAll(() => api.stop())

  test('of more than a hundred at once some are told to send fewer, and cost nothing', async () => {
    const account = await api.createAccount()
    expect((await api.get('/catalog/themes', account)).status).toBe(200)
    // Nothing is charged while the counts are locked, so what is under way stays so.
    const locked = await api.db.startTransaction().execute()
    await sql`lock table account.quota_day in exclusive mode`.execute(locked)
    const answers = Array.from({ length: 105 }, () => api.get('/catalog/themes', account))
    const first = await Promise.race(answers)
    await locked.rollback().execute()
    const all = await Promise.all(answers)
    const served = all.filter(({ status }) => status === 200)
    expect(first.status).toBe(503)
    // By the turns of the key, or because the process is late: this test runs in it.
    expect(first.error.message).toMatch(/Send fewer at once|is busy/)
    expect(first.headers['retry-after']).toMatch(/^[1-5]$/)
    const refused = all.filter(({ status }) => status === 503)
    expect(refused.length).toBe(105 - served.length)
    // On a machine so busy that a verdict takes 2 s, one whose charge was under way is refused and may have been charged.
    const late = refused.filter(({ error }) => /is busy/.test(error.message)).length
    const used = (await api.creditsUsed(account)) - 1
    expect(used).toBeGreaterThanOrEqual(served.length)
    expect(used).toBeLessThanOrEqual(served.length + late)
  })
})
