import { Readable } from 'node:stream'
import { type FeedOptions, FeedRejectedError, parseFeed } from '@brickmark/core/source/feeds/feed'
import type { FeedName, ParsedRow } from '@brickmark/core/source/feeds/feed-rows'

export const NOW = new Date('2026-06-01T12:00:00Z')

export type FeedResult = {
  good: object[]
  bad: { row_number: number; reason: string; raw: string }[]
  rejected?: string
}

/** Reads a whole file in chunks of a given size. Errors other than FeedRejectedError propagate and fail the test. */
export async function readFeed(
  feed: FeedName,
  bytes: Buffer,
  { chunk = 65_536, ...options }: FeedOptions & { chunk?: number } = {},
): Promise<FeedResult> {
  const result: FeedResult = { good: [], bad: [] }
  try {
    for await (const batch of parseFeed(feed, inChunks(bytes, chunk), { now: NOW, ...options })) {
      for (const row of batch as ParsedRow<object>[]) {
        if ('row' in row) result.good.push(row.row)
        else result.bad.push(row)
      }
    }
  } catch (error) {
    if (!(error instanceof FeedRejectedError)) throw error
    result.rejected = error.message
  }
  return result
}

function inChunks(bytes: Buffer, size: number): Readable {
  const count = Math.ceil(bytes.length / size)
  return Readable.from(
    Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size)),
    { objectMode: true },
  )
}
