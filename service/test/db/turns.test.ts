import { expect, test, vi } from 'vitest'
import { DatabaseBusy, Turns } from '../../src/db/turns.ts'

test('accounts take turns, whoever asked for how much', async () => {
  const turns = new Turns(1, 60_000)
  await turns.take(9)
  const order: number[] = []
  const waiting = [1, 1, 1, 2, 3, 3].map((account) => turns.take(account).then(() => order.push(account)))
  for (let n = 0; n < 6; n++) {
    turns.give()
    await Promise.resolve()
  }
  await Promise.all(waiting)
  expect(order).toEqual([1, 2, 3, 1, 3, 1])
})

test('whoever comes new does not go before those who wait, however often they had a turn', async () => {
  const turns = new Turns(1, 60_000)
  await turns.take(1)
  const order: number[] = []
  const ask = (account: number) => void turns.take(account).then(() => order.push(account))
  ask(1)
  for (const newcomer of [2, 3, 4]) {
    ask(newcomer)
    turns.give()
    await new Promise(setImmediate)
  }
  expect(order).toEqual([1, 2, 3])
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
