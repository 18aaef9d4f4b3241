import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { Progress } from '../progress-bar.ts'
import { forPrograms, programsOf, runProgram } from './pg-commands.ts'
import { archivedFiles, backupsIn, nameOf, openStore, UNFINISHED, walOf } from './backup-store.ts'
import { segmentHolding, segmentNumber } from './wal-chain.ts'

/** Copies the whole running server into `folder`, checks the copy, and removes what is older than the `keep` newest. */
export async function takeBackup(
  pool: pg.Pool,
  url: string,
  { folder, keep }: { folder: string; keep: number },
): Promise<string> {
  const programs = programsOf(await majorVersion(pool))
  await mayReplicate(pool)
  const { base, wal } = await openStore(folder)
  const path = join(base, `${nameOf(new Date())}${UNFINISHED}`)
  const started = performance.now()
  const megabytes = await copyServer(programs, url, path)
  await runProgram(join(programs, 'pg_verifybackup'), [path]).done
  const finished = { name: '', path: join(base, nameOf(new Date())), finishedAt: new Date() }
  await rename(path, finished.path)
  await removeOld(base, wal, keep)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const archiving = (await archivedFiles(wal)).length > 0
  return [
    `Backup ${finished.path}: ${Math.round(megabytes)} MB in ${seconds} s, every checksum verified.`,
    archiving
      ? `It can be restored to any moment from now on, as far as ${wal} reaches.`
      : `Nothing is archived in ${wal}: only this very moment can be restored. Keep \`ops archive ${folder}\` running.`,
  ].join('\n')
}

async function copyServer(programs: string, url: string, path: string): Promise<number> {
  const { address, env } = forPrograms(url)
  const progress = new Progress('backup', process.stderr, Date.now, 'MB')
  let megabytes = 0
  const { done } = runProgram(
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
      onText(text) {
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
async function removeOld(base: string, wal: string, keep: number): Promise<void> {
  const backups = await backupsIn(base)
  const old = backups.slice(0, -keep)
  for (const { path } of old) await rm(path, { recursive: true, force: true })
  const [oldest] = backups.slice(-keep)
  if (old.length === 0 || oldest === undefined) return
  const { start } = await walOf(oldest)
  const files = (await archivedFiles(wal)).filter(({ name }) => /^[0-9A-F]{24}$/.test(name))
  for (const { name, bytes } of files)
    if (segmentNumber(name, bytes) < segmentHolding(start, bytes)) await rm(join(wal, name))
}

export async function majorVersion(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ version: string }>(`select current_setting('server_version_num') as version`)
  return String(Math.floor(Number(rows[0]!.version) / 10_000))
}

export async function mayReplicate(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ role: string; may: boolean }>(
    'select rolname as role, rolreplication or rolsuper as may from pg_roles where rolname = current_user',
  )
  if (!rows[0]!.may)
    throw new Error(
      `The role ${rows[0]!.role} may not copy the server. Use one that may: create role brickmark_backup login replication password '…';`,
    )
}
