import { expect, test } from 'vitest'
import { memoizeJson } from './preserialized-json.ts'

const evening = new Date('2026-06-27T23:59:59.999Z')
const midnight = new Date('2026-06-28T00:00:00.000Z')

function countCalls() {
  let times = 0
  const toJson = memoizeJson((record: { n: number }, now) => ({ n: record.n, at: now.toISOString(), times: ++times }))
  return { toJson, times: () => times }
}

test('serializes a record once per UTC day', () => {
  const { toJson, times } = countCalls()
  const record = { n: 1 }
  expect(toJson(record, evening)).toBe('{"n":1,"at":"2026-06-27T23:59:59.999Z","times":1}')
  expect(toJson(record, new Date(evening.getTime() - 3_600_000))).toBe(toJson(record, evening))
  expect(times()).toBe(1)
})

test('serializes a record again on the next UTC day, because a set may retire overnight', () => {
  const { toJson, times } = countCalls()
  const record = { n: 1 }
  toJson(record, evening)
  expect(toJson(record, midnight)).toContain('2026-06-28')
  expect(times()).toBe(2)
})

test('serializes a record that replaces another', () => {
  const { toJson } = countCalls()
  toJson({ n: 1 }, evening)
  expect(toJson({ n: 2 }, evening)).toContain('"n":2')
})
