import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A response body that doesn't change. Kept compressed, because nearly every client accepts gzip. */
export type Asset = { type: string; gzip: Uint8Array; etag: string }

export function createAsset(type: string, text: string): Asset {
  return { type, gzip: gzipSync(text), etag: `"${hash('sha256', text, 'base64url').slice(0, 16)}"` }
}

/** Sends an asset, or 304 if the browser has it already. */
export async function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): Promise<FastifyReply> {
  void reply.headers({ 'content-type': asset.type, etag: asset.etag, vary: 'accept-encoding' })
  if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'public, max-age=300')
  if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send()
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(await promisify(gunzip)(asset.gzip))
  return reply.header('content-encoding', 'gzip').send(asset.gzip)
}
