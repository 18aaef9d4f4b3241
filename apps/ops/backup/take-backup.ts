import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { ProgressBar } from '../progress-bar.ts'
import { libpqConnection, findPgBinDir, runCommand } from './pg-commands.ts'
import {
  listArchivedWal,
  listBackups,
  backupName,
  openBackupStore,
  UNFINISHED_SUFFIX,
  walRange,
} from './backup-store.ts'
import { segmentContaining, segmentNumber } from './wal-chain.ts'

/** Copies the whole running server into `folder`, checks the copy, and removes what is older than the `keep` newest. */
export async function takeBackup(
  pool: pg.Pool,
  url: string,
  { folder, keep }: { folder: string; keep: number },
): Promise<string> {
  const programs = findPgBinDir(await serverMajorVersion(pool))
  await assertCanReplicate(pool)
  const { base, wal } = await openBackupStore(folder)
  const path = join(base, `${backupName(new Date())}${UNFINISHED_SUFFIX}`)
  const started = performance.now()
  const megabytes = await runBaseBackup(programs, url, path)
  await runCommand(join(programs, 'pg_verifybackup'), [path]).done
  const finished = { name: '', path: join(base, backupName(new Date())), finishedAt: new Date() }
  await rename(path, finished.path)
  await pruneBackups(base, wal, keep)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const archiving = (await listArchivedWal(wal)).length > 0
  return [
    `Backup ${finished.path}: ${Math.round(megabytes)} MB in ${seconds} s, every checksum verified.`,
    archiving
      ? `It can be restored to any moment from now on, as far as ${wal} reaches.`
      : `Nothing is archived in ${wal}: only this very moment can be restored. Keep \`ops archive ${folder}\` running.`,
  ].join('\n')
}

async function runBaseBackup(programs: string, url: string, path: string): Promise<number> {
  const { address, env } = libpqConnection(url)
  const progress = new ProgressBar('backup', process.stderr, Date.now, 'MB')
  let megabytes = 0
  const { done } = runCommand(
    join(programs, 'pg_basebackup'),
    [
      `--dbname=${address}`,
      `--pgdata=${path}`,
      '--format=plain',
      // Together with the log of the time it takes: the copy is whole even if the archive is lost.
      '--wal-method=stream',
      '--checkpoint=fast',
      '--manifest-checksums=SHA256',
      '--label=brickmark',
      '--progress',
      '--no-password',
    ],
    {
      env,
      onStderr(text) {
        const [, copied, whole] = /(\d+)\/(\d+) kB/.exec(text) ?? []
        if (copied === undefined) return
        megabytes = Number(copied) / 1024
        progress.report(Number(copied), Number(whole), Math.round(megabytes))
      },
    },
  )
  try {
    await done
  } catch (error) {
    await rm(path, { recursive: true, force: true })
    throw error
  }
  progress.finish(Math.round(megabytes))
  return megabytes
}

/** The log before the oldest backup that is kept is of no use any more. */
async function pruneBackups(base: string, wal: string, keep: number): Promise<void> {
  const backups = await listBackups(base)
  const old = backups.slice(0, -keep)
  for (const { path } of old) await rm(path, { recursive: true, force: true })
  const [oldest] = backups.slice(-keep)
  if (old.length === 0 || oldest === undefined) return
  const { start } = await walRange(oldest)
  const files = (await listArchivedWal(wal)).filter(({ name }) => /^[0-9A-F]{24}$/.test(name))
  for (const { name, bytes } of files)
    if (segmentNumber(name, bytes) < segmentContaining(start, bytes)) await rm(join(wal, name))
}

export async function serverMajorVersion(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ version: string }>(`select current_setting('server_version_num') as version`)
  return String(Math.floor(Number(rows[0]!.version) / 10_000))
}

export async function assertCanReplicate(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ role: string; may: boolean }>(
    'select rolname as role, rolreplication or rolsuper as may from pg_roles where rolname = current_user',
  )
  if (!rows[0]!.may)
    throw new Error(
      `The role ${rows[0]!.role} may not copy the server. Use one that may: create role brickmark_backup login replication password '…';`,
    )
}
