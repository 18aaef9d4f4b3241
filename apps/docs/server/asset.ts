import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A response body that doesn't change. All responses share its two buffers, so that readers cost no memory. */
export type Asset = { type: string; plain: Uint8Array; gzip: Uint8Array; etag: string }

export function createAsset(type: string, text: string): Asset {
  const plain = Buffer.from(text)
  return { type, plain, gzip: gzipSync(plain), etag: `"${hash('sha256', plain, 'base64url').slice(0, 16)}"` }
}

/** Sends an asset, or 304 if the browser has it already. */
export function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  void reply.headers({ 'content-type': asset.type, etag: asset.etag, vary: 'accept-encoding' })
  if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'public, max-age=300')
  if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send()
  const acceptsGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  if (acceptsGzip) void reply.header('content-encoding', 'gzip')
  const body = acceptsGzip ? asset.gzip : asset.plain
  return reply.header('content-length', body.byteLength).send(Readable.from(chunksOf(body)))
}

const CHUNK_BYTES = 64 * 1024

/** Yields views of the buffer, so that `disconnectStalledClients` can see progress. */
function* chunksOf(body: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < body.byteLength; start += CHUNK_BYTES) yield body.subarray(start, start + CHUNK_BYTES)
}
