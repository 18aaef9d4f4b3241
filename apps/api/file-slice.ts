import type { IncomingHttpHeaders } from 'node:http'
import parseRange from 'range-parser'
import { ApiError } from './errors.ts'

const MIB = 1024 * 1024

export type FileInfo = { name: string; type: string; bytes: number; sha256: string }

/** A file, or the part of it that a request asks for. It's sent as it is, without the envelope. */
export class FileSlice {
  readonly status: number
  readonly headers: Record<string, string | number>
  /** The first and the last byte; undefined if the client has the file already. */
  readonly range: { start: number; end: number } | undefined
  readonly read: (start: number, end: number) => AsyncIterable<Uint8Array>

  constructor(
    { name, type, bytes, sha256 }: FileInfo,
    requestHeaders: IncomingHttpHeaders,
    read: (start: number, end: number) => AsyncIterable<Uint8Array>,
  ) {
    const etag = `"${sha256}"`
    this.read = read
    this.headers = { etag, 'accept-ranges': 'bytes', 'cache-control': 'private, no-transform' }
    if (isKnown(requestHeaders, etag)) {
      this.status = 304
      return
    }
    const range = requestedRange(requestHeaders, etag, bytes)
    this.range = range ?? { start: 0, end: bytes - 1 }
    this.status = range ? 206 : 200
    Object.assign(this.headers, {
      'content-type': type,
      'content-length': this.length,
      'content-disposition': `attachment; filename="${name}"`,
      'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
      ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${bytes}` }),
    })
  }

  get length(): number {
    return this.range === undefined ? 0 : this.range.end - this.range.start + 1
  }

  /** One credit per started MiB. */
  get cost(): number {
    return Math.ceil(this.length / MIB)
  }

  chunks(): AsyncIterable<Uint8Array> | Uint8Array[] {
    return this.range === undefined ? [] : this.read(this.range.start, this.range.end)
  }
}

function isKnown({ 'if-none-match': known }: IncomingHttpHeaders, etag: string): boolean {
  return known?.split(',').some((tag) => tag.trim() === etag || tag.trim() === '*') ?? false
}

/** Returns what a `Range` asks for; undefined for the whole file, which is also the answer to several ranges. */
function requestedRange({ range, 'if-range': ifRange }: IncomingHttpHeaders, etag: string, bytes: number) {
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined
  const ranges = parseRange(bytes, range)
  if (ranges === -1) {
    throw new ApiError('BadRequest', `\`Range\` is beyond the end of the file, which has ${bytes} bytes.`, {
      status: 416,
      headers: { 'content-range': `bytes */${bytes}` },
    })
  }
  return ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1 ? undefined : ranges[0]
}
