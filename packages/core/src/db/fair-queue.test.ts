import { describe, expect, test, vi } from 'vitest'
import { DatabaseBusyError, FairQueue } from './fair-queue.ts'

/** Queues these accounts for the only connection, 1 ms apart, and returns the order in which they get it. */
async function orderOf(accounts: number[], { held, waitMs }: { held: number; waitMs: number }): Promise<number[]> {
  let now = 0
  const queue = new FairQueue(1, waitMs, () => now)
  await queue.acquire(held)
  const order: number[] = []
  const waiting = accounts.map((account) => {
    now++
    return queue.acquire(account).then(() => order.push(account))
  })
  for (const _ of accounts) {
    now++
    queue.release(order.at(-1) ?? held)
    await new Promise(setImmediate)
  }
  await Promise.all(waiting)
  return order
}

test('interleaves accounts regardless of how many requests each has queued', async () => {
  expect(await orderOf([1, 1, 1, 2, 3, 3], { held: 9, waitMs: 60_000 })).toEqual([1, 2, 3, 1, 1, 3])
})

test("serves an account that hasn't been served recently before recently served ones", async () => {
  expect(await orderOf([1, 1, 1, 7], { held: 1, waitMs: 60_000 })).toEqual([7, 1, 1, 1])
})

test('caps that priority, so requests queued much earlier still go first', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    expect(await orderOf([1, 2, 3, 4, 5, 6, 7], { held: 1, waitMs: 3 })).toEqual([1, 2, 3, 4, 5, 6, 7])
  } finally {
    vi.useRealTimers()
  }
})

test('rejects a request after the wait timeout and stops counting it', async () => {
  vi.useFakeTimers()
  try {
    const queue = new FairQueue(1, 250)
    await queue.acquire(1)
    const timedOut = expect(queue.acquire(2)).rejects.toBeInstanceOf(DatabaseBusyError)
    await vi.advanceTimersByTimeAsync(250)
    await timedOut
    queue.release(1)
    await queue.acquire(3)
  } finally {
    vi.useRealTimers()
  }
})

describe('when the expected wait of an account with outstanding requests is too long', () => {
  /**
   * Accounts 2 and 3 wait, 1 holds the only connection; each holds it for 3 s, and an expected wait of 7 s is too long.
   */
  async function overloadedQueue(): Promise<FairQueue> {
    let now = 0
    const queue = new FairQueue(1, 35_000, () => now)
    await queue.acquire(8)
    const waiting = [9, 1, 2, 3].map((account) => queue.acquire(account))
    for (const account of [8, 9]) {
      now += 30_000
      queue.release(account)
    }
    for (const pending of waiting) pending.catch(() => {})
    return queue
  }

  test.each([
    [1, 'holds a connection'],
    [2, 'waits for a connection'],
  ])('rejects account %i, which %s, immediately', async (account) => {
    const queue = await overloadedQueue()
    expect(queue.wouldReject(account)).toBe(true)
    await expect(queue.acquire(account)).rejects.toBeInstanceOf(DatabaseBusyError)
  })

  test('an account without outstanding requests may queue', async () => {
    const queue = await overloadedQueue()
    expect(queue.wouldReject(4)).toBe(false)
    const newcomer = queue.acquire(4)
    for (const account of [1, 2, 3]) queue.release(account)
    await newcomer
  })

  test('requests that have yet to be answered count, even if they no longer need a connection', async () => {
    const queue = await overloadedQueue()
    expect(queue.wouldReject(4, 1)).toBe(true)
  })

  test('an account may have a second request in flight while few others are active', async () => {
    const queue = await overloadedQueue()
    queue.release(1)
    queue.release(2)
    expect(queue.wouldReject(3)).toBe(false)
  })

  test('the first account may queue again once it has released its connection', async () => {
    const queue = await overloadedQueue()
    queue.release(1)
    expect(queue.wouldReject(1)).toBe(false)
  })
})

test('rejectQueued rejects all queued requests; later requests can queue again', async () => {
  const queue = new FairQueue(1, 60_000)
  await queue.acquire(1)
  const rejections = [1, 2].map((account) => expect(queue.acquire(account)).rejects.toBeInstanceOf(DatabaseBusyError))
  queue.rejectQueued()
  await Promise.all(rejections)
  const waiting = queue.acquire(3)
  queue.release(1)
  await waiting
  queue.release(3)
  expect(queue.wouldReject(3)).toBe(false)
})

test('rejects the 1001st queued request immediately', async () => {
  const queue = new FairQueue(1, 60_000)
  await queue.acquire(1)
  const waiting = Array.from({ length: 1000 }, (_, n) => queue.acquire(n))
  await expect(queue.acquire(5)).rejects.toBeInstanceOf(DatabaseBusyError)
  for (const account of [1, ...Array(999).keys()]) queue.release(account)
  await Promise.all(waiting)
})
