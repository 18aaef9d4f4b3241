import { execFileSync } from 'node:child_process'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Ways in which a backup store can be silently corrupted. Each is applied to a copy. */
export const CORRUPTIONS: { name: string; apply: (store: string) => Promise<void> }[] = [
  {
    name: 'missing WAL segment',
    apply: async (store) => rm(join(store, 'wal', await middleSegment(store))),
  },
  {
    name: 'damaged WAL segment',
    // At its beginning, because the rest of a segment may be empty.
    apply: async (store) => overwrite(join(store, 'wal', await middleSegment(store)), 0),
  },
  {
    name: 'backup without its WAL',
    apply: async (store) => {
      for (const file of await readdir(join(await newestBase(store), 'pg_wal')))
        await rm(join(await newestBase(store), 'pg_wal', file), { recursive: true })
    },
  },
  {
    name: 'backup with a damaged file',
    apply: async (store) => overwrite(await largestTable(await newestBase(store)), 8192),
  },
]

export function copyStore(from: string, to: string): void {
  execFileSync('cp', ['-a', '--reflink=auto', from, to])
}

/** Returns a WAL segment after the newest backup that is neither the first nor one of the last two. */
async function middleSegment(store: string): Promise<string> {
  const segments = (await readdir(join(store, 'wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name)).toSorted()
  const chosen = segments.at(-4)
  if (chosen === undefined) throw new Error('The archive is too short to be damaged in the middle.')
  return chosen
}

async function newestBase(store: string): Promise<string> {
  const [newest] = (await readdir(join(store, 'base'))).toSorted().toReversed()
  return join(store, 'base', newest!)
}

async function largestTable(base: string): Promise<string> {
  const files = await readdir(join(base, 'base'), { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    files
      .filter((file) => file.isFile() && /^\d+$/.test(file.name))
      .map(async (file) => ({
        path: join(file.parentPath, file.name),
        bytes: (await stat(join(file.parentPath, file.name))).size,
      })),
  )
  return sizes.toSorted((a, b) => b.bytes - a.bytes)[0]!.path
}

async function overwrite(path: string, offset: number): Promise<void> {
  const file = await open(path, 'r+')
  await file.write(Buffer.alloc(512, 0xa5), 0, 512, offset)
  await file.close()
}
