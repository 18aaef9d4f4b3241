import { expect, test } from 'vitest'
import { MissBudget } from './failed-lookup-limiter.ts'

test('50 misses, then one a second; each address has its own', () => {
  let now = 0
  const budget = new MissBudget(() => now)
  const spend = (count: number) => {
    for (let miss = 0; miss < count; miss++) budget.spend('a')
  }
  spend(49)
  expect(budget.spent('a')).toBe(false)
  spend(1)
  expect([budget.spent('a'), budget.spent('b')]).toEqual([true, false])
  now = 1000
  expect(budget.spent('a')).toBe(false)
  spend(1)
  expect(budget.spent('a')).toBe(true)
  now = 11_000
  spend(9)
  expect(budget.spent('a')).toBe(false)
  spend(1)
  expect(budget.spent('a')).toBe(true)
  now = 3_600_000
  spend(49)
  expect(budget.spent('a')).toBe(false)
  spend(1)
  expect(budget.spent('a')).toBe(true)
})

test('many misses at once cost no more than all of it', () => {
  let now = 0
  const budget = new MissBudget(() => now)
  for (let miss = 0; miss < 500; miss++) budget.spend('a')
  expect(budget.spent('a')).toBe(true)
  now = 1000
  expect(budget.spent('a')).toBe(false)
})

test('it remembers 10,000 addresses, the last ones to miss', () => {
  const budget = new MissBudget(() => 0)
  for (let miss = 0; miss < 50; miss++) for (const address of ['old', 'busy']) budget.spend(address)
  for (let other = 0; other < 9998; other++) budget.spend(`other ${other}`)
  budget.spend('busy')
  expect([budget.spent('old'), budget.spent('busy')]).toEqual([true, true])
  budget.spend('one more')
  expect([budget.spent('old'), budget.spent('busy')]).toEqual([false, true])
})
