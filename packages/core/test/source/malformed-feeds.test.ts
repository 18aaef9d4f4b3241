import { describe, expect, test } from 'vitest'
import { malformedFiles } from '@brickmark/tests/support/malformed-feeds'
import { readFeed } from './read-feed.ts'

describe('malformed files', () => {
  test('covers at least 60 kinds with unique names', () => {
    expect(malformedFiles.length).toBeGreaterThanOrEqual(60)
    expect(new Set(malformedFiles.map(({ name }) => name)).size).toBe(malformedFiles.length)
  })

  test.each(malformedFiles)('$name', async ({ feed, bytes, outcome }) => {
    const result = await readFeed(feed, bytes())
    if (outcome === 'refused') return expect(result.rejected).toMatch(/^The \w+ file was rejected: .{5,}\.$/)
    expect(result.rejected).toBeUndefined()
    expect({ good: result.good.length, bad: result.bad.length }, JSON.stringify(result.bad)).toEqual(outcome)
    for (const { row_number, reason, raw } of result.bad) {
      expect(row_number).toBeGreaterThan(0)
      expect(reason).toMatch(/^[\x20-\x7e…\ufffd\uff00-\uffff]{10,}$/)
      expect(raw).not.toContain('\0')
    }
  })

  test.each(malformedFiles.filter(({ name }) => !/bomb|MB/.test(name)))('$name, in small chunks', async (file) => {
    const bytes = file.bytes()
    const size = bytes.length > 10_000 ? 1009 : 7
    expect(await readFeed(file.feed, bytes, { chunk: size })).toEqual(await readFeed(file.feed, bytes))
  })
})
