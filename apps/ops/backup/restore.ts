import { constants, existsSync } from 'node:fs'
import { chmod, copyFile, lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ProgressBar } from '../progress-bar.ts'
import { findPgBinDir, runCommand } from './pg-commands.ts'
import { recover, type RecoveryResult } from './recover.ts'
import { listArchivedWal, listBackups, walRange, type Backup } from './backup-store.ts'
import { segmentContaining, segmentNumber, walChain, type WalChain } from './wal-chain.ts'

/** Makes a data directory out of a backup and the log since, as it was at `time` or as late as the archive reaches. */
export async function restore(options: { folder: string; dataDir: string; time: Date | undefined }): Promise<string> {
  const folder = resolve(options.folder)
  const dataDir = resolve(options.dataDir)
  if (process.getuid?.() === 0)
    throw new Error('Run this as the user that PostgreSQL runs as: `runuser -u postgres -- …`. It will own the files.')
  if (/['\\]/.test(folder)) throw new Error(`The path ${folder} must not contain ' or \\.`)
  const started = performance.now()
  const backup = await chooseBackup(folder, options.time)
  const programs = findPgBinDir((await readFile(join(backup.path, 'PG_VERSION'), 'utf8')).trim())
  await assertEmpty(dataDir)
  process.stderr.write(`Checking ${backup.path}\n`)
  await runCommand(join(programs, 'pg_verifybackup'), [backup.path]).done
  const wal = join(folder, 'wal')
  const chain = await walChainSince(backup, wal)
  if (options.time === undefined) assertNoGap(chain, backup)
  try {
    const megabytes = await copyDirectory(backup.path, dataDir)
    const recovered = await recover({
      binDir: programs,
      dataDir,
      wal,
      time: options.time,
      segments: chain.segments.length,
    })
    if (options.time === undefined) assertReachedEnd(chain, recovered)
    return formatResult({ dataDir, megabytes, programs, backup, recovered, started })
  } catch (error) {
    // Half a restore looks like a whole one.
    await rm(dataDir, { recursive: true, force: true })
    throw error
  }
}

type RestoreResult = {
  dataDir: string
  megabytes: number
  programs: string
  backup: Backup
  recovered: RecoveryResult
  started: number
}

function formatResult({ dataDir, megabytes, programs, backup, recovered, started }: RestoreResult): string {
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  return `Restored ${dataDir} (${Math.round(megabytes)} MB) in ${seconds} s from ${backup.name}; its last transaction is of ${recovered.lastTransaction ?? backup.name}.
It is stopped. ${startInstructions(programs, dataDir)}`
}

function startInstructions(programs: string, dataDir: string): string {
  if (existsSync(join(dataDir, 'postgresql.conf')))
    return `Start it with \`${join(programs, 'pg_ctl')} -D ${dataDir} start\`, or let Patroni (deploy/ha/README.md).`
  return `Its settings were not kept with its data, as Debian does: start it as the cluster whose data belongs there, with \`pg_ctlcluster\` (docs/operations.md).`
}

async function chooseBackup(folder: string, time: Date | undefined): Promise<Backup> {
  const backups = await listBackups(join(folder, 'base'))
  if (backups.length === 0) throw new Error(`There is no finished backup in ${folder}/base.`)
  const backup = backups.findLast(({ finishedAt }) => time === undefined || finishedAt <= time)
  if (backup === undefined)
    throw new Error(`The oldest backup is of ${backups[0]!.finishedAt.toISOString()}: nothing before can be restored.`)
  return backup
}

async function assertEmpty(dataDir: string): Promise<void> {
  const present = await readdir(dataDir).catch(() => [])
  if (present.length > 0) throw new Error(`${dataDir} is not empty. Name a folder that is, or does not exist yet.`)
}

async function walChainSince(backup: Backup, wal: string): Promise<WalChain> {
  const { end } = await walRange(backup)
  return walChain(await listArchivedWal(wal), end)
}

/** PostgreSQL takes a gap for the end, and would start without a word with what comes before. */
function assertNoGap({ segments, firstGap }: WalChain, { path, finishedAt }: Backup): void {
  if (firstGap !== undefined)
    throw new Error(
      `The archive has a gap: ${firstGap} is missing or cut short, and later ones are there. Find it, or give up what came after with --time.`,
    )
  if (segments.length === 0)
    throw new Error(
      `Nothing was archived since the backup of ${finishedAt.toISOString()}. If that moment is what you want: ${path} is a complete data directory.`,
    )
}

/** A damaged segment ends the recovery early, and again PostgreSQL takes it for the end. */
function assertReachedEnd({ segments, segmentBytes }: WalChain, { end }: RecoveryResult): void {
  const last = segmentNumber(segments.at(-1)!, segmentBytes)
  // The last segment may have just been begun, and be empty.
  if (end === undefined || segmentContaining(end, segmentBytes) < last - 1)
    throw new Error(
      `The log is damaged: recovery ended at ${end ?? 'an unknown position'}, before the last segment ${segments.at(-1)}. Find an undamaged copy of the archive, or give up what came after with --time.`,
    )
}

async function copyDirectory(from: string, to: string): Promise<number> {
  const progress = new ProgressBar('copy', process.stderr, Date.now, 'MB')
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  await mkdir(to, { recursive: true, mode: 0o700 })
  await chmod(to, 0o700)
  let bytes = 0
  for (const [index, entry] of entries.entries()) {
    const source = join(entry.parentPath, entry.name)
    const target = join(to, source.slice(from.length))
    if (entry.isDirectory()) await mkdir(target, { recursive: true, mode: 0o700 })
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else {
      await mkdir(join(target, '..'), { recursive: true, mode: 0o700 })
      await copyFile(source, target, constants.COPYFILE_FICLONE)
      bytes += (await lstat(target)).size
    }
    progress.report(index, entries.length, Math.round(bytes / 2 ** 20))
  }
  await writeFile(join(to, 'recovery.signal'), '')
  progress.finish(Math.round(bytes / 2 ** 20))
  return bytes / 2 ** 20
}
