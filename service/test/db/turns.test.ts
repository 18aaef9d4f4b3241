import { expect, test, vi } from 'vitest'
import { DatabaseBusy, Turns } from '../../src/db/turns.ts'

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
    turns.give()
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
    turns.give()
    await turns.take(3)
  } finally {
    vi.useRealTimers()
  }
})

test('an account with others of its own before is refused at once when the wait would be long, and no other', async () => {
  let now = 0
  const turns = new Turns(1, 20_000, () => now)
  await turns.take(1)
  const waiting = [2, 3, 2, 3].map((account) => turns.take(account))
  // A connection is free every 30 s.
  for (let n = 0; n < 3; n++) {
    now += 30_000
    turns.give()
  }
  await expect(turns.take(3)).rejects.toBeInstanceOf(DatabaseBusy)
  const newcomer = turns.take(4)
  turns.give()
  turns.give()
  await Promise.all([...waiting, newcomer])
})

test('all who wait can be refused at once, and others wait again', async () => {
  const turns = new Turns(1, 60_000)
  await turns.take(1)
  const refused = [1, 2].map((account) => expect(turns.take(account)).rejects.toBeInstanceOf(DatabaseBusy))
  turns.refuseWaiting()
  await Promise.all(refused)
  const waiting = turns.take(3)
  turns.give()
  await waiting
})

test('the thousand and first in the queue is refused at once', async () => {
  const turns = new Turns(1, 60_000)
  await turns.take(1)
  const waiting = Array.from({ length: 1000 }, (_, n) => turns.take(n))
  await expect(turns.take(5)).rejects.toBeInstanceOf(DatabaseBusy)
  for (let n = 0; n < 1000; n++) turns.give()
  await Promise.all(waiting)
})
