import { describe, expect, test, vi } from 'vitest'
import { DatabaseBusyError, FairQueue } from './fair-queue.ts'

/** Lets these accounts wait for the one connection, a millisecond apart, and says in which order they get it. */
async function orderOf(accounts: number[], { held, waitMs }: { held: number; waitMs: number }): Promise<number[]> {
  let now = 0
  const turns = new FairQueue(1, waitMs, () => now)
  await turns.acquire(held)
  const order: number[] = []
  const waiting = accounts.map((account) => {
    now++
    return turns.acquire(account).then(() => order.push(account))
  })
  for (const _ of accounts) {
    now++
    turns.release(order.at(-1) ?? held)
    await new Promise(setImmediate)
  }
  await Promise.all(waiting)
  return order
}

test('accounts take turns, whoever asked for how much', async () => {
  expect(await orderOf([1, 1, 1, 2, 3, 3], { held: 9, waitMs: 60_000 })).toEqual([1, 2, 3, 1, 1, 3])
})

test('who had no turn for a while goes before those who just had one', async () => {
  expect(await orderOf([1, 1, 1, 7], { held: 1, waitMs: 60_000 })).toEqual([7, 1, 1, 1])
})

test('but not before those who asked so much earlier', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    expect(await orderOf([1, 2, 3, 4, 5, 6, 7], { held: 1, waitMs: 3 })).toEqual([1, 2, 3, 4, 5, 6, 7])
  } finally {
    vi.useRealTimers()
  }
})

test('nobody waits longer than allowed, and whoever gave up is not counted', async () => {
  vi.useFakeTimers()
  try {
    const turns = new FairQueue(1, 250)
    await turns.acquire(1)
    const late = expect(turns.acquire(2)).rejects.toBeInstanceOf(DatabaseBusyError)
    await vi.advanceTimersByTimeAsync(250)
    await late
    turns.release(1)
    await turns.acquire(3)
  } finally {
    vi.useRealTimers()
  }
})

describe('when the wait of those under way would be too long', () => {
  /** Accounts 2 and 3 wait, 1 has the only connection; each takes 3 s of it, and 7 s is too long to wait. */
  async function crowded(): Promise<FairQueue> {
    let now = 0
    const turns = new FairQueue(1, 21_000, () => now)
    await turns.acquire(8)
    const waiting = [9, 1, 2, 3].map((account) => turns.acquire(account))
    for (const account of [8, 9]) {
      now += 30_000
      turns.release(account)
    }
    for (const one of waiting) one.catch(() => {})
    return turns
  }

  test.each([
    [1, 'has one'],
    [2, 'waits for one'],
  ])('account %i, which %s, is refused at once', async (account) => {
    const turns = await crowded()
    expect(turns.wouldReject(account)).toBe(true)
    await expect(turns.acquire(account)).rejects.toBeInstanceOf(DatabaseBusyError)
  })

  test('another may wait', async () => {
    const turns = await crowded()
    expect(turns.wouldReject(4)).toBe(false)
    const newcomer = turns.acquire(4)
    for (const account of [1, 2, 3]) turns.release(account)
    await newcomer
  })

  test('and so may the first again when it has done with its own', async () => {
    const turns = await crowded()
    turns.release(1)
    expect(turns.wouldReject(1)).toBe(false)
  })
})

test('all who wait can be refused at once, and others wait again', async () => {
  const turns = new FairQueue(1, 60_000)
  await turns.acquire(1)
  const refused = [1, 2].map((account) => expect(turns.acquire(account)).rejects.toBeInstanceOf(DatabaseBusyError))
  turns.rejectQueued()
  await Promise.all(refused)
  const waiting = turns.acquire(3)
  turns.release(1)
  await waiting
  turns.release(3)
  expect(turns.wouldReject(3)).toBe(false)
})

test('the thousand and first in the queue is refused at once', async () => {
  const turns = new FairQueue(1, 60_000)
  await turns.acquire(1)
  const waiting = Array.from({ length: 1000 }, (_, n) => turns.acquire(n))
  await expect(turns.acquire(5)).rejects.toBeInstanceOf(DatabaseBusyError)
  for (const account of [1, ...Array(999).keys()]) turns.release(account)
  await Promise.all(waiting)
})
