import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { FeedRejectedError } from './feed-rejected-error.ts'

/** Gzip of real rows reaches about 10:1; a bomb of zeros 1,030:1. Small files may be as repetitive as they like. */
const MAX_GZIP_RATIO = 200
const ZIP_BOMB_MIN_BYTES = 64 * 1024 * 1024
const MEGABYTE = 1024 * 1024

/** The bytes of a file, unpacked if its first two bytes are those of gzip; the name of the file is not asked. */
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
    const whole = prepend(start, chunks)
    yield* start[0] === 0x1f && start[1] === 0x8b ? gunzipStream(whole) : whole
  } finally {
    // A consumer that stops early must not leave the file open.
    await chunks.return(undefined)
  }
}

async function* gunzipStream(packed: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 256 * 1024 })
  // An error of either stream destroys `gunzip` with it, so the loop below sees it: nothing is left for the callback.
  pipeline(Readable.from(packed), gunzip, () => {})
  let bytesOut = 0
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      bytesOut += chunk.length
      if (bytesOut > ZIP_BOMB_MIN_BYTES && bytesOut > MAX_GZIP_RATIO * gunzip.bytesWritten) throw zipBombError(bytesOut)
      yield chunk
    }
  } catch (error) {
    throw isZlibError(error) ? new FeedRejectedError(`the gzip data is damaged or cut off (${error.message})`) : error
  }
}

function zipBombError(bytes: number): FeedRejectedError {
  const size = Math.round(bytes / MEGABYTE)
  return new FeedRejectedError(
    `it unpacks to more than ${MAX_GZIP_RATIO} times its size (${size} MB so far): no honest feed does`,
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
