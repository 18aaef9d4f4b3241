import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

type StaticFile = { type: string; raw: Buffer; gzip: Buffer; immutable: boolean }

/** The built files of the browser's side, read and compressed once: there are few, and no path can leave the folder. */
export async function loadStaticFiles(folder: string): Promise<Map<string, StaticFile>> {
  const files = new Map<string, StaticFile>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const path = join(entry.parentPath, entry.name)
    const raw = await readFile(path)
    const url = path.slice(folder.length)
    // The names under /assets/ carry a hash of what is in them.
    files.set(url, { type, raw, gzip: gzipSync(raw, { level: 9 }), immutable: url.startsWith('/assets/') })
  }
  return files
}

export function sendStaticFile(request: IncomingMessage, response: ServerResponse, file: StaticFile): void {
  const gzipped = acceptsGzip(request)
  const body = gzipped ? file.gzip : file.raw
  response.writeHead(200, {
    'content-type': file.type,
    'content-length': body.length,
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    vary: 'accept-encoding',
    ...(gzipped && { 'content-encoding': 'gzip' }),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

export function acceptsGzip(request: IncomingMessage): boolean {
  return /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
}
