import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { REPOSITORY } from '../../support/paths.ts'

/** Where the service under test lies: the copy with the bug that this process has planted, or the service itself. */
export function serviceRoot(): string {
  const planted = join(REPOSITORY, '.mutants')
  const copy = listDir(planted).find((name) => name.endsWith(`-${process.pid}`))
  return copy === undefined ? REPOSITORY : join(planted, copy)
}

function listDir(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** The functions that take files in, of the service in `root`. */
export async function loadIngest(root: string) {
  const { ingestFile } = (await import(
    pathToFileURL(join(root, 'packages/core/src/source/ingest-commands.ts')).href
  )) as typeof import('@brickmark/core/source/ingest-commands')
  const { FeedRejectedError } = (await import(
    pathToFileURL(join(root, 'packages/core/src/source/feeds/feed.ts')).href
  )) as typeof import('@brickmark/core/source/feeds/feed')
  return { ingestFile, FeedRejectedError }
}
