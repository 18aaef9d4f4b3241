import { execFileSync } from 'node:child_process'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SERVICE } from '../planted.ts'

export type PreviousVersion = { root: string; name: string; remove(): Promise<void> }

/**
 * The service of the last tag, or without tags that of the commit before the newest migration. It is put into .planted/,
 * so that it finds node_modules; a release that changed its dependencies would need its own.
 */
export async function previousVersion(): Promise<PreviousVersion> {
  const commit = lastTag() ?? (await beforeNewestMigration())
  const folder = join(SERVICE, '.planted', `previous-${process.pid}`)
  await mkdir(folder, { recursive: true })
  const archive = execFileSync('git', ['-C', join(SERVICE, '..'), 'archive', commit, 'service'], { maxBuffer: 1e9 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  return {
    root: join(folder, 'service'),
    name: git('log', '-1', '--format=%h (%s)', commit),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

function lastTag(): string | undefined {
  const tags = git('tag', '--merged', 'HEAD', '--sort=-creatordate').split('\n')
  return tags[0] === '' ? undefined : tags[0]
}

async function beforeNewestMigration(): Promise<string> {
  const newest = (await readdir(join(SERVICE, 'migrations'))).toSorted().at(-1)!
  const added = git('log', '--diff-filter=A', '-1', '--format=%H', '--', join(SERVICE, 'migrations', newest))
  return added === '' ? 'HEAD' : git('rev-parse', `${added}^`)
}

function git(...args: string[]): string {
  try {
    return execFileSync('git', ['-C', SERVICE, ...args], { encoding: 'utf8' }).trim()
  } catch (cause) {
    throw new Error('The previous version comes from git: run this in a clone with its history.', { cause })
  }
}
