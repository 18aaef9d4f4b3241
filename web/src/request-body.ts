import type { IncomingMessage } from 'node:http'

const FORM = 64 * 1024
const UPLOAD = 5 * 1024 * 1024

/** Bytes a request may bring: a form is small, an import is a file. */
export function bodyLimit(path: string): number {
  return /^(\/sales)?\/import(\/|\.data|$)/.test(path) ? UPLOAD : FORM
}

/** The whole body, read only as far as the limit. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined | 'too large'> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  if (Number(request.headers['content-length'] ?? 0) > limit) return 'too large'
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) return 'too large'
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
