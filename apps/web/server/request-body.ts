import type { IncomingMessage } from 'node:http'
import { MAX_FILE_MB } from '@brickmark/core/portfolio/lot-import/format'

const MAX_FORM_BYTES = 64 * 1024
/** A file comes within a form. */
const MAX_UPLOAD_BYTES = MAX_FILE_MB * 1024 * 1024 + MAX_FORM_BYTES
/** So many times the limit is read on and thrown away: a browser looks at no answer before it has sent everything. */
const DRAIN_FACTOR = 20

function isUpload(path: string): boolean {
  return /^(\/sales)?\/import(\/|\.data|$)/.test(path)
}

/** Bytes a request may bring: a form is small, an import is a file. */
export function bodyLimit(path: string): number {
  return isUpload(path) ? MAX_UPLOAD_BYTES : MAX_FORM_BYTES
}

/** What is told to somebody who sends more. */
export function bodyTooLargeMessage(path: string): string {
  return isUpload(path)
    ? `The file is larger than ${MAX_FILE_MB} MB, the most we take at once. Go back and split it into parts.`
    : 'That is more than we take at once.'
}

/** The whole body, kept only as far as the limit. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined | 'too large'> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  if (Number(request.headers['content-length'] ?? 0) > DRAIN_FACTOR * limit) return 'too large'
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > DRAIN_FACTOR * limit) return 'too large'
    if (size <= limit) chunks.push(chunk)
  }
  return size > limit ? 'too large' : Buffer.concat(chunks)
}
