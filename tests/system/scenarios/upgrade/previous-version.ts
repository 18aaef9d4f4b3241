import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { REPOSITORY } from '../../../support/paths.ts'
import { linkWorkspaces } from '../../harness/mutant-copy.ts'

export type PreviousVersion = { root: string; name: string; remove(): Promise<void> }

const MIGRATIONS = 'packages/core/migrations'

/**
 * Checks out the last tag, or without tags the commit before the newest migration, into .mutants/, so that it finds
 * node_modules. Before the first migration after the baseline, that is the commit of the baseline itself. A release with
 * other dependencies would need its own.
 */
export async function previousVersion(): Promise<PreviousVersion> {
  const commit = lastTag() ?? (await beforeNewestMigration())
  const root = join(REPOSITORY, '.mutants', `previous-${process.pid}`)
  await mkdir(root, { recursive: true })
  const archive = execFileSync('git', ['-C', REPOSITORY, 'archive', commit], { maxBuffer: 1e9 })
  execFileSync('tar', ['-x', '-C', root], { input: archive })
  await linkWorkspaces(root)
  return {
    root,
    name: git('log', '-1', '--format=%h (%s)', commit),
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

function lastTag(): string | undefined {
  const tags = git('tag', '--merged', 'HEAD', '--sort=-creatordate').split('\n')
  return tags[0] === '' ? undefined : tags[0]
}

/** Finds the commit by content, because a moved file looks new under its path. */
async function beforeNewestMigration(): Promise<string> {
  const newest = (await readdir(join(REPOSITORY, MIGRATIONS))).toSorted().at(-1)!
  const text = await readFile(join(REPOSITORY, MIGRATIONS, newest))
  const blob = createHash('sha1').update(`blob ${text.length}\0`).update(text).digest('hex')
  const commits = git('log', '--format=%H', `--find-object=${blob}`).split('\n')
  const added = commits.at(-1)
  if (added === undefined || added === '') return 'HEAD'
  const previous = git('rev-parse', `${added}^`)
  return (await isUpgradable(previous)) ? previous : added
}

/** False for a version from before the baseline, whose migrations were replaced. */
async function isUpgradable(commit: string): Promise<boolean> {
  const known = new Set(await readdir(join(REPOSITORY, MIGRATIONS)))
  const files = git('ls-tree', '--name-only', `${commit}:${MIGRATIONS}`).split('\n')
  return files.every((file) => known.has(file))
}

function git(...args: string[]): string {
  try {
    return execFileSync('git', ['-C', REPOSITORY, ...args], { encoding: 'utf8' }).trim()
  } catch (cause) {
    throw new Error('Can’t read the git history: run this in a full clone.', { cause })
  }
}
