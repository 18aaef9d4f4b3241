import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { REPOSITORY } from '../../../support/paths.ts'

/** Returns the root of the code under test: the mutant copy created by this process, or the repository. */
export function serviceRoot(): string {
  const mutants = join(REPOSITORY, '.mutants')
  const copy = listDir(mutants).find((name) => name.endsWith(`-${process.pid}`))
  return copy === undefined ? REPOSITORY : join(mutants, copy)
}

function listDir(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** Imports the ingest functions from the code in `root`. */
export async function loadIngest(root: string) {
  const { ingestFile } = (await import(
    pathToFileURL(join(root, 'packages/core/src/source/ingest-commands.ts')).href
  )) as typeof import('@brickmark/core/source/ingest-commands')
  const { FeedRejectedError } = (await import(
    pathToFileURL(join(root, 'packages/core/src/source/feeds/feed.ts')).href
  )) as typeof import('@brickmark/core/source/feeds/feed')
  return { ingestFile, FeedRejectedError }
}
