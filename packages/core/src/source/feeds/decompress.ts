import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { FeedRejectedError } from './feed-rejected-error.ts'

/** Real rows compress about 10:1, a bomb of zeros 1,030:1. Files below the minimum size may compress to any ratio. */
const MAX_GZIP_RATIO = 200
const ZIP_BOMB_MIN_BYTES = 64 * 1024 * 1024
const MEGABYTE = 1024 * 1024

/** Yields the bytes of a file, decompressed if it starts with the gzip magic number. The file name is ignored. */
export async function* decompress(input: Readable): AsyncGenerator<Buffer> {
  const chunks = toBuffers(input)
  const head: Buffer[] = []
  try {
    while (totalLength(head) < 2) {
      const next = await chunks.next()
      if (next.done) break
      head.push(next.value)
    }
    const start = Buffer.concat(head)
    const bytes = prepend(start, chunks)
    yield* start[0] === 0x1f && start[1] === 0x8b ? gunzipStream(bytes) : bytes
  } finally {
    // Close the file even if the consumer stops early.
    await chunks.return(undefined)
  }
}

async function* gunzipStream(compressed: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 256 * 1024 })
  // An error in either stream destroys `gunzip`, so the loop below sees it and the callback has nothing to do.
  pipeline(Readable.from(compressed), gunzip, () => {})
  let bytesOut = 0
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      bytesOut += chunk.length
      if (bytesOut > ZIP_BOMB_MIN_BYTES && bytesOut > MAX_GZIP_RATIO * gunzip.bytesWritten) throw zipBombError(bytesOut)
      yield chunk
    }
  } catch (error) {
    throw isZlibError(error) ? new FeedRejectedError(`the gzip data is corrupt or truncated (${error.message})`) : error
  }
}

function zipBombError(bytes: number): FeedRejectedError {
  const size = Math.round(bytes / MEGABYTE)
  return new FeedRejectedError(
    `it decompresses to more than ${MAX_GZIP_RATIO}× its size (${size} MB so far) and may be a zip bomb`,
  )
}

function isZlibError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

async function* toBuffers(input: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of input as AsyncIterable<Buffer | Uint8Array | string>) {
    if (typeof chunk === 'string') yield Buffer.from(chunk)
    else yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  }
}

async function* prepend(start: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (start.length > 0) yield start
  yield* rest
}

function totalLength(chunks: Buffer[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.length, 0)
}
