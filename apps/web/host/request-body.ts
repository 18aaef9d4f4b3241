import type { IncomingMessage } from 'node:http'
import { MAX_FILE_MB } from '@brickmark/core/portfolio/lot-import/format'

const MAX_FORM_BYTES = 64 * 1024
/** A file is uploaded inside a form. */
const MAX_UPLOAD_BYTES = MAX_FILE_MB * 1024 * 1024 + MAX_FORM_BYTES
/** Memory for all request bodies that are being read. They are read before anyone is authenticated. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024
/** Bodies up to this many times the limit are read and discarded: browsers show no response before they have sent everything. */
const DRAIN_FACTOR = 20

function isUpload(url: string): boolean {
  return /^(\/sales)?\/import(\/|\.data|\?|$)/.test(url)
}

/** Thrown for a body above the limit of its path. */
export class BodyTooLargeError extends Error {}

/** Thrown if the bodies of other requests take all the memory there is for them. */
export class TooManyBodiesError extends Error {}

let totalBytes = 0

/** The message for a user whose upload is too large. */
export function bodyTooLargeMessage(url: string): string {
  return isUpload(url)
    ? `Files can be up to ${MAX_FILE_MB} MB. Split the file and try again.`
    : 'That’s too much data for one request.'
}

/** Reads a body up to the limit of its path: a form is small, an import is a file. */
export async function readBody(request: IncomingMessage, payload: AsyncIterable<Buffer>): Promise<Buffer> {
  const limit = isUpload(request.url ?? '') ? MAX_UPLOAD_BYTES : MAX_FORM_BYTES
  if (Number(request.headers['content-length'] ?? 0) > DRAIN_FACTOR * limit) throw new BodyTooLargeError()
  const chunks: Buffer[] = []
  let size = 0
  let kept = 0
  try {
    for await (const chunk of payload) {
      size += chunk.length
      if (size > DRAIN_FACTOR * limit) break
      if (size > limit) continue
      kept += chunk.length
      totalBytes += chunk.length
      if (totalBytes > MAX_TOTAL_BYTES) throw new TooManyBodiesError()
      chunks.push(chunk)
    }
    if (size > limit) throw new BodyTooLargeError()
    return Buffer.concat(chunks)
  } finally {
    totalBytes -= kept
  }
}

/**
 * Whether the body is what its route reads: JSON for passkeys, a form everywhere else. Checked once here, so that no route
 * fails on a body that only a script would send.
 */
export async function isReadableBody(url: string, contentType: string | undefined, body: Buffer): Promise<boolean> {
  if (url.startsWith('/passkey/')) return isJsonObject(body.toString())
  // A form without fields, which `toWebRequest` gives its type.
  if (contentType === undefined && body.length === 0) return true
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded') return true
  if (contentType === undefined || type !== 'multipart/form-data') return false
  const form = new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
  return form.then(
    () => true,
    () => false,
  )
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
