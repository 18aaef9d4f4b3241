import { access, constants, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A whole backup. Its name is when it was finished: from then on it can be restored. */
export type Backup = { name: string; path: string; finishedAt: Date }

export const UNFINISHED_SUFFIX = '.unfinished'

/** The folder of the backups: `base/` has one data directory a backup, `wal/` the log since. */
export async function openBackupStore(folder: string): Promise<{ base: string; wal: string }> {
  const store = { base: join(folder, 'base'), wal: join(folder, 'wal') }
  for (const path of [store.base, store.wal]) {
    await mkdir(path, { recursive: true, mode: 0o700 })
      .then(() => access(path, constants.W_OK))
      .catch((error: Error) => {
        throw new Error(`Backups cannot be kept in ${folder}: ${error.message}`, { cause: error })
      })
  }
  return store
}

/** Colons have no place in a file name. */
export function backupName(finishedAt: Date): string {
  return finishedAt.toISOString().replaceAll(':', '-')
}

/** Every finished backup, oldest first. */
export async function listBackups(base: string): Promise<Backup[]> {
  const names = (await readdir(base).catch(() => [])).filter((name) => /^\d{4}-.*Z$/.test(name)).toSorted()
  return names.map((name) => ({
    name,
    path: join(base, name),
    finishedAt: new Date(name.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:')),
  }))
}

type Manifest = { 'WAL-Ranges': { 'Start-LSN': string; 'End-LSN': string }[] }

/** Where in the log a backup begins and ends. */
export async function walRange({ path }: Backup): Promise<{ start: string; end: string }> {
  const manifest = JSON.parse(await readFile(join(path, 'backup_manifest'), 'utf8')) as Manifest
  const ranges = manifest['WAL-Ranges']
  return { start: ranges[0]!['Start-LSN'], end: ranges.at(-1)!['End-LSN'] }
}

export async function listArchivedWal(wal: string): Promise<{ name: string; bytes: number }[]> {
  const names = await readdir(wal).catch(() => [])
  return Promise.all(names.map(async (name) => ({ name, bytes: (await stat(join(wal, name))).size })))
}
