import { createWriteStream } from 'node:fs'
import { stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { findDownload } from './rebrickable-files.ts'

const FILES = ['themes.csv', 'sets.csv', 'minifigs.csv', 'inventories.csv', 'inventory_minifigs.csv'] as const

const TIMEOUT_MS = 300_000

/** Downloads the catalog files from an address such as https://cdn.rebrickable.com/media/downloads into a folder. */
export async function downloadRebrickable(url: string, folder: string, signal?: AbortSignal): Promise<void> {
  for (const name of FILES) {
    const file = `${name}.gz`
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(new URL(file, url.endsWith('/') ? url : `${url}/`), {
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    if (!response.ok || response.body === null) throw new Error(`Downloading ${file} failed: HTTP ${response.status}.`)
    const path = join(folder, file)
    await pipeline(Readable.fromWeb(response.body), createWriteStream(path))
    // The day of the data, for `downloadDay`.
    const modified = new Date(response.headers.get('last-modified') ?? Date.now())
    await utimes(path, modified, modified)
  }
}

/** Returns the day of the downloads in a folder: that of the file of sets, 'YYYY-MM-DD'. */
export async function downloadDay(folder: string): Promise<string> {
  const path = findDownload(folder, 'sets.csv')
  const modified = path === undefined ? new Date() : (await stat(path)).mtime
  return modified.toISOString().slice(0, 10)
}
