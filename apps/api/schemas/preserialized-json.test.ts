import { expect, test } from 'vitest'
import { memoizeJson } from './preserialized-json.ts'

const evening = new Date('2026-06-27T23:59:59.999Z')
const midnight = new Date('2026-06-28T00:00:00.000Z')

function counted() {
  let times = 0
  const write = memoizeJson((record: { n: number }, now) => ({ n: record.n, at: now.toISOString(), times: ++times }))
  return { write, times: () => times }
}

test('a record is written once a day', () => {
  const { write, times } = counted()
  const record = { n: 1 }
  expect(write(record, evening)).toBe('{"n":1,"at":"2026-06-27T23:59:59.999Z","times":1}')
  expect(write(record, new Date(evening.getTime() - 3_600_000))).toBe(write(record, evening))
  expect(times()).toBe(1)
})

test('the next UTC day it is written anew: a set may retire overnight', () => {
  const { write, times } = counted()
  const record = { n: 1 }
  write(record, evening)
  expect(write(record, midnight)).toContain('2026-06-28')
  expect(times()).toBe(2)
})

test('what takes the place of a record is written anew', () => {
  const { write } = counted()
  write({ n: 1 }, evening)
  expect(write({ n: 2 }, evening)).toContain('"n":2')
})
