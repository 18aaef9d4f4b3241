import { expect, test } from 'vitest'
import { FailedLookupLimiter } from './failed-lookup-limiter.ts'

test('allows 50 failed lookups per address, then one per second', () => {
  let now = 0
  const limiter = new FailedLookupLimiter(() => now)
  const fail = (count: number) => {
    for (let miss = 0; miss < count; miss++) limiter.recordFailure('a')
  }
  fail(49)
  expect(limiter.isExhausted('a')).toBe(false)
  fail(1)
  expect([limiter.isExhausted('a'), limiter.isExhausted('b')]).toEqual([true, false])
  now = 1000
  expect(limiter.isExhausted('a')).toBe(false)
  fail(1)
  expect(limiter.isExhausted('a')).toBe(true)
  now = 11_000
  fail(9)
  expect(limiter.isExhausted('a')).toBe(false)
  fail(1)
  expect(limiter.isExhausted('a')).toBe(true)
  now = 3_600_000
  fail(49)
  expect(limiter.isExhausted('a')).toBe(false)
  fail(1)
  expect(limiter.isExhausted('a')).toBe(true)
})

test('a burst of failures never exhausts more than the full budget', () => {
  let now = 0
  const limiter = new FailedLookupLimiter(() => now)
  for (let miss = 0; miss < 500; miss++) limiter.recordFailure('a')
  expect(limiter.isExhausted('a')).toBe(true)
  now = 1000
  expect(limiter.isExhausted('a')).toBe(false)
})

test('keeps the 10,000 addresses that failed most recently', () => {
  const limiter = new FailedLookupLimiter(() => 0)
  for (let miss = 0; miss < 50; miss++) for (const address of ['old', 'busy']) limiter.recordFailure(address)
  for (let other = 0; other < 9998; other++) limiter.recordFailure(`other ${other}`)
  limiter.recordFailure('busy')
  expect([limiter.isExhausted('old'), limiter.isExhausted('busy')]).toEqual([true, true])
  limiter.recordFailure('one more')
  expect([limiter.isExhausted('old'), limiter.isExhausted('busy')]).toEqual([false, true])
})
