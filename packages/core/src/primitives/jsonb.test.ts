import { expect, test } from 'vitest'
import { toJsonb } from './jsonb.ts'

test('replaces what jsonb rejects, at any depth, and nothing else', () => {
  const value = { at: new Date(0), texts: ['a\0b', '\ud800', 'brick 🧱', '\udc00x'], none: undefined, count: 1 }
  expect(JSON.parse(toJsonb(value))).toEqual({
    at: '1970-01-01T00:00:00.000Z',
    texts: ['a\ufffdb', '\ufffd', 'brick 🧱', '\ufffdx'],
    count: 1,
  })
  expect(toJsonb(value)).not.toMatch(/\\u0000|\\ud800/i)
})
