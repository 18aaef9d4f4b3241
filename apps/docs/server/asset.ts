import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A response body that doesn't change. All responses share its two buffers, so that readers cost no memory. */
export type Asset = {
  type: string
  plain: Uint8Array
  /** Undefined if the content is compressed already. */
  gzip: Uint8Array | undefined
  etag: string
}

/** Creates an asset from text, or from bytes that are compressed already. */
export function createAsset(type: string, content: string | Uint8Array): Asset {
  const plain = Buffer.from(content)
  const gzip = typeof content === 'string' ? gzipSync(plain) : undefined
  return { type, plain, gzip, etag: `"${hash('sha256', plain, 'base64url').slice(0, 16)}"` }
}

/** Sends an asset, or 304 if the browser has it already. */
export function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  void reply.headers({ 'content-type': asset.type, etag: asset.etag, vary: 'accept-encoding' })
  if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'public, max-age=300')
  if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send()
  const gzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '') ? asset.gzip : undefined
  if (gzip) void reply.header('content-encoding', 'gzip')
  const body = gzip ?? asset.plain
  return reply.header('content-length', body.byteLength).send(Readable.from(chunksOf(body)))
}

const CHUNK_BYTES = 64 * 1024

/** Yields views of the buffer, so that `disconnectStalledClients` can see progress. */
function* chunksOf(body: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < body.byteLength; start += CHUNK_BYTES) yield body.subarray(start, start + CHUNK_BYTES)
}
