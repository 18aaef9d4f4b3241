import { expect, test } from 'vitest'
import { FailedLookupLimiter } from './failed-lookup-limiter.ts'

function takeMany(limiter: FailedLookupLimiter, network: string, count: number): number {
  return Array.from({ length: count }, () => limiter.take(network)).filter(Boolean).length
}

test('allows 50 attempts per network, then one per second', () => {
  let now = 0
  const limiter = new FailedLookupLimiter(() => now)
  expect(takeMany(limiter, 'a', 200)).toBe(50)
  expect(takeMany(limiter, 'b', 1)).toBe(1)
  now = 1000
  expect(takeMany(limiter, 'a', 200)).toBe(1)
  now = 11_000
  expect(takeMany(limiter, 'a', 200)).toBe(10)
  now = 3_600_000
  expect(takeMany(limiter, 'a', 200)).toBe(50)
})

test('an attempt that found a key is given back', () => {
  const limiter = new FailedLookupLimiter(() => 0)
  for (let found = 0; found < 200; found++) {
    expect(limiter.take('a')).toBe(true)
    limiter.refund('a')
  }
  expect(takeMany(limiter, 'a', 200)).toBe(50)
})

test('allows 5,000 attempts in total, then 1,000 per second', () => {
  let now = 0
  const limiter = new FailedLookupLimiter(() => now)
  const takeEverywhere = () => {
    let taken = 0
    for (let network = 0; network < 400; network++) taken += takeMany(limiter, `network ${network}`, 50)
    return taken
  }
  expect(takeEverywhere()).toBe(5000)
  now = 1000
  expect(takeEverywhere()).toBe(1000)
})

test('keeps the 10,000 networks that failed most recently', () => {
  let now = 0
  const limiter = new FailedLookupLimiter(() => now)
  takeMany(limiter, 'old', 50)
  takeMany(limiter, 'busy', 49)
  for (let other = 0; other < 9998; other++) {
    now += 1
    takeMany(limiter, `other ${other}`, 1)
  }
  expect(takeMany(limiter, 'busy', 50)).toBe(10)
  takeMany(limiter, 'one more', 1)
  expect(takeMany(limiter, 'old', 60)).toBe(50)
  expect(takeMany(limiter, 'busy', 50)).toBe(0)
})
