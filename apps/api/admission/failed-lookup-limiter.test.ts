import { expect, test } from 'vitest'
import { FailedLookupLimiter } from './failed-lookup-limiter.ts'

test('50 misses, then one a second; each address has its own', () => {
  let now = 0
  const budget = new FailedLookupLimiter(() => now)
  const spend = (count: number) => {
    for (let miss = 0; miss < count; miss++) budget.recordFailure('a')
  }
  spend(49)
  expect(budget.isExhausted('a')).toBe(false)
  spend(1)
  expect([budget.isExhausted('a'), budget.isExhausted('b')]).toEqual([true, false])
  now = 1000
  expect(budget.isExhausted('a')).toBe(false)
  spend(1)
  expect(budget.isExhausted('a')).toBe(true)
  now = 11_000
  spend(9)
  expect(budget.isExhausted('a')).toBe(false)
  spend(1)
  expect(budget.isExhausted('a')).toBe(true)
  now = 3_600_000
  spend(49)
  expect(budget.isExhausted('a')).toBe(false)
  spend(1)
  expect(budget.isExhausted('a')).toBe(true)
})

test('many misses at once cost no more than all of it', () => {
  let now = 0
  const budget = new FailedLookupLimiter(() => now)
  for (let miss = 0; miss < 500; miss++) budget.recordFailure('a')
  expect(budget.isExhausted('a')).toBe(true)
  now = 1000
  expect(budget.isExhausted('a')).toBe(false)
})

test('it remembers 10,000 addresses, the last ones to miss', () => {
  const budget = new FailedLookupLimiter(() => 0)
  for (let miss = 0; miss < 50; miss++) for (const address of ['old', 'busy']) budget.recordFailure(address)
  for (let other = 0; other < 9998; other++) budget.recordFailure(`other ${other}`)
  budget.recordFailure('busy')
  expect([budget.isExhausted('old'), budget.isExhausted('busy')]).toEqual([true, true])
  budget.recordFailure('one more')
  expect([budget.isExhausted('old'), budget.isExhausted('busy')]).toEqual([false, true])
})
