import { execFileSync } from 'node:child_process'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Ways in which a backup repository can be silently corrupted. Each is applied to a copy. */
export const CORRUPTIONS: { name: string; apply: (repository: string) => Promise<void> }[] = [
  {
    name: 'missing WAL segment',
    apply: async (repository) => rm(await walSegment(repository, -4)),
  },
  {
    name: 'damaged WAL segment',
    apply: async (repository) => overwrite(await walSegment(repository, -4)),
  },
  {
    name: 'backup without its WAL',
    apply: async (repository) => {
      for (const path of await walSegments(repository)) await rm(path)
    },
  },
  {
    name: 'backup with a damaged file',
    apply: async (repository) => overwrite(await largestFile(join(repository, 'backup'))),
  },
]

export function copyRepository(from: string, to: string): void {
  execFileSync('cp', ['-a', '--reflink=auto', from, to])
}

/** Counts the files of a repository that pgBackRest hasn't encrypted: encrypted ones start with `Salted__`. */
export async function countUnencryptedFiles(repository: string): Promise<number> {
  let count = 0
  for (const { path, bytes } of await filesIn(repository)) {
    const file = await open(path)
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0)
    await file.close()
    if (bytes > 0 && buffer.toString('latin1') !== 'Salted__') count++
  }
  return count
}

async function walSegments(repository: string): Promise<string[]> {
  const files = await filesIn(join(repository, 'archive'))
  return files
    .map(({ path }) => path)
    .filter((path) => /[0-9A-F]{24}-[0-9a-f]{40}/.test(path))
    .toSorted()
}

async function walSegment(repository: string, index: number): Promise<string> {
  const segment = (await walSegments(repository)).at(index)
  if (segment === undefined) throw new Error('The archive is too short to be damaged in the middle.')
  return segment
}

async function largestFile(folder: string): Promise<string> {
  const files = await filesIn(folder)
  return files.toSorted((a, b) => b.bytes - a.bytes)[0]!.path
}

async function filesIn(folder: string): Promise<{ path: string; bytes: number }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name)
        return { path, bytes: (await stat(path)).size }
      }),
  )
}

async function overwrite(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.write(Buffer.alloc(64, 0xa5), 0, 64, 128)
  await file.close()
}
