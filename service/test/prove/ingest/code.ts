import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SERVICE } from '../planted.ts'

/** Where the service under test lies: the copy with the bug that this process has planted, or the service itself. */
export function rootUnderTest(): string {
  const planted = join(SERVICE, '.planted')
  const copy = namesIn(planted).find((name) => name.endsWith(`-${process.pid}`))
  return copy === undefined ? SERVICE : join(planted, copy, 'service')
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** The functions that take files in, of the service in `root`. */
export async function loadIngest(root: string) {
  const { ingestFile } = (await import(
    pathToFileURL(join(root, 'src/market/ingest.ts')).href
  )) as typeof import('../../../src/market/ingest.ts')
  const { FeedRefused } = (await import(
    pathToFileURL(join(root, 'src/sources/feed.ts')).href
  )) as typeof import('../../../src/sources/feed.ts')
  return { ingestFile, FeedRefused }
}
