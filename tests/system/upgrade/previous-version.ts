import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { REPOSITORY } from '../../support/paths.ts'
import { linkWorkspaces } from '../mutant-copy.ts'

export type PreviousVersion = { root: string; name: string; remove(): Promise<void> }

const MIGRATIONS = 'packages/core/migrations'

/**
 * Checks out the last tag, or without tags the commit before the newest migration, into .mutants/, so that it finds
 * node_modules. A release with other dependencies would need its own.
 */
export async function previousVersion(): Promise<PreviousVersion> {
  const commit = lastTag() ?? (await beforeNewestMigration())
  const root = join(REPOSITORY, '.mutants', `previous-${process.pid}`)
  await mkdir(root, { recursive: true })
  const archive = execFileSync('git', ['-C', REPOSITORY, 'archive', commit], { maxBuffer: 1e9 })
  execFileSync('tar', ['-x', '-C', root], { input: archive })
  await linkWorkspaces(root)
  if (!existsSync(join(root, 'packages'))) await bridgeOldLayout(root)
  return {
    root,
    name: git('log', '-1', '--format=%h (%s)', commit),
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

/** Adds entry points for versions from before the move to apps/ and packages/, when everything was in service/. */
async function bridgeOldLayout(root: string): Promise<void> {
  for (const [path, text] of [
    ['apps/api/main.ts', `import '../../service/src/bin/api.ts'`],
    ['packages/core/src/db/migrate.ts', `export * from '../../../../service/src/db/migrate.ts'`],
    ['tools/synthetic/index.ts', `export { writeMarket as insertMarket } from '../../service/src/demo/index.ts'`],
  ]) {
    await mkdir(dirname(join(root, path!)), { recursive: true })
    await writeFile(join(root, path!), `${text}\n`)
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
  return added === undefined || added === '' ? 'HEAD' : git('rev-parse', `${added}^`)
}

function git(...args: string[]): string {
  try {
    return execFileSync('git', ['-C', REPOSITORY, ...args], { encoding: 'utf8' }).trim()
  } catch (cause) {
    throw new Error('Can’t read the git history: run this in a full clone.', { cause })
  }
}
