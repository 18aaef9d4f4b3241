import { describe, expect, test, vi } from 'vitest'
import { DatabaseBusy, Turns } from './fair-queue.ts'

/** Lets these accounts wait for the one connection, a millisecond apart, and says in which order they get it. */
async function orderOf(accounts: number[], { held, waitMs }: { held: number; waitMs: number }): Promise<number[]> {
  let now = 0
  const turns = new Turns(1, waitMs, () => now)
  await turns.take(held)
  const order: number[] = []
  const waiting = accounts.map((account) => {
    now++
    return turns.take(account).then(() => order.push(account))
  })
  for (const _ of accounts) {
    now++
    turns.give(order.at(-1) ?? held)
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
    const turns = new Turns(1, 250)
    await turns.take(1)
    const late = expect(turns.take(2)).rejects.toBeInstanceOf(DatabaseBusy)
    await vi.advanceTimersByTimeAsync(250)
    await late
    turns.give(1)
    await turns.take(3)
  } finally {
    vi.useRealTimers()
  }
})

describe('when the wait of those under way would be too long', () => {
  /** Accounts 2 and 3 wait, 1 has the only connection; each takes 3 s of it, and 7 s is too long to wait. */
  async function crowded(): Promise<Turns> {
    let now = 0
    const turns = new Turns(1, 21_000, () => now)
    await turns.take(8)
    const waiting = [9, 1, 2, 3].map((account) => turns.take(account))
    for (const account of [8, 9]) {
      now += 30_000
      turns.give(account)
    }
    for (const one of waiting) one.catch(() => {})
    return turns
  }

  test.each([
    [1, 'has one'],
    [2, 'waits for one'],
  ])('account %i, which %s, is refused at once', async (account) => {
    const turns = await crowded()
    expect(turns.wouldRefuse(account)).toBe(true)
    await expect(turns.take(account)).rejects.toBeInstanceOf(DatabaseBusy)
  })

  test('another may wait', async () => {
    const turns = await crowded()
    expect(turns.wouldRefuse(4)).toBe(false)
    const newcomer = turns.take(4)
    for (const account of [1, 2, 3]) turns.give(account)
    await newcomer
  })

  test('and so may the first again when it has done with its own', async () => {
    const turns = await crowded()
    turns.give(1)
    expect(turns.wouldRefuse(1)).toBe(false)
  })
})

test('all who wait can be refused at once, and others wait again', async () => {
  const turns = new Turns(1, 60_000)
  await turns.take(1)
  const refused = [1, 2].map((account) => expect(turns.take(account)).rejects.toBeInstanceOf(DatabaseBusy))
  turns.refuseWaiting()
  await Promise.all(refused)
  const waiting = turns.take(3)
  turns.give(1)
  await waiting
  turns.give(3)
  expect(turns.wouldRefuse(3)).toBe(false)
})

test('the thousand and first in the queue is refused at once', async () => {
  const turns = new Turns(1, 60_000)
  await turns.take(1)
  const waiting = Array.from({ length: 1000 }, (_, n) => turns.take(n))
  await expect(turns.take(5)).rejects.toBeInstanceOf(DatabaseBusy)
  for (const account of [1, ...Array(999).keys()]) turns.give(account)
  await Promise.all(waiting)
})
